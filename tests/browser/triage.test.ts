import type { Page } from "@playwright/test";
import type { ApiAgent } from "./api-agent.ts";
import { expect, test } from "./dashboard-test.ts";
import { setServerAhead } from "./server-ahead.ts";

/** `npm run test:triage` sets a thousand. */
const questions = Number(process.env.TRIAGE_QUESTIONS ?? 70);

async function withUndo(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (origin !== "null") localStorage.setItem("toolthread.undo-answers", "on");
  });
}

async function ask(agent: ApiAgent, what: string, count: number): Promise<string[]> {
  const started: string[] = [];
  while (started.length < count) {
    const some = Math.min(20, count - started.length);
    started.push(
      ...(await Promise.all(
        Array.from({ length: some }, () => agent.start("ask", { what, timeout: 36_000 })),
      )),
    );
  }
  await Promise.all(started.slice(-20).map((taskId) => agent.question(taskId)));
  return started;
}

const chosenRow = (page: Page) => page.locator("[data-row]:has([aria-current])");

test(`${questions} questions are triaged by keyboard alone`, async ({ page, agent }) => {
  test.setTimeout(60_000 + questions * 500);
  const taskIds = await ask(agent, "yes_no", questions);
  await withUndo(page);
  await page.goto("/");
  await expect(page.getByText(`${questions} open, most pressing first`)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Yes/ })).toBeVisible();
  // Only what is in view exists, however many there are.
  await expect.poll(() => page.locator("[data-row]").count()).toBeLessThan(50);

  // Past one, and back to it.
  const first = await chosenRow(page).getAttribute("data-row");
  await page.keyboard.press("j");
  await expect(chosenRow(page)).not.toHaveAttribute("data-row", first ?? "");
  await page.keyboard.press("k");
  await expect(chosenRow(page)).toHaveAttribute("data-row", first ?? "");
  // The first answer is wrong, and taken back.
  await page.keyboard.press("2");
  await expect(chosenRow(page)).not.toHaveAttribute("data-row", first ?? "");
  await expect(page.getByText("Sent in a few seconds")).toBeVisible();
  await page.keyboard.press("u");
  await expect(chosenRow(page)).toHaveAttribute("data-row", first ?? "");

  for (let at = 0; at < questions; at++) {
    const row = await chosenRow(page).getAttribute("data-row");
    await page.keyboard.press("1");
    if (at < questions - 1) {
      // Looked for at every frame: a thousand times a tenth of a second would be most of the test.
      await page.waitForFunction((before) => {
        const chosen = document.querySelector<HTMLElement>("[data-row]:has([aria-current])");
        return chosen !== null && chosen.dataset.row !== before;
      }, row);
    }
  }
  await expect(page).toHaveTitle("Inbox · toolthread", { timeout: 30_000 });
  const results = await Promise.all(taskIds.slice(0, 50).map((taskId) => agent.result(taskId)));
  for (const { result } of results) expect(result).toMatchObject([{ answer: true }]);
});

test("an answer can be taken back, survives a change of page, and goes out when the page is left", async ({
  page,
  agent,
}) => {
  const [first, second] = (await ask(agent, "one", 2)) as [string, string];
  await withUndo(page);
  await page.goto("/");
  await page.getByRole("button", { name: "yes" }).click();
  const notice = page.getByRole("listitem").filter({ hasText: "Answer: yes" });
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: /Undo/ }).click();
  await expect(page.locator("[data-row][data-outcome=open]")).toHaveCount(2);
  for (const id of [first, second]) expect((await agent.question(id)).outcome).toBeNull();

  await page.getByRole("button", { name: "yes" }).click();
  await page.locator("aside").getByRole("link", { name: "Tasks" }).click();
  await expect(page).toHaveURL("/tasks");
  await expect(notice).toBeVisible();
  const firstDone = await Promise.race(
    [first, second].map(async (id) => {
      await agent.result(id);
      return id;
    }),
  );

  await page.goto("/");
  await page.getByRole("button", { name: "no", exact: true }).click();
  await expect(page.locator("[data-outcome=pending]")).toHaveCount(1);
  await page.goto("about:blank");
  const other = firstDone === first ? second : first;
  expect((await agent.result(other)).result).toMatchObject([{ answer: "no" }]);
});

test("what the server refuses stands at its field before anything is held back", async ({
  page,
  agent,
}) => {
  await agent.question(await agent.start("ask", { what: "form" }));
  await withUndo(page);
  await page.goto("/");
  const card = page.locator("[data-question]");
  const name = card.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("ab");
  await card.getByRole("textbox", { name: "How many" }).fill("3");
  await card.getByRole("combobox", { name: "Colour" }).selectOption("Green");
  await card.getByRole("textbox", { name: "street" }).fill("Lindenweg");
  await name.press("Control+Enter");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("[data-outcome=pending]")).toHaveCount(0);
  await name.fill("Ada");
  await name.press("Control+Enter");
  await expect(page.locator("[data-outcome=pending]")).toHaveCount(1);
});

