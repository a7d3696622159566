import { expect, test } from "./dashboard-test.ts";

test("a task is started from its type's form, after what is wrong was put right", async ({
  page,
}) => {
  await page.goto("/start");
  await expect(page.getByRole("list", { name: "Examples" })).toContainText("deploy");
  await page.getByRole("link", { name: "Analyze logs" }).click();
  const file = page.getByRole("textbox", { name: "Item 1" });
  await page.getByRole("button", { name: "Start the task" }).click();
  await expect(file).toBeFocused();
  await expect(page.getByText("This is required.")).toBeVisible();

  await file.fill("app.log");
  const groups = page.getByRole("textbox", { name: "Groups at most" });
  await groups.fill("1000");
  await page.getByRole("button", { name: "Start the task" }).click();
  await expect(groups).toHaveAttribute("aria-invalid", "true");
  await groups.fill("5");
  await page.getByRole("combobox", { name: "Ask which groups to report" }).selectOption("Never");
  await page.getByRole("button", { name: "Start the task" }).click();
  await expect(page).toHaveURL(/\/tasks\/task_/);
  await expect(page.locator("[data-status=completed]")).toBeVisible();
  await expect(page.getByText(/Started by .+ in the dashboard/)).toBeVisible();
});

test("a type without a schema takes any JSON", async ({ page }) => {
  await page.goto("/start?type=echo");
  await page.getByRole("textbox", { name: "JSON" }).fill('{"say": "from the form"}');
  await page.getByRole("button", { name: "Start the task" }).click();
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText("from the form");
});

test("a type that is not there", async ({ page }) => {
  await page.goto("/start?type=%3Cb%3Enothing");
  await expect(page.getByText("There is no such task type")).toBeVisible();
});
