import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import lighthouse from "lighthouse";
import { ensureChromium } from "../support/chromium.ts";
import { freePort } from "../support/server-process.ts";

const categories = ["performance", "accessibility", "best-practices"] as const;
const rounds = 5;
/** What the score for performance is made of; milliseconds, but for the shift. */
const metrics = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "speed-index",
  "total-blocking-time",
  "cumulative-layout-shift",
] as const;

/** What a category has to reach at the least, as the median of all rounds. */
const goals = { performance: 95, accessibility: 100, "best-practices": 95 } as const;

/**
 * Lighthouse's scores of a page on a phone, as the median of five, each in a browser of its own.
 *
 * @param enter brings the browser to where the page can be seen, for example by signing in.
 * @returns lines to print.
 */
export async function lighthouseScores(
  name: string,
  url: string,
  enter: (page: Page, round: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const scores = new Map<string, number[]>(categories.map((category) => [category, []]));
  const faults = new Set<string>();
  const timings = new Map<string, number[]>(metrics.map((metric) => [metric, []]));
  for (let round = 0; round < rounds; round += 1) {
    const result = await runOnce(url, (page) => enter(page, round));
    for (const metric of metrics) {
      timings.get(metric)?.push(result.audits[metric]?.numericValue ?? Number.NaN);
    }
    for (const category of categories) {
      const { score = null, auditRefs = [] } = result.categories[category] ?? {};
      scores.get(category)?.push(Math.round((score ?? 0) * 100));
      if (category === "performance") continue;
      for (const { id, weight } of auditRefs) {
        const audit = result.audits[id];
        if (weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 1) faults.add(id);
      }
    }
  }
  const lines = categories.map((category) => {
    const all = scores.get(category) ?? [];
    const median = medianOf(all);
    const isMet = median >= goals[category];
    return `  ${category.padEnd(16)}${`${median}`.padStart(4)}  (${all.join(" ")})  goal ${goals[category]}${isMet ? "" : ", MISSED"}`;
  });
  return [
    `Lighthouse, phone, median of ${rounds}: ${name}`,
    ...lines,
    `  ${metrics.map((metric) => `${metric} ${medianOf(timings.get(metric) ?? []).toFixed(metric === "cumulative-layout-shift" ? 3 : 0)}`).join(", ")}`,
    ...(faults.size > 0 ? [`  not in order: ${[...faults].join(", ")}`] : []),
  ];
}

async function runOnce(url: string, enter: (page: Page) => Promise<void>) {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), "toolthread-lighthouse-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`],
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await enter(page);
    // Entering has loaded what is to be measured.
    const browser = await context.newCDPSession(page);
    await browser.send("Network.clearBrowserCache");
    const run = await lighthouse(url, {
      port,
      logLevel: "error",
      onlyCategories: [...categories],
      // Whoever is signed in stays so.
      disableStorageReset: true,
    });
    if (!run) throw new Error("Lighthouse gave no result.");
    const { lhr } = run;
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    return lhr;
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
