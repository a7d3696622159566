import { expect, test } from "./dashboard-test.ts";

test("a finished task is run again, with the same parameters and with others", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("echo", { say: "first" });
  await agent.result(taskId);
  await page.goto(`/tasks/${taskId}`);
  await page.getByRole("button", { name: "Run again…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Run again", exact: true }).click();
  await expect(page).not.toHaveURL(new RegExp(taskId));
  await expect(page.locator("[data-status=completed]")).toBeVisible();
  const facts = page.locator("dl").first();
  await facts.locator("div", { hasText: "Rerun of" }).getByRole("link").click();
  await expect(page).toHaveURL(`/tasks/${taskId}`);
  await expect(facts.locator("div", { hasText: "Run again as" }).getByRole("link")).toHaveCount(1);

  await page.getByRole("button", { name: "Run again…" }).click();
  await dialog.getByRole("button", { name: "Other parameters" }).click();
  const json = dialog.getByLabel("JSON");
  await expect(json).toHaveValue(/"say": "first"/);
  await json.fill('{ "say": ');
  await dialog.getByRole("button", { name: "Run with these" }).click();
  await expect(json).toHaveAttribute("aria-invalid", "true");
  await json.fill('{ "say": "second" }');
  await dialog.getByRole("button", { name: "Run with these" }).click();
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText("second");
});
