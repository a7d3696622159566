import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { expect, type Page, test } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { TestServer } from "./test-server.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const run = promisify(execFile);
const password = "correct horse battery";

let server: TestServer;

test.beforeEach(async () => {
  server = await TestServer.start({ TOOLTHREAD_AUTH: "" });
});

test.afterEach(() => server.stop());

test.setTimeout(90_000);

/** Calls the API as the README says to. */
async function curl(path: string, key: string, body?: object) {
  const args = ["-s", "-w", "\n%{http_code}", `${server.url}/api/v1${path}`];
  if (key !== "") args.push("-H", `Authorization: Bearer ${key}`);
  if (body) args.push("-H", "content-type: application/json", "-d", JSON.stringify(body));
  const { stdout } = await run("curl", args);
  const lines = stdout.split("\n");
  return { status: Number(lines.pop()), body: JSON.parse(lines.join("\n")) };
}

async function enter(page: Page, link: string, name: string, email: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Make the account" }).click();
  await expect(page.locator("[data-connection=live]:visible")).toBeVisible();
}

async function setUp(page: Page): Promise<void> {
  const link = /http:\S+\/set-up#\S+/.exec(server.output)?.[0] ?? "no link was printed";
  await enter(page, link, "Ada", "ada@example.com");
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

test("set-up link, first key, first task with curl, signing out and in", async ({ page }) => {
  await page.goto(`${server.url}/tasks?status=failed`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expectAccessible(page);
  expect((await curl("/tasks", "")).status).toBe(401);

  await setUp(page);
  const link = /\/set-up#\S+/.exec(server.output)?.[0] as string;

  await page.getByRole("link", { name: "Agent keys" }).click();
  await page.getByLabel("Name", { exact: true }).fill("first agent");
  await page.getByRole("button", { name: "Make the key" }).click();
  const key = (await page.locator("[data-new-key]").textContent()) as string;
  expect(key).toMatch(/^tt_/);
  await expectAccessible(page);

  const started = await curl("/tasks", key, { type: "ask", params: { what: "one" } });
  expect(started.status).toBe(201);
  const { taskId } = started.body;
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await page.getByRole("button", { name: "yes" }).click();
  // It can be undone for a few seconds before it is sent.
  const poll = () => curl(`/tasks/${taskId}/poll?waitFor=input_or_result&timeout=20`, key);
  await expect
    .poll(async () => (await poll()).body.result?.result, { timeout: 20_000 })
    .toMatchObject([{ answer: "yes" }]);

  await page.getByRole("link", { name: "Agent keys" }).click();
  await expect(page.locator("[data-new-key]")).toHaveCount(0);
  const row = page.locator("[data-key]");
  await expect(row).toContainText("used");
  await row.getByRole("button", { name: "Revoke…" }).click();
  await row.getByRole("button", { name: "Revoke it now" }).click();
  await expect(row).toContainText("revoked");
  expect((await curl("/tasks", key)).status).toBe(401);

  // Whichever of the tabs has the stream, all of them hear of it, and say so.
  const others = [await page.context().newPage(), await page.context().newPage()];
  for (const other of others) {
    await other.goto(`${server.url}/tasks`);
    await expect(other.locator("[data-connection=live]:visible")).toBeVisible();
  }
  // Here it is wanted, and said by nothing: also when the page hears of the end before the answer.
  await page.route("**/api/auth/sign-out", async (route) => {
    const hears = page.waitForResponse(
      (answer) => answer.url().endsWith("/api/session") && answer.status() === 401,
    );
    const response = await route.fetch();
    await hears;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  for (const other of others) {
    await expect(other.getByText("Your session has ended.")).toBeVisible({ timeout: 15_000 });
    await expect(other).toHaveURL(/next=%2Ftasks/);
    await other.close();
  }
  await page.goto(`${server.url}/tasks`);
  await expect(page).toHaveURL(/\/sign-in\?next=%2Ftasks$/);
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "is wrong" })).toBeVisible();
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tasks$/);
  await expect(page.locator("[data-connection=live]:visible")).toBeVisible();

  await page.goto(`${server.url}${link}`);
  await expect(page.getByRole("heading", { name: "This link does not work" })).toBeVisible();
});

test("an invited viewer sees, and may no more; a rule shuts a type off", async ({
  page,
  browser,
}) => {
  await setUp(page);
  await page.getByRole("link", { name: "People" }).click();
  const invite = page.getByRole("region", { name: "Invite somebody" });
  await invite.getByLabel("Role").selectOption("viewer");
  await invite.getByLabel("Groups").fill("ops, night shift");
  await invite.getByRole("button", { name: "Make a link" }).click();
  const link = (await page.locator("[data-invite-link]").textContent()) as string;
  await expectAccessible(page);

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  await enter(phone, link, "Grace", "grace@example.com");
  await expect(phone.getByRole("link", { name: "People" })).toHaveCount(0);
  await phone
    .getByRole("link", { name: "Your account" })
    .or(phone.getByTitle("Your account"))
    .first()
    .click();
  await expect(phone.getByText("ops, night shift")).toBeVisible();
  await expectAccessible(phone);

  await page.reload();
  const grace = page.locator('[data-person="grace@example.com"]');
  await expect(grace.getByLabel("Groups")).toHaveValue("ops, night shift");
  await page.getByRole("link", { name: "Settings" }).click();
  const rule = page.locator("[data-rule=deploy]");
  await rule.getByLabel("See").fill("finance, admin");
  await rule.getByRole("button", { name: "Save" }).click();
  await expect(rule).toContainText("set here");
  await expectAccessible(page);
  await expect(phone.getByRole("link", { name: "Start a task" })).toHaveCount(0);
  await phone.goto(`${server.url}/tasks`);
  const types = phone.getByLabel("Type", { exact: true });
  await expect(types).toContainText("analyze_logs");
  await expect(types).not.toContainText("deploy");

  await page.getByRole("link", { name: "People" }).click();
  await grace.getByRole("button", { name: "Shut out" }).click();
  await expect(phone).toHaveURL(/\/sign-in/, { timeout: 15_000 });
  await context.close();
});
