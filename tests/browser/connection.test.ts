import type { Page } from "@playwright/test";
import { expect, test } from "./dashboard-test.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { traceMainThread } from "./main-thread.ts";

/** The messages of the timeline's updates, in order. */
function numbers(page: Page): Promise<number[]> {
  return page
    .getByRole("list", { name: "Timeline" })
    .locator("[data-seq]")
    .evaluateAll((rows) =>
      rows.flatMap((row) => Number(/Update number (\d+)/.exec(row.textContent ?? "")?.[1]) || []),
    );
}

/** The same of the whole timeline, of which only what is in view is on the page. */
async function allNumbers(page: Page): Promise<number[]> {
  const rows = await page.getByRole("region", { name: "Timeline" }).evaluate(async (pane) => {
    const found = new Map<string, string>();
    for (pane.scrollTop = 0; ; pane.scrollTop += pane.clientHeight / 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (const row of pane.querySelectorAll<HTMLElement>("[data-seq]")) {
        found.set(row.dataset.seq ?? "", row.textContent ?? "");
      }
      if (pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 1) return [...found];
    }
  });
  return rows
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .flatMap(([, text]) => Number(/Update number (\d+)/.exec(text)?.[1]) || []);
}

test("a network that is cut and comes back: said, and caught up with nothing lost or doubled", async ({
  page,
  context,
  agent,
}) => {
  const taskId = await agent.start("burst", { updates: 200, perSecond: 40 });
  await page.goto(`/tasks/${taskId}`);
  const connection = page.locator("[data-connection]:visible");
  await expect(connection).toHaveAttribute("data-connection", "live");
  await expect.poll(() => numbers(page).then((all) => all.length)).toBeGreaterThan(5);
  await context.setOffline(true);
  await expect(connection).toHaveAttribute("data-connection", "lost");
  await expect(page.getByText("Connection lost.")).toBeVisible();
  await page.waitForTimeout(1500);
  await context.setOffline(false);
  await expect(connection).toHaveAttribute("data-connection", "live");
  await expect(page.locator("[data-status=completed]")).toBeVisible({ timeout: 15_000 });
  await expect.poll(() => allNumbers(page)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test("a proxy that drops the stream in silence while the machine sleeps, and one that cuts it: nothing lost or doubled", async ({
  page,
  server,
  agent,
}) => {
  test.setTimeout(150_000);
  const proxy = await FaultProxy.start(server.port);
  await page.clock.install();
  const taskId = await agent.start("burst", { updates: 300, perSecond: 30 });
  await page.goto(`${proxy.url}/tasks/${taskId}`);
  const connection = page.locator("[data-connection]:visible");
  await expect(connection).toHaveAttribute("data-connection", "live");
  const newest = () => numbers(page).then((all) => all.at(-1) ?? 0);
  await expect.poll(newest).toBeGreaterThan(5);

  proxy.dropSilently();
  const before = await newest();
  // The lid is closed: no timer fires, and the clock goes on.
  await page.clock.fastForward("00:30");
  // A try may go out over another connection that is dead in silence, and be given up 13 s later.
  await expect.poll(newest, { timeout: 30_000 }).toBeGreaterThan(before);
  await expect(connection).toHaveAttribute("data-connection", "live", { timeout: 30_000 });

  proxy.cut();
  await expect(connection).not.toHaveAttribute("data-connection", "live");
  proxy.restore();
  await expect(connection).toHaveAttribute("data-connection", "live", { timeout: 30_000 });
  await expect(page.locator("[data-status=completed]")).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => allNumbers(page)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  await proxy.stop();
});

test("a server that dies and starts again: the page comes back by itself and goes on", async ({
  page,
  server,
  agent,
}) => {
  test.setTimeout(90_000);
  const taskId = await agent.start("ask", { what: "one" });
  await page.goto("/");
  const connection = page.locator("[data-connection]:visible");
  await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
  await expect(connection).toHaveAttribute("data-connection", "live");
  await server.kill();
  await expect(connection).not.toHaveAttribute("data-connection", "live");
  await page.getByRole("button", { name: "yes" }).click();
  await expect(page.getByText("The server cannot be reached.")).toBeVisible();
  await server.start();
  await expect(connection).toHaveAttribute("data-connection", "live", { timeout: 30_000 });
  await page.getByRole("button", { name: "yes" }).click();
  await expect(page.locator("[data-question]")).toContainText(/Answered by/);
  expect((await agent.result(taskId)).result).toMatchObject([{ answer: "yes" }]);
});

test("200 events a second: all there, in order, with no task of the page over 50 ms", async ({
  page,
  browser,
  agent,
}) => {
  test.setTimeout(60_000);
  const taskId = await agent.start("burst", { updates: 1200, perSecond: 200 });
  await page.goto(`/tasks/${taskId}`);
  await expect.poll(() => numbers(page).then((all) => all.length)).toBeGreaterThan(5);
  const { longTasks, framesPerSecond } = await traceMainThread(browser, page, () =>
    expect(page.locator("[data-status=completed]")).toBeVisible({ timeout: 30_000 }),
  );
  const text = longTasks.map((millis) => `${millis.toFixed(0)} ms`).join(", ") || "none";
  console.log(`200 events/s: ${framesPerSecond.toFixed(0)} frames/s; tasks over 50 ms: ${text}`);
  // A collection of garbage at a bad moment is no fault of the page's.
  expect(longTasks.length).toBeLessThanOrEqual(2);
  await expect.poll(() => allNumbers(page)).toEqual(Array.from({ length: 1200 }, (_, i) => i + 1));
});
