import { expect, test } from "./dashboard-test.ts";

test("filters are in the URL, and new tasks appear only where they fit", async ({
  page,
  agent,
}) => {
  await agent.result(await agent.start("fail"));
  const waiting = await agent.start("ask", { what: "one" });
  await agent.question(waiting);
  await page.goto("/tasks");
  await page.locator("label", { hasText: /^Failed/ }).click();
  await expect(page).toHaveURL("/tasks?status=failed");
  await expect(page.locator(`[data-task=${waiting}]`)).toHaveCount(0);
  const failed = await agent.start("fail", { message: "quota exceeded" });
  await expect(page.locator(`[data-task=${failed}]`)).toContainText("RangeError: quota exceeded");

  await page.goto("/tasks?status=waiting_for_input&type=ask");
  await expect(page.getByRole("checkbox", { name: /^Waiting/ })).toBeChecked();
  const row = page.locator(`[data-task=${waiting}]`);
  await expect(row).toBeVisible();
  const { questionId } = await agent.question(waiting);
  await agent.answer(questionId, "yes");
  await expect(row).toHaveCount(0);

  await page.getByRole("searchbox").fill(failed.slice(5, 13));
  await expect(page).toHaveURL(/text=/);
  await page.locator("label", { hasText: /^Waiting/ }).click();
  await page.getByRole("combobox", { name: "Type" }).selectOption("");
  await expect(page.locator("[data-task]")).toHaveCount(1);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL("/tasks");
});

test("more tasks come with scrolling", async ({ page, agent }) => {
  for (let i = 0; i < 60; i++) await agent.start("echo", { say: `number ${i}` });
  await page.goto("/tasks?type=echo");
  await page.locator("[data-task]").nth(40).scrollIntoViewIfNeeded();
  await expect.poll(() => page.locator("[data-task]").count()).toBeGreaterThanOrEqual(60);
  const ids = await page
    .locator("[data-task]")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-task")));
  expect(new Set(ids).size).toBe(ids.length);
});

test("cancelling with a reason", async ({ page, agent }) => {
  const taskId = await agent.start("work", { total: 1000 });
  await page.goto(`/tasks/${taskId}`);
  await page.getByRole("button", { name: "Cancel…" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Cancel this task?");
  await dialog.getByRole("button", { name: "Keep it running" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel…" }).click();
  await dialog.getByRole("textbox").fill("The customer called it off");
  await dialog.getByRole("button", { name: "Cancel the task" }).click();
  await expect(page.locator("[data-status=cancelled]")).toBeVisible();
  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline).toContainText(/Cancel requested by .+ in the dashboard/);
  await expect(timeline).toContainText("The customer called it off");
  expect((await agent.result(taskId)).error).toContain("The customer called it off");
});

test("the error of a failed task, with the levels of its updates", async ({ page, agent }) => {
  const taskId = await agent.start("fail", { message: "the disk is full" });
  await page.goto(`/tasks/${taskId}`);
  await expect(page.getByRole("region", { name: "Error" })).toContainText(
    "RangeError: the disk is full",
  );
  await expect(page.getByText("Warning: Disk usage at 99 %")).toBeVisible();
});

test("a megabyte of result neither stops the page nor fills it", async ({ page, agent }) => {
  const taskId = await agent.start("big_result");
  await agent.result(taskId);
  await page.goto(`/tasks/${taskId}`);
  const result = page.getByRole("region", { name: "Result", exact: true }).last();
  await expect(result).toContainText("rows: [8000 items]");
  expect(await page.locator("*").count()).toBeLessThan(3000);
  await result.getByRole("button", { name: /rows/ }).click();
  await expect(result.getByRole("button", { name: /Show more/ })).toBeVisible();
});

test("a task and a page that do not exist", async ({ page }) => {
  await page.goto("/tasks/task_00000000000000000000");
  await expect(page.getByText("There is no such task")).toBeVisible();
  await page.goto("/nowhere");
  await expect(page.getByText("There is no such page")).toBeVisible();
});
