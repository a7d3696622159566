import type { ApiAgent } from "./api-agent.ts";
import { expect, test } from "./dashboard-test.ts";

const options = { timeout: 3600 };

/** What another person says, at another machine. */
async function secondPerson(agent: ApiAgent, taskId: string, answer: object): Promise<void> {
  const { questionId } = await agent.question(taskId);
  await agent.result(await agent.start("second_person", { questionId, answer }));
}

test("an approval shows the action and all of its arguments; a yes lets the task go on", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("approve", { options });
  await page.goto("/");
  const card = page.locator("[data-question]");
  await expect(card.getByRole("heading", { name: "Action: transfer_money" })).toBeVisible();
  const shown = (await card.locator("pre").textContent()) ?? "";
  const asked = await agent.question(taskId);
  expect(JSON.parse(shown)).toEqual(asked.approval?.args);
  await expect(card.getByRole("button", { name: "Edit arguments…" })).toHaveCount(0);
  await card.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(card).toContainText(/Approved by .+ after/);
  expect((await agent.result(taskId)).result).toEqual([asked.approval?.args]);
  await page.goto(`/tasks/${taskId}`);
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText(/Approved by/);
});

test("what cannot be seen in the arguments is written out", async ({ page, agent }) => {
  const reference = "pay \u202e000,1 EUR\u200b";
  await agent.start("approve", { times: [{ reference }], options });
  await page.goto("/");
  const text = await page.locator("[data-question] pre").textContent();
  expect(text).toContain(String.raw`"pay \u202e000,1 EUR\u200b"`);
  expect(text).not.toContain("\u202e");
});

test("a decline says why, and ends it", async ({ page, agent }) => {
  const taskId = await agent.start("approve", { options });
  await page.goto(`/tasks/${taskId}`);
  const card = page.locator("[data-question]");
  await card.getByRole("button", { name: "Decline…" }).click();
  await card.getByRole("textbox").fill("The invoice is paid already");
  await card.getByRole("button", { name: "Decline to answer" }).click();
  expect((await agent.result(taskId)).result).toEqual([
    expect.stringContaining("The invoice is paid already"),
  ]);
});

test("arguments are edited as JSON: what is none stays, a draft outlives a reload", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("approve", { options: { ...options, allowEdit: true } });
  await page.goto("/");
  const card = page.locator("[data-question]");
  const edit = card.getByRole("button", { name: "Edit arguments…" });
  const box = card.getByRole("textbox", { name: /Arguments to approve instead/ });
  const send = card.getByRole("button", { name: "Approve these arguments" });
  await edit.click();
  await expect(box).toBeFocused();
  const asked = JSON.parse(await box.inputValue());
  await box.fill("{ amount: 300 }");
  await send.click();
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await expect(card.getByRole("alert")).toContainText("This is not JSON");
  await box.fill(JSON.stringify({ ...asked, amount: 300 }));
  await page.reload();
  await edit.click();
  await expect(box).toHaveValue(JSON.stringify({ ...asked, amount: 300 }));
  await send.click();
  await expect(card).toContainText("transfer_money, with arguments edited by");
  expect((await agent.result(taskId)).result).toEqual([{ ...asked, amount: 300 }]);
});

test("two people: who has approved is shown, an edit begins anew and says so", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("approve", {
    options: { ...options, allowEdit: true, approvals: 2 },
  });
  await page.goto(`/tasks/${taskId}`);
  const card = page.locator("[data-question]");
  const approve = card.getByRole("button", { name: "Approve", exact: true });
  await expect(card).toContainText("0 of 2 people have approved");
  await approve.click();
  await expect(card).toContainText("1 of 2 people have approved");
  await expect(card).toContainText("You have approved. 1 more person has to.");
  await expect(approve).toHaveCount(0);

  const asked = await agent.question(taskId);
  const args = { ...(asked.approval?.args as object), amount: 1100 };
  await secondPerson(agent, taskId, { approve: true, args });
  await expect(card).toContainText("Edited by Ben");
  await expect(card.getByRole("region", { name: /Edited by Ben/ })).toContainText(
    /amount.*before: 1200.*now: 1100/s,
  );
  await expect(card.getByRole("list", { name: "Approved by" })).toContainText("Ben");
  await expect(card).toContainText("1 of 2 people have approved these arguments");
  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect(timeline).toContainText("Edited and approved by Ben");
  await expect(timeline).toContainText("The approval before the edit no longer counts.");

  await approve.click();
  expect((await agent.result(taskId)).result).toEqual([args]);
  await expect(timeline).toContainText("transfer_money, with arguments edited by Ben");
});

test("asked again with other arguments, the card shows what changed since the last time", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("approve", {
    times: [{}, { amount: 9000, reference: ["invoice 4711", "tip", "invoice 4712"] }],
    options,
  });
  await page.goto(`/tasks/${taskId}`);
  const card = page.locator("article[data-question]");
  await card.getByRole("button", { name: "Approve", exact: true }).click();
  const changes = card.getByRole("region", {
    name: /Since the last time, approved by .+, in this task/,
  });
  await expect(changes.getByRole("listitem")).toHaveText([
    /^amount.*before: 1200.*now: 9000$/s,
    /^reference\[1\].*now: "tip"$/s,
  ]);
});

test("the keyboard alone reads the arguments and approves", async ({ page, agent }) => {
  const taskId = await agent.start("approve", { options });
  await page.goto("/");
  const card = page.locator("[data-question]");
  await expect(card.getByRole("button", { name: "Approve", exact: true })).toBeVisible();
  const passed: (string | undefined)[] = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => [
      document.activeElement?.tagName,
      document.activeElement?.textContent ?? "",
    ]);
    passed.push(focus[0]);
    if (focus[1] === "Approve") break;
  }
  expect(passed).toContain("PRE");
  await page.keyboard.press("Enter");
  expect((await agent.result(taskId)).status).toBe("completed");
});
