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

test("a long list renders what is near the view, and loads on with scrolling", async ({
  page,
  agent,
}) => {
  for (let i = 0; i < 230; i += 10) {
    await Promise.all(Array.from({ length: 10 }, () => agent.start("echo", { say: "long list" })));
  }
  await page.goto("/tasks?type=echo");
  await expect(page.locator("[data-task]").first()).toBeVisible();
  expect(await page.locator("[data-task]").count()).toBeLessThan(80);
  await expect(async () => {
    await page.keyboard.press("End");
    await page.locator("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await expect(page.getByText(/^\d+ tasks$/)).toBeInViewport({ timeout: 500 });
  }).toPass();
  expect(await page.locator("[data-task]").count()).toBeLessThan(80);
});

test("rows keep still under the pointer; what is new says so and comes when asked", async ({
  page,
  agent,
}) => {
  const first = await agent.start("ask", { what: "one" });
  await page.goto("/tasks?type=ask&status=waiting_for_input&status=completed");
  const row = page.locator(`[data-task=${first}]`);
  await row.hover();
  const top = await row.evaluate((element) => element.getBoundingClientRect().top);
  const second = await agent.start("ask", { what: "one" });
  const pill = page.getByRole("button", { name: "1 new task" });
  await expect(pill).toBeVisible();
  expect(await row.evaluate((element) => element.getBoundingClientRect().top)).toBe(top);
  await expect(page.locator(`[data-task=${second}]`)).toHaveCount(0);
  await pill.click();
  await expect(page.locator("[data-task]").first()).toHaveAttribute("data-task", second);
});

test("words anywhere in a task find it; columns and views are kept", async ({ page, agent }) => {
  const taskId = await agent.start("echo", { say: "an invoice of Zwartbaas" });
  await agent.result(taskId);
  await page.goto("/tasks");
  // Keys work once the page does, which its first rows tell.
  await expect(page.locator("[data-task]").first()).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("zwartbaas inv");
  await expect(page.locator("[data-task]")).toHaveCount(1);
  await expect(page.locator(`[data-task=${taskId}]`)).toBeVisible();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("textbox", { name: "Save this view as" }).fill("Zwartbaas");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL("/tasks");
  await page.reload();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: "Zwartbaas", exact: true }).click();
  await expect(page).toHaveURL(/text=zwartbaas/);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Started by" }).check();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Started by" })).toBeVisible();
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Worked" }).click();
  await expect(page).toHaveURL("/tasks?order=longest");
  await expect(page.getByRole("columnheader", { name: "Worked" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await expect(page.locator("[data-task]").first()).toBeVisible();
});

test("many tasks are selected with the keyboard and cancelled, and each says what became of it", async ({
  page,
  agent,
}) => {
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await agent.start("work", { total: 5000 }));
  await page.goto("/tasks?type=work&status=running");
  await expect(page.locator("[data-task]")).toHaveCount(4);
  await page.keyboard.press("j");
  await expect(page.locator(`[data-task=${ids[3]}] a`)).toBeFocused();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  const bar = page.getByRole("region", { name: "Selected tasks" });
  await expect(bar).toContainText("3 selected");
  // One of them ends before it comes to that.
  await agent.cancel(ids[2] as string, "by somebody else");
  await agent.result(ids[2] as string);
  await bar.getByRole("button", { name: "Cancel…" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Cancel 3 tasks?");
  await dialog.getByRole("textbox").fill("No longer needed");
  await dialog.getByRole("button", { name: "Cancel 3 tasks" }).click();
  await expect(dialog).toContainText("2 tasks told to stop");
  await expect(dialog).toContainText("1 task had ended before.");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(bar).toHaveCount(0);
  expect((await agent.result(ids[1] as string)).error).toContain("No longer needed");
  await expect(page.locator(`[data-task=${ids[0]}]`)).toBeVisible();
  await expect(page.locator("[data-task]")).toHaveCount(1);
  await page.getByRole("checkbox", { name: /^Select all/ }).check();
  await bar.getByRole("button", { name: "Run again…" }).click();
  await dialog.getByRole("button", { name: "Start 1 task" }).click();
  await expect(dialog).toContainText("1 task refused.");
  await expect(dialog.getByRole("list", { name: "Not done" })).toContainText("has not finished");
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

test("a task and a page that do not exist", async ({ page }) => {
  await page.goto("/tasks/task_00000000000000000000");
  await expect(page.getByText("There is no such task")).toBeVisible();
  await page.goto("/nowhere");
  await expect(page.getByText("There is no such page")).toBeVisible();
});