test("alike questions are answered together, after a look at what each gets", async ({
  page,
  agent,
}) => {
  const alike = await ask(agent, "yes_no", 4);
  await agent.question(await agent.start("ask", { what: "text", timeout: 60_000 }));
  await page.goto("/");
  await expect(page.locator("[data-row]")).toHaveCount(5);
  await expect(page.getByRole("button", { name: /^Yes/ })).toBeVisible();
  await page.keyboard.press("x");
  await expect(page.getByText("1 question selected")).toBeVisible();
  await page.keyboard.press("Shift+X");
  await expect(page.getByText("4 questions selected")).toBeVisible();
  // One of them is answered by an agent meanwhile, and leaves the others alone.
  const { questionId } = await agent.question(alike[3] as string);
  await agent.answer(questionId, false);
  await expect(page.getByText("3 questions selected")).toBeVisible();
  await page.keyboard.press("1");
  const preview = page.getByRole("region", { name: "What each of them gets" });
  await expect(preview.getByRole("listitem").filter({ hasText: "→ true" })).toHaveCount(3);
  await page.keyboard.press("Control+Enter");
  for (const taskId of alike.slice(0, 3)) {
    expect((await agent.result(taskId)).result).toMatchObject([{ answer: true }]);
  }
  await expect(page.locator("[data-row][data-outcome=answered]")).toHaveCount(4);
});

test("several are declined together, and a link to one of them says so, also when nothing is open", async ({
  page,
  agent,
}) => {
  const taskIds = await ask(agent, "one", 3);
  const { questionId } = await agent.question(taskIds[0] as string);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+X");
  await expect(page.getByText("3 questions selected")).toBeVisible();
  await page.keyboard.press("d");
  await page.getByRole("textbox", { name: /Why do you decline/ }).fill("Not this week");
  await page.keyboard.press("Control+Enter");
  const preview = page.getByRole("region", { name: "What each of them gets" });
  await expect(preview.getByText("→ Declined: Not this week")).toHaveCount(3);
  await page.keyboard.press("Control+Enter");
  for (const taskId of taskIds) {
    const declined = { outcome: "declined", declineReason: "Not this week" };
    expect((await agent.result(taskId)).result).toMatchObject([declined]);
  }

  await page.goto(`/?question=${questionId}`);
  const card = page.locator(`[data-question=${questionId}]`);
  await expect(card).toContainText("Not this week");
  await expect(card).toContainText(/Declined by .+ in the dashboard/);
  await expect(card.getByRole("link", { name: "ask" })).toBeVisible();
  await page.goto("/?question=q_unknown");
  await page.getByRole("button", { name: "See the open ones" }).click();
  await expect(page).toHaveURL("/");
});

test("a claim ends on everybody’s screen by itself", async ({ page, agent }) => {
  await ask(agent, "one", 2);
  await page.goto("/");
  const rows = page.locator("[data-row]");
  await page.getByRole("button", { name: "I’m on it" }).click();
  await expect(rows.first()).toContainText("is on it");
  // Ten minutes less a second later: it ends while the page is there, or has ended when it comes.
  await setServerAhead(page, 599);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(page.getByText("is on it")).toHaveCount(0);
});

test("two operators: a claim is seen by the other, one answer wins, what was typed is kept", async ({
  page,
  browser,
  server,
  agent,
}) => {
  const [taskId] = (await ask(agent, "text", 1)) as [string];
  const context = await browser.newContext({ baseURL: server.url });
  const other = await context.newPage();
  await Promise.all([page.goto("/"), other.goto("/")]);
  const box = page.getByRole("textbox", { name: "Your answer" });
  const othersBox = other.getByRole("textbox", { name: "Your answer" });
  await page.getByRole("button", { name: "I’m on it" }).click();
  await expect(page.getByText("You are on it")).toBeVisible();
  await expect(other.locator("[data-question]")).toContainText("on it");

  await othersBox.fill("Let me think about");
  await box.fill("Monday");
  await box.press("Control+Enter");
  const card = other.locator("[data-question]");
  await expect(card).toContainText(/Answered by .+ in the dashboard/, { timeout: 1000 });
  await expect(othersBox).toHaveCount(0);
  await expect(card).toContainText("What you had typed");
  await expect(card).toContainText("Let me think about");
  await expect(page.locator("[data-question]")).toContainText(/Answered by .+ in the dashboard/);
  expect((await agent.result(taskId)).result).toMatchObject([{ answer: "Monday" }]);
  await context.close();
});

test("a question that was cancelled has no live control left, in the list and beside it", async ({
  page,
  agent,
}) => {
  const [taskId] = (await ask(agent, "one", 1)) as [string];
  await page.goto("/");
  await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
  await agent.cancel(taskId);
  await expect(page.getByRole("button", { name: "yes" })).toHaveCount(0, { timeout: 1000 });
  await expect(page.locator("[data-row]")).toHaveAttribute("data-outcome", "cancelled");
  await page.keyboard.press("1");
  await expect(page.locator("[data-question]")).toContainText("Closed");
});
