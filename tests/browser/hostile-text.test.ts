import { hostile } from "./browser-tasks.mjs";
import { expect, test } from "./dashboard-test.ts";

test("HTML in prompts, choices, updates, progress, params, results and errors stays text", async ({
  page,
  agent,
}) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const asked = await agent.start("ask", { what: "hostile" });
  const echoed = await agent.start(
    "echo",
    { say: hostile, [hostile]: hostile },
    { label: hostile },
  );
  const failed = await agent.start("fail", { message: hostile });
  await agent.result(failed);
  for (const path of ["/", "/tasks", ...[asked, echoed, failed].map((id) => `/tasks/${id}`)]) {
    await page.goto(path);
    await expect(page.getByText("<script>").first()).toBeVisible();
    const hacked = await page.evaluate(() => (window as { __hacked?: number }).__hacked);
    expect(hacked, path).toBeUndefined();
    expect(await page.locator("a[href^='javascript:' i]").count(), path).toBe(0);
    expect(await page.locator("main img, main iframe, main script").count(), path).toBe(0);
  }
  expect(requests.filter((url) => url.includes("tracker.invalid"))).toEqual([]);
  await page.goto("/");
  await page.locator("[data-answer]").getByRole("button").first().click();
  expect((await agent.result(asked)).result).toMatchObject([{ answer: "a" }]);
});

test("a prompt of ten thousand characters is folded, and a word without end breaks", async ({
  page,
  agent,
}) => {
  await agent.start("ask", { what: "long" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("list", { name: "Open questions" }).getByRole("button").click();
  const card = page.locator("[data-question]");
  const unfold = card.getByRole("button", { name: /Show all \(1\d,\d{3} characters\)/ });
  await expect(unfold).toBeVisible();
  expect((await card.boundingBox())?.height).toBeLessThan(700);
  await unfold.click();
  await expect(card.getByText("Record 60")).toBeVisible();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});

test("right-to-left text runs from the right", async ({ page, agent }) => {
  await agent.start("ask", { what: "rtl" });
  await page.goto("/");
  const prompt = page.locator("[data-question]").getByText("مرحبا");
  await expect(prompt).toBeVisible();
  expect(await prompt.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe(
    "plaintext",
  );
});
