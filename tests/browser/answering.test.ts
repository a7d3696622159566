import { expect, test } from "./dashboard-test.ts";

test("one of several choices is a button, which answers", async ({ page, agent }) => {
  await page.goto("/");
  const taskId = await agent.start("ask", { what: "one" });
  const card = page.locator("[data-question]");
  await expect(card).toContainText("Proceed with the release?");
  await card.getByRole("button", { name: "yes" }).click();
  await expect(card).toContainText(/Answered by .+ in the dashboard after/);
  await expect(card.getByRole("button", { name: "yes" })).toHaveCount(0);
  expect((await agent.result(taskId)).result).toMatchObject([
    { outcome: "answered", answer: "yes" },
  ]);
});

test("many choices: select all, take one out, send", async ({ page, agent }) => {
  const taskId = await agent.start("ask", { what: "many" });
  await page.goto("/");
  const card = page.locator("[data-question]");
  await card.getByRole("checkbox", { name: /Select all/ }).check();
  await card.getByRole("checkbox", { name: /US-EAST/ }).uncheck();
  await card.getByRole("button", { name: "Send 3 of 4" }).click();
  expect((await agent.result(taskId)).result).toMatchObject([
    { answer: ["eu-west", "eu-north", "us-west"] },
  ]);
});

test("free text: a draft survives a reload, Escape keeps it, Ctrl+Enter sends it", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("ask", { what: "text" });
  await page.goto("/");
  const box = page.getByRole("textbox", { name: "Your answer" });
  await box.fill("We ship on Monday. 🎉");
  await box.press("Escape");
  await page.reload();
  await expect(box).toHaveValue("We ship on Monday. 🎉");
  await box.press("Control+Enter");
  expect((await agent.result(taskId)).result).toMatchObject([{ answer: "We ship on Monday. 🎉" }]);
  await page.reload();
  await expect(page.getByText("Nobody waits for you")).toBeVisible();
});

