import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { Locator, Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import type { ApiAgent } from "./api-agent.ts";
import { expect, test } from "./dashboard-test.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Every page, each with something on it. */
async function everyPage(agent: ApiAgent): Promise<string[]> {
  const waiting = await agent.start("ask", { what: "form" });
  await agent.question(waiting);
  for (const what of ["one", "many", "text", "long", "context"]) {
    await agent.question(await agent.start("ask", { what }));
  }
  const options = { approvals: 2, allowEdit: true };
  await agent.question(await agent.start("approve", { options }));
  const failed = await agent.start("fail");
  const done = await agent.start("steps");
  const running = await agent.start("work", { total: 5000 });
  const large = await agent.start("big_result");
  const family = await agent.start("family");
  await Promise.all([failed, done, large].map((taskId) => agent.result(taskId)));
  await agent.question(family);
  return [
    "/",
    "/tasks",
    "/tasks?status=failed&text=nothing",
    ...[waiting, failed, done, running, large, family, "task_unknown"].map((id) => `/tasks/${id}`),
    "/start",
    "/start?type=analyze_logs",
    "/overview",
    "/audit",
    "/docs/api",
    "/notifications",
    "/audit?actor=nobody",
    "/nowhere",
  ];
}

async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator("[data-connection]:visible")).toHaveAttribute(
    "data-connection",
    "live",
  );
  await expect(page.locator("[role=status][aria-label^=Loading]")).toHaveCount(0);
  await page.waitForTimeout(300);
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing: ${colorScheme}, ${width} px`, async ({ browser, server, agent }) => {
      test.setTimeout(120_000);
      const paths = await everyPage(agent);
      const context = await browser.newContext({
        baseURL: server.url,
        colorScheme,
        viewport: { width, height: 844 },
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      for (const path of paths) {
        await settled(page, path);
        await page.evaluate(axe);
        const { violations } = await page.evaluate<AxeResults>("axe.run()");
        const found = violations.map(({ id, nodes }) => ({
          id,
          at: nodes.map(({ html }) => html),
        }));
        expect(found, path).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
      }
      await context.close();
    });
  }
}

test("the theme is chosen, and kept", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const canvas = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await canvas();
  const bars = () => page.locator("meta[name=theme-color]").first();
  await expect(bars()).toHaveAttribute("content", "#f9f8f6");
  await page.locator("aside").getByTitle("Dark").click();
  expect(await canvas()).not.toBe(light);
  await expect(bars()).toHaveAttribute("content", "#12110f");
  await page.reload();
  expect(await canvas()).not.toBe(light);
  await page.locator("aside").getByTitle("As the system").click();
  expect(await canvas()).toBe(light);
});

test("everything on a phone can be reached with the thumb's bar", async ({ page, agent }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const taskId = await agent.start("ask", { what: "one" });
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tasks" }).click();
  await page.locator(`[data-task=${taskId}]`).getByRole("link").click();
  await page.getByRole("button", { name: "Result and details" }).click();
  await expect(page.getByText("Appears here when the task ends.")).toBeVisible();
  await page.getByRole("button", { name: "Timeline", exact: true }).click();
  await page.getByRole("button", { name: "yes" }).click();
  expect((await agent.result(taskId)).status).toBe("completed");
});

test("the keyboard alone answers a question", async ({ page, agent }) => {
  const taskId = await agent.start("ask", { what: "one" });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  for (let i = 0; i < 15; i++) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => document.activeElement?.textContent);
    if (text?.endsWith("yes")) break;
  }
  await page.keyboard.press("Enter");
  expect((await agent.result(taskId)).result).toMatchObject([{ answer: "yes" }]);
});

/** Kilobytes of JavaScript that a page has loaded once it is live: gzipped, and as they were sent. */
async function scriptWeight(page: Page, shows: Locator): Promise<{ gzip: number; sent: number }> {
  const scripts: Promise<{ gzip: number; sent: number }>[] = [];
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.endsWith(".js")) return;
    scripts.push(
      Promise.all([response.body(), response.request().sizes()]).then(
        ([body, { responseBodySize }]) => ({
          gzip: gzipSync(body).length / 1000,
          sent: responseBodySize / 1000,
        }),
      ),
    );
  });
  await page.goto("/");
  await expect(shows).toBeVisible();
  await expect(page.locator("[data-connection]:visible")).toHaveAttribute(
    "data-connection",
    "live",
  );
  const all = await Promise.all(scripts);
  const sum = (part: "gzip" | "sent") => all.reduce((total, each) => total + each[part], 0);
  return { gzip: sum("gzip"), sent: sum("sent") };
}

test("the inbox loads at most 180 KB of compressed JavaScript", async ({
  page,
  browser,
  baseURL,
  agent,
}) => {
  const empty = await scriptWeight(page, page.getByText("Nobody waits for you"));
  await agent.question(await agent.start("ask", { what: "one" }));
  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  const asked = await scriptWeight(other, other.getByRole("button", { name: "yes" }));
  await context.close();
  for (const [what, { gzip, sent }] of Object.entries({ empty, "with a question": asked })) {
    console.log(`JavaScript of the inbox, ${what}: ${sent.toFixed(1)} KB of 180 as sent`);
    console.log(`  (gzipped it would be ${gzip.toFixed(1)} KB)`);
    expect(sent, what).toBeLessThanOrEqual(180);
  }
  expect(empty.gzip).toBeLessThanOrEqual(180);
});
