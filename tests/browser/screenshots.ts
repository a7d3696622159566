/**
 * `npm run screenshots`: PNGs of every page, light and dark, from phone to wide screen, with no data
 * and with a busy day's, into test-results/screenshots. They are there to be looked at.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { ensureChromium } from "../support/chromium.ts";
import { ApiAgent } from "./api-agent.ts";
import buildWhenStale from "./build-when-stale.ts";
import { fillWithRealisticData } from "./realistic-data.ts";
import { TestServer } from "./test-server.ts";

const folder = join(import.meta.dirname, "../../test-results/screenshots");
const widths = [390, 1280, 2560];
const heights: Record<number, number> = { 390: 844, 1280: 860, 2560: 1300 };

async function shoot(browser: Browser, baseURL: string, pages: Record<string, string>) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of widths) {
      const viewport = { width, height: heights[width] ?? 900 };
      const context = await browser.newContext({ baseURL, colorScheme, viewport });
      const page = await context.newPage();
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(path);
        await page.waitForSelector("[data-connection=live]:visible");
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
      }
      await context.close();
    }
  }
}

mkdirSync(folder, { recursive: true });
buildWhenStale();
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
const server = await TestServer.start();
try {
  await shoot(browser, server.url, {
    "empty-inbox": "/",
    "empty-tasks": "/tasks",
    "empty-overview": "/overview",
    start: "/start",
    audit: "/audit",
    notifications: "/notifications",
    "start-form": "/start?type=analyze_logs",
    "unknown-task": "/tasks/task_unknown",
  });
  const data = await fillWithRealisticData(new ApiAgent(server.url));
  await shoot(browser, server.url, {
    inbox: "/",
    tasks: "/tasks",
    overview: "/overview?range=1h",
    "task-waiting": `/tasks/${data.waitingTaskId}`,
    "task-completed": `/tasks/${data.completedTaskId}`,
    "task-failed": `/tasks/${data.failedTaskId}`,
    "task-running": `/tasks/${data.runningTaskId}`,
  });
  console.log(`Screenshots are in ${folder}`);
} finally {
  await browser.close();
  await server.stop();
}
