import { expect, test } from "./dashboard-test.ts";
import { setServerAhead } from "./server-ahead.ts";

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

test("a timeline of thousands: links to events, the first error, searching, following", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("log", { lines: 12_000, errorAt: 4321, ask: true });
  await agent.question(taskId);
  const timeline = page.getByRole("list", { name: "Timeline" });
  const toolbar = page.getByRole("toolbar", { name: "Timeline" });
  const line = (number: number) => timeline.getByText(new RegExp(`Line ${number}$`));

  await page.goto(`/tasks/${taskId}#event-7002`);
  await expect(line(7000)).toBeInViewport();
  expect(await page.locator("*").count()).toBeLessThan(1500);

  await page.keyboard.press("e");
  await expect(page).toHaveURL(/#event-4323$/);
  await expect(line(4321)).toBeInViewport();

  await page.keyboard.press("/");
  await page.keyboard.type("line 1200");
  await expect(toolbar.getByText("2 found")).toBeVisible();
  await expect(timeline.getByRole("listitem")).toHaveText([/Line 1200$/, /Line 12000$/]);
  await page.keyboard.press("Escape");
  await toolbar.getByRole("combobox", { name: "Levels" }).selectOption("error");
  await expect(toolbar.getByText("1 entry")).toBeVisible();
  await expect(timeline.getByRole("listitem")).toHaveText([/Error: Line 4321$/]);
  await toolbar.getByRole("button", { name: "Show everything again" }).click();
  await page.keyboard.press("q");
  await expect(page.getByText("Is it right?").last()).toBeInViewport();

  await toolbar.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    toolbar.getByRole("link", { name: "Download as text" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${taskId}.txt`);

  const following = toolbar.getByRole("button", { name: "Following" });
  await expect(following).toHaveAttribute("aria-pressed", "true");
  const { questionId } = await agent.question(taskId);
  await agent.answer(questionId, "yes, it is");
  await expect(timeline.getByText("yes, it is")).toBeInViewport();
  await expect(timeline.getByText("Completed")).toBeInViewport();
});

test("a task among those above and below it, live, with hundreds below", async ({
  page,
  agent,
}) => {
  const top = await agent.start("family", { children: 230, deep: 2 });
  await agent.question(top);
  await page.goto(`/tasks/${top}`);
  const family = page.getByRole("region", { name: "Result and details" });
  const rows = family.locator("[data-relative]");
  await expect(rows).toHaveCount(201);
  await expect(family.getByRole("link", { name: /^20 ?\+ Failed$/ })).toBeVisible();
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(231);
  await expect(family.getByRole("link", { name: "230 in the list of tasks" })).toBeVisible();

  await rows.first().scrollIntoViewIfNeeded();
  await family.getByRole("button", { name: "Tasks that family started" }).click();
  await expect(rows).toHaveCount(233);
  await rows.nth(2).getByRole("link", { name: "family" }).click();
  await expect(rows.locator("[aria-current=page]")).toHaveCount(1);
  await expect(rows).toHaveText([/^.*family/, /^.*family/, /this task/, /echo/, /echo/]);

  // Unfolds nothing, answers with a key, and the rows above and below follow.
  await expect(page.getByRole("article").getByRole("button", { name: "yes" })).toBeVisible();
  await page.keyboard.press("1");
  await expect(rows.nth(2)).toContainText("Completed");
  await rows.first().getByRole("link").click();
  await family.getByRole("link", { name: /Failed$/ }).click();
  await expect(page).toHaveURL(`/tasks?status=failed&parent=${top}`);
  await expect(page.getByRole("row", { name: /fail/ }).first()).toBeVisible();
});

test("a megabyte of result is searched, unfolded, read as a table and downloaded", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("big_result");
  await agent.result(taskId);
  await page.goto(`/tasks/${taskId}`);
  const details = page.getByRole("region", { name: "Result and details" });
  const tree = details.getByRole("tree", { name: "Result" });
  await details.getByRole("searchbox", { name: "Search result" }).fill("customer-7777@");
  await expect(details.getByText("1 of 1")).toBeVisible();
  await expect(tree.locator("mark", { hasText: "customer-7777@" })).toBeInViewport();
  expect(await tree.getByRole("treeitem").count()).toBeLessThan(300);

  await details.getByRole("button", { name: "Unfold all" }).click();
  await details.getByRole("searchbox", { name: "Search result" }).fill("");
  await tree.focus();
  await page.keyboard.press("End");
  await expect(tree.getByText('"Customer 7999"')).toBeInViewport();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await expect(tree.getByRole("treeitem")).toHaveText(["{1 member}"]);

  await details.getByLabel("Show result as").selectOption({ label: "Table: rows (8,000)" });
  const table = details.getByRole("table", { name: "rows" });
  await table.getByRole("button", { name: "id", exact: true }).dblclick();
  await expect(table.getByRole("row").nth(1)).toContainText("Customer 7999");
  await details.getByRole("searchbox", { name: "Search result" }).fill("customer 4711");
  await expect(details.getByText("1 row", { exact: true })).toBeVisible();
  await table.getByRole("button", { name: "4711" }).click();
  await expect(tree.getByText('"Customer 4711"')).toBeInViewport();

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    details.getByRole("button", { name: "Download result" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${taskId}-result.json`);
});

test("a task is ended by force only after it had its time to stop", async ({ page, agent }) => {
  const taskId = await agent.start("stubborn");
  await page.goto(`/tasks/${taskId}`);
  await expect(page.getByText("I do not stop")).toBeVisible();
  await page.keyboard.press("Shift+C");
  await page.getByRole("button", { name: "Cancel the task" }).click();
  await expect(page.getByText(/^Has (59 m|1 h)/)).toBeVisible();
  await expect(page.getByRole("button", { name: /End it now/ })).toHaveCount(0);
  await setServerAhead(page, 3700);
  await page.reload();
  await page.getByRole("button", { name: "End it now…" }).click();
  await page.getByRole("button", { name: "End it now", exact: true }).click();
  await expect(page.locator("[data-status=cancelled]")).toBeVisible();
});

test("the gantt shows when the task did what, and its bars lead to the timeline", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("steps", { seconds: 0.2 });
  await agent.result(taskId);
  await page.goto(`/tasks/${taskId}`);
  await page.getByRole("button", { name: "Gantt" }).click();
  const gantt = page.getByRole("region", { name: "Gantt" });
  await expect(gantt.getByRole("button", { name: /^check totals, / })).toBeVisible();
  await gantt.locator("[data-bar][tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(gantt.getByRole("button", { name: /^fetch orders, / })).toBeFocused();
  await expect(gantt.locator("[data-details]")).toContainText(/fetch orders \d+ ms, from/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#event-3$/);
});

test("a task is printed whole, though the page shows a part of its timeline", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("log", { lines: 900 });
  await agent.result(taskId);
  await page.addInitScript(() => {
    Object.assign(window, { print: () => Object.assign(window, { printed: true }) });
  });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`/tasks/${taskId}`);
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText("Line 1");
  await page.keyboard.press("Control+p");
  await page.waitForFunction(() => "printed" in window);
  await page.emulateMedia({ media: "print" });
  const sheet = page.locator(".print-sheet");
  await expect(sheet.getByRole("row")).toHaveCount(903);
  await expect(sheet).toContainText(`${taskId}, started`);
  await expect(page.getByRole("toolbar", { name: "Timeline" })).toBeHidden();
  const look = await sheet.evaluate((element) => [
    getComputedStyle(document.body).backgroundColor,
    getComputedStyle(element).color,
  ]);
  expect(look).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(sheet).toHaveCount(0);
});
