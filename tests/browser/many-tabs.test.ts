import type { BrowserContext, Page, Request } from "@playwright/test";
import { expect, test } from "./dashboard-test.ts";

/** The pages of a browser that have a stream open now. */
function watchStreams(context: BrowserContext): Set<Page> {
  const streaming = new Set<Page>();
  const isFeed = (url: string) => url.includes("/api/trpc/live.feed");
  context.on("request", (request) => {
    if (!isFeed(request.url())) return;
    const page = request.frame().page();
    streaming.add(page);
    page.on("close", () => streaming.delete(page));
  });
  const ended = (request: Request) => {
    if (isFeed(request.url())) streaming.delete(request.frame().page());
  };
  context.on("requestfinished", ended);
  context.on("requestfailed", ended);
  return streaming;
}

const isLive = (page: Page) =>
  expect(page.locator("[data-connection]:visible")).toHaveAttribute("data-connection", "live");

/** When the answer buttons of a question went, by each page's own clock. */
async function noteWhenGone(page: Page): Promise<() => Promise<number | null>> {
  await page.evaluate(() => {
    const goneAt = { millis: null as number | null };
    Object.assign(window, { goneAt });
    const look = () => {
      const has = [...document.querySelectorAll("button")].some((b) => b.textContent === "yes");
      if (!has) goneAt.millis ??= Date.now();
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  return () =>
    page.evaluate(() => (window as unknown as { goneAt: { millis: number | null } }).goneAt.millis);
}

test("ten tabs: all load, share one stream, and stay live when the tab that has it is closed", async ({
  context,
  agent,
}) => {
  test.setTimeout(120_000);
  const streaming = watchStreams(context);
  const pages: Page[] = [];
  for (let i = 0; i < 10; i++) {
    const page = await context.newPage();
    await page.goto(i % 2 === 0 ? "/" : "/tasks");
    pages.push(page);
  }
  for (const page of pages) await isLive(page);
  await expect.poll(() => streaming.size).toBe(1);

  const first = await agent.start("ask", { what: "one" });
  for (const page of pages) await expect(page).toHaveTitle(/^\(1\) /);

  const [leader] = streaming;
  await leader?.close();
  const others = pages.filter((page) => page !== leader);
  // Asked while the stream changes hands.
  const second = await agent.start("ask", { what: "one" });
  const question = await agent.question(second);
  for (const page of others) await expect(page).toHaveTitle(/^\(2\) /);
  await expect.poll(() => streaming.size).toBe(1);
  for (const page of others) await isLive(page);

  // Answered elsewhere: no tab keeps a control, whichever has the stream.
  const inboxes = others.filter((page) => new URL(page.url()).pathname === "/");
  for (const page of inboxes) {
    await expect(page.locator("[data-outcome=open]")).toHaveCount(2);
    await page.locator(`[data-row="${question.questionId}"]`).click();
    await expect(page.getByRole("button", { name: "yes" })).toBeVisible();
  }
  await agent.answer((await agent.question(first)).questionId, "no");
  for (const page of inboxes) await expect(page.locator("[data-outcome=open]")).toHaveCount(1);
  const gone = await Promise.all(inboxes.map(noteWhenGone));
  await agent.answer(question.questionId, "no");
  const answeredAt = Date.now();
  for (const [i, page] of inboxes.entries()) {
    await expect(page.getByRole("button", { name: "yes" })).toHaveCount(0);
    const millis = ((await gone[i]?.()) ?? Number.POSITIVE_INFINITY) - answeredAt;
    console.log(`tab ${i + 1}: no control left after ${millis} ms`);
    expect(millis).toBeLessThan(5000);
  }
});
