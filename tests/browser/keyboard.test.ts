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
