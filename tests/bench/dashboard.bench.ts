/**
 * The dashboard in a real browser: how long it takes from the commit of an event until it is on the
 * screen, how the page of a task with 200 events a second runs, and Lighthouse's scores of an inbox
 * with a question in it, where nobody signs in and signed in.
 *
 *     npm run bench:dashboard
 *     npm run bench:dashboard -- --only latency      or burst, or lighthouse
 */
import { parseArgs } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import type { TaskEvent } from "../../server/core/task-event.ts";
import { ApiAgent } from "../browser/api-agent.ts";
import buildWhenStale from "../browser/build-when-stale.ts";
import { traceMainThread } from "../browser/main-thread.ts";
import { TestServer } from "../browser/test-server.ts";
import { ensureChromium } from "../support/chromium.ts";
import { lighthouseScores } from "./lighthouse-scores.ts";
import { seenRows, watchRows } from "./live-latency.ts";

const goalMillis = 100;
const { values } = parseArgs({ options: { only: { type: "string" } } });
const isWanted = (part: string) => values.only === undefined || values.only === part;
const print = (line: string) => process.stdout.write(`${line}\n`);

async function events(baseUrl: string, taskId: string): Promise<TaskEvent[]> {
  const response = await fetch(`${baseUrl}/api/v1/tasks/${taskId}/timeline?format=json`);
  const timeline = (await response.json()) as TaskEvent[] | { events: TaskEvent[] };
  return Array.isArray(timeline) ? timeline : timeline.events;
}

/** tsx names functions by a helper of its own, which a page does not have. */
async function newPage(browser: Browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript("globalThis.__name = (named) => named");
  return page;
}

async function latency(browser: Browser, server: TestServer, perSecond: number, updates: number) {
  const agent = new ApiAgent(server.url);
  const page = await newPage(browser);
  const taskId = await agent.start("burst", { updates, perSecond });
  await page.goto(`${server.url}/tasks/${taskId}`);
  await page.locator("[data-connection=live]:visible").waitFor();
  await watchRows(page);
  const since = Date.now();
  await page.locator("[data-status=completed]").waitFor({ timeout: 120_000 });
  await page.waitForTimeout(500);
  const seenAt = await seenRows(page);
  const took = (await events(server.url, taskId))
    .filter(({ at, seq }) => Date.parse(at) > since && seenAt[seq] !== undefined)
    .map(({ at, seq }) => (seenAt[seq] ?? 0) - Date.parse(at))
    .sort((a, b) => a - b);
  await page.close();
  const at = (part: number) => took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0;
  print(
    `Commit to screen at ${perSecond} events/s, ${took.length} of ${updates} events: ` +
      `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, most ${at(1).toFixed(0)} ms ` +
      `(goal: p95 ${goalMillis} ms${at(0.95) > goalMillis ? ", MISSED" : ""})`,
  );
}

async function burst(browser: Browser, server: TestServer) {
  const page = await newPage(browser);
  const agent = new ApiAgent(server.url);
  const taskId = await agent.start("burst", { updates: 3000, perSecond: 200 });
  await page.goto(`${server.url}/tasks/${taskId}`);
  await page.locator("[data-seq='9']").waitFor();
  const { longTasks, framesPerSecond } = await traceMainThread(browser, page, () =>
    page.locator("[data-status=completed]").waitFor({ timeout: 60_000 }),
  );
  const long = longTasks.map((millis) => `${millis.toFixed(0)} ms`).join(", ") || "none";
  print(
    `200 events/s on one page: ${framesPerSecond.toFixed(0)} frames/s; tasks over 50 ms: ${long}`,
  );
  await page.close();
}

async function scores() {
  const open = await TestServer.start();
  const agent = new ApiAgent(open.url);
  await agent.question(await agent.start("ask", { what: "one" }));
  for (const line of await lighthouseScores("inbox", open.url)) print(line);
  await open.stop();

  const closed = await TestServer.start({ TOOLTHREAD_AUTH: "sign-in" });
  const link = /http:\S+\/set-up#\S+/.exec(closed.output)?.[0] ?? "no link was printed";
  const password = "correct horse battery";
  const lines = await lighthouseScores("inbox, signed in", closed.url, async (page, round) => {
    await page.goto(round === 0 ? link : `${closed.url}/sign-in`);
    if (round === 0) await page.getByLabel("Name", { exact: true }).fill("Ada");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: /^(Make the account|Sign in)$/ }).click();
    await page.locator("[data-connection=live]:visible").waitFor();
    if (round > 0) return;
    await page.evaluate(async () => {
      await fetch("/api/trpc/tasks.start", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ type: "ask", params: { what: "one" } }),
      });
    });
    await page.getByText("Proceed with the release?").first().waitFor();
  });
  for (const line of lines) print(line);
  await closed.stop();
}

buildWhenStale();
if (isWanted("latency") || isWanted("burst")) {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const server = await TestServer.start();
  if (isWanted("latency")) await latency(browser, server, 7, 150);
  if (isWanted("latency")) await latency(browser, server, 200, 2000);
  if (isWanted("burst")) await burst(browser, server);
  await browser.close();
  await server.stop();
}
if (isWanted("lighthouse")) await scores();
