import { readFileSync } from "node:fs";
import { expect, test } from "./dashboard-test.ts";

const token = "tok-5f1c0a97e3b24d";
const pin = "pin-77120034411";

test("a secret parameter and a secret answer: masked, kept nowhere, never shown again", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/api/")) sent.push(await response.text().catch(() => ""));
  });
  await page.goto("/start?type=login");
  const field = page.getByLabel("Token");
  await expect(field).toHaveAttribute("type", "password");
  await expect(field).toHaveAttribute("autocomplete", "new-password");
  await field.fill("short");
  await page.getByRole("button", { name: "Start the task" }).click();
  await expect(page.getByText("expected string to have >=8 characters")).toBeVisible();
  await field.fill(token);
  await page.getByLabel("host").fill("imap.example.com");
  await page.waitForTimeout(400);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("imap");
  await page.getByRole("button", { name: "Start the task" }).click();

  await expect(page).toHaveURL(/\/tasks\/task_/);
  const taskId = page.url().split("/").at(-1) as string;
  const answer = page.getByLabel("Your answer, a secret");
  await expect(answer).toHaveAttribute("type", "password");
  await expect(page.getByText("stored encrypted and not shown again")).toBeVisible();
  await answer.fill(pin);
  await page.reload();
  await expect(answer).toHaveValue("");
  await answer.fill(pin);
  await answer.press("Enter");
  await expect(page.getByText("Signing in with ••• and •••")).toBeVisible();
  await expect(page.getByText(String(pin.length), { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("Signing in with ••• and •••")).toBeVisible();
  const html = await page.content();
  for (const secret of [token, pin]) {
    expect(html).not.toContain(secret);
    expect(sent.join()).not.toContain(secret);
  }

  await page.goto(`/audit?task=${taskId}`);
  const rows = page.locator("[data-audit]");
  await expect(rows.filter({ hasText: "answered a question" })).toContainText("answer •••");
  await expect(rows.filter({ hasText: "started a task" })).toContainText('"token":"•••"');
  expect(await page.content()).not.toContain(token);
});

test("the audit log: new entries appear, filters narrow, details open, an export is saved", async ({
  page,
  agent,
}) => {
  const first = await agent.start("ask", { what: "one" });
  await page.goto("/audit");
  const rows = page.locator("[data-audit]");
  await expect(rows.first()).toContainText("started a task");
  const second = await agent.start("steps");
  await expect(rows.first().getByRole("link")).toHaveAttribute("href", `/tasks/${second}`, {
    timeout: 15_000,
  });
  await agent.cancel(first, "changed our minds");

  await page.getByRole("searchbox", { name: "Task" }).fill(first);
  await expect(page).toHaveURL(new RegExp(`task=${first}`));
  await expect(rows).toHaveCount(2);
  await page.getByRole("combobox", { name: "What" }).selectOption("cancelled a task");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("changed our minds");
  await rows.getByRole("button", { name: /^Details/ }).click();
  await expect(page.getByText("agent local")).toBeVisible();

  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^toolthread-audit-\d+\.csv$/);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("changed our minds");

  await page.getByLabel("From").fill("2100-01-01");
  await expect(page.getByText("No entry fits")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(rows.first()).toContainText("exported this log", { timeout: 15_000 });
  await page.getByLabel("Who").fill("nobody at all");
  await expect(page.getByText("No entry fits")).toBeVisible();
});
