import { expect, test } from "./dashboard-test.ts";

test("an agent starts real work, a person answers in the browser, the agent gets the report", async ({
  page,
  agent,
}) => {
  await page.goto("/tasks");
  await expect(page.locator("[data-connection=live]:visible")).toBeVisible();

  const taskId = await agent.start("analyze_logs", { files: ["app.log", "db.log"] });
  const report = agent.result(taskId);
  const row = page.locator(`[data-task=${taskId}]`);
  await expect(row).toContainText("analyze_logs");
  await expect(row).toContainText("1 question");
  await expect(page).toHaveTitle("(1) Tasks · toolthread");

  await row.getByRole("link").click();
  await expect(page).toHaveURL(`/tasks/${taskId}`);
  await expect(page.locator("[data-status=waiting_for_input]")).toBeVisible();
  const question = page.locator("[data-question]");
  await expect(question).toContainText("Which groups go into the report?");
  const groups = question.getByRole("checkbox");
  await groups.nth(1).check();
  await groups.nth(2).check();
  await question.getByRole("button", { name: /^Send 2 of/ }).click();

  await expect(page.locator("[data-status=completed]")).toBeVisible();
  const { status, result } = await report;
  expect(status).toBe("completed");
  expect(result).toMatchObject({ filesProcessed: 2, selection: { how: "answered" } });
  const { selection } = result as { selection: { chosen: string[] } };
  expect(selection.chosen).toHaveLength(2);

  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline).toContainText(/Answered by .+ in the dashboard after/);
  await expect(page.getByRole("region", { name: "Result", exact: true }).first()).toContainText(
    "filesProcessed",
  );
});

test("the timeline grows while it is watched, and the list shows the progress", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("work", { total: 1000, label: "Reading mailbox" });
  await page.goto(`/tasks/${taskId}`);
  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline).toContainText("Reading mailbox, part 1");
  const bar = page.getByRole("progressbar");
  const before = Number(
    await bar.getAttribute("aria-valuetext").then((text) => text?.split(" ")[0]),
  );
  await expect
    .poll(async () => Number((await bar.getAttribute("aria-valuetext"))?.split(" ")[0]))
    .toBeGreaterThan(before);
});