test("a schema is a form: what is missing and what the server refuses stands at its field", async ({
  page,
  agent,
}) => {
  const taskId = await agent.start("ask", { what: "form" });
  await page.goto("/");
  const card = page.locator("[data-question]");
  const send = card.getByRole("button", { name: "Send answer" });
  await send.click();
  await expect(card.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await expect(card.getByText("This is required.")).toHaveCount(4);

  await card.getByRole("textbox", { name: "Name", exact: true }).fill("ab");
  await card.getByRole("textbox", { name: "How many" }).fill("12");
  await card.getByRole("combobox", { name: "Colour" }).selectOption("Green");
  await card.getByRole("textbox", { name: "street" }).fill("Lindenweg");
  await card.getByRole("textbox", { name: "A name with a dot" }).fill("dots are fine");
  await card.getByRole("button", { name: "Add an item" }).click();
  await card.getByRole("textbox", { name: "Item 1" }).fill("vip");
  await send.click();
  const name = card.getByRole("textbox", { name: "Name", exact: true });
  await expect(name).toHaveAttribute("aria-invalid", "true");
  const about = (await name.getAttribute("aria-describedby"))?.split(" ").at(-1);
  await expect(page.locator(`[id="${about}"]`)).toContainText("3");
  await expect(card.getByRole("textbox", { name: "How many" })).toHaveAttribute(
    "aria-invalid",
    "true",
  );

  await name.fill("Ada");
  await card.getByRole("textbox", { name: "How many" }).fill("3");
  await card.getByRole("combobox", { name: "Urgent" }).selectOption("Yes");
  await send.click();
  expect((await agent.result(taskId)).result).toMatchObject([
    {
      answer: {
        name: "Ada",
        count: 3,
        urgent: true,
        colour: "green",
        tags: ["vip"],
        "odd.name": "dots are fine",
        address: { street: "Lindenweg" },
      },
    },
  ]);
});

test("a form can be edited as JSON and back", async ({ page, agent }) => {
  const taskId = await agent.start("ask", { what: "form" });
  await page.goto("/");
  const card = page.locator("[data-question]");
  await card.getByRole("textbox", { name: "Name", exact: true }).fill("Grace");
  await card.getByRole("button", { name: "Edit as JSON" }).click();
  const editor = card.getByRole("textbox", { name: "JSON" });
  await editor.fill('{"name": "Grace", "count": 2,');
  await card.getByRole("button", { name: "Send answer" }).click();
  await expect(card.getByText("This is not JSON")).toBeVisible();
  await editor.fill(
    '{"name": "Grace", "count": 2, "colour": "red", "address": {"street": "Hauptstr."}}',
  );
  await card.getByRole("button", { name: "Back to the form" }).click();
  await expect(card.getByRole("textbox", { name: "street" })).toHaveValue("Hauptstr.");
  await card.getByRole("button", { name: "Send answer" }).click();
  expect((await agent.result(taskId)).result).toMatchObject([
    { answer: { count: 2, colour: "red" } },
  ]);
});

test("yes or no", async ({ page, agent }) => {
  const taskId = await agent.start("ask", { what: "yes_no" });
  await page.goto("/");
  await page.getByRole("button", { name: "No", exact: true }).click();
  expect((await agent.result(taskId)).result).toMatchObject([{ answer: false }]);
});

test("declining, with a reason the agent gets", async ({ page, agent }) => {
  const taskId = await agent.start("ask", { what: "one" });
  await page.goto("/");
  await page.getByRole("button", { name: "Decline…" }).click();
  await page.getByRole("textbox", { name: /Why do you decline/ }).fill("Not before the audit");
  await page.getByRole("button", { name: "Decline to answer" }).click();
  await expect(page.locator("[data-question]")).toContainText("Not before the audit");
  expect((await agent.result(taskId)).result).toMatchObject([
    { outcome: "declined", declineReason: "Not before the audit" },
  ]);
});

test("two people on one question: one wins, the other sees at once who it was", async ({
  page,
  context,
  agent,
}) => {
  const taskId = await agent.start("ask", { what: "one" });
  const other = await context.newPage();
  await Promise.all([page.goto("/"), other.goto(`/tasks/${taskId}`)]);
  await expect(other.getByRole("button", { name: "no", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "yes" }).click();
  const card = other.locator("[data-question]");
  await expect(card).toContainText(/Answered by .+ in the dashboard/, { timeout: 1000 });
  await expect(card.getByRole("button", { name: "no", exact: true })).toHaveCount(0);
  await expect(other.locator("[data-status=completed]")).toBeVisible();
});

test("an agent was first", async ({ page, agent }) => {
  const taskId = await agent.start("ask", { what: "one" });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
  const { questionId } = await agent.question(taskId);
  await agent.answer(questionId, "no");
  const card = page.locator("[data-question]");
  await expect(card).toContainText(/Answered by .+ over REST/, { timeout: 1000 });
  await expect(card.getByRole("button", { name: "yes" })).toHaveCount(0);
});

test("the deadline was first, and the default is used", async ({ page, agent }) => {
  await agent.start("ask", { what: "fallback", timeout: 3 });
  await page.goto("/");
  const card = page.locator("[data-question]");
  await expect(card).toContainText("At the deadline, the default is used: slow.");
  await expect(card.getByText(/\d s left/)).toBeVisible();
  await expect(card).toContainText(/Timed out after .+; the default was used/);
  await expect(card.getByRole("button", { name: "fast" })).toHaveCount(0);
});

test("a question counts as seen only once it is on the screen", async ({ page, agent }) => {
  await page.goto("/tasks");
  const taskId = await agent.start("ask", { what: "one" });
  await expect(page.locator(`[data-task=${taskId}]`)).toContainText("1 question");
  expect((await agent.question(taskId)).firstSeenAt).toBeNull();
  await page.goto("/");
  await expect.poll(async () => (await agent.question(taskId)).firstSeenAt).not.toBeNull();
});

test("the soonest deadline comes first, and what comes in does not move what is read", async ({
  page,
  agent,
}) => {
  await agent.question(await agent.start("ask", { what: "text", timeout: 900 }));
  await agent.question(await agent.start("ask", { what: "one", timeout: 600 }));
  await page.goto("/");
  const rows = page.locator("[data-row]");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("Proceed with the release?");
  await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
  await agent.question(await agent.start("ask", { what: "yes_no", timeout: 300 }));
  await agent.question(await agent.start("ask", { what: "many", timeout: 1200 }));
  // Below what is read it takes its place; above it waits to be let in.
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText("Proceed with the release?");
  await page.getByRole("button", { name: "1 more pressing question" }).click();
  await expect(rows.first()).toContainText("Is the invoice correct?");
  await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
});
