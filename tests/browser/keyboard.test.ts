import { expect, test } from "./dashboard-test.ts";

test("keys go places, ? says which, and a text field keeps its letters", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("[data-connection=live]:visible")).toBeVisible();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard" });
  await expect(help.getByText("Go to the tasks")).toBeVisible();
  // Behind the dialog nothing happens.
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(help).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);

  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page).toHaveURL("/tasks");
  const search = page.getByRole("searchbox").or(page.getByRole("textbox")).first();
  await search.pressSequentially("gi?");
  await expect(search).toHaveValue("gi?");
  await expect(page).toHaveURL(/\/tasks/);
  await search.press("Escape");
  await expect(search).not.toBeFocused();
  await expect(search).toHaveValue("gi?");
});

test("single keys can be switched off, and stay so", async ({ page }) => {
  await page.goto("/tasks");
  await expect(page.locator("[data-connection=live]:visible")).toBeVisible();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard" });
  await help.getByRole("checkbox", { name: /Single keys/ }).uncheck();
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.locator("[data-connection=live]:visible")).toBeVisible();
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(page.getByRole("heading", { name: "Tasks", level: 1 })).toBeVisible();
  await expect(help).toHaveCount(0);
});

test("the palette goes places, finds tasks and does what the page can do", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("ask", { what: "one" });
  await page.goto("/");
  await expect(page.getByText("Proceed with the release?").first()).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Find or do anything" });
  const field = palette.getByRole("combobox");

  await page.keyboard.press("Control+k");
  await field.fill("tasks");
  await field.press("Enter");
  await expect(page).toHaveURL("/tasks");
  await expect(palette).toHaveCount(0);

  await page
    .locator("aside")
    .getByRole("button", { name: /Find or do/ })
    .click();
  await field.fill(taskId.slice(0, 12));
  await palette.getByRole("option", { name: taskId }).click();
  await expect(page).toHaveURL(`/tasks/${taskId}`);

  await page.keyboard.press("Control+k");
  await field.fill("theme dark");
  await field.press("Enter");
  await expect(page.locator("html")).toHaveClass(/dark/);

  await page.keyboard.press("Control+k");
  await field.fill("release");
  await palette.getByRole("option", { name: /Proceed with the release/ }).click();
  await expect(page).toHaveURL(/^[^?]*\/(\?question=.+)?$/);

  await page.keyboard.press("Control+k");
  await field.fill("nothing is called like this");
  await expect(palette).toContainText("Nothing is called that.");
  await page.keyboard.press("Control+k");
  await expect(palette).toHaveCount(0);
});
