import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter } from "../../server/tasks/analyze-logs/line-splitter.ts";
import { guessLevel, levelNamed } from "../../server/tasks/analyze-logs/log-level.ts";
import { MessageGroups } from "../../server/tasks/analyze-logs/message-groups.ts";
import { RateSeries, withEmptySpans } from "../../server/tasks/analyze-logs/rate-series.ts";

describe("levels", () => {
  test("names of many programs", () => {
    expect(["ERR", "Severe", "panic", "F"].map(levelNamed)).toEqual(Array(4).fill("error"));
    expect(["WRN", "Warning", "W"].map(levelNamed)).toEqual(Array(3).fill("warning"));
    expect(["NOTICE", "LOG", "i"].map(levelNamed)).toEqual(Array(3).fill("info"));
    expect(["FINEST", "DEBUG3", "trace"].map(levelNamed)).toEqual(Array(3).fill("debug"));
    expect(["order", "", "constructor", "x".repeat(99)].map(levelNamed)).toEqual(
      Array(4).fill(null),
    );
  });

  test.each([
    ["connection failed", "error"],
    ["Out of memory: Killed process", "error"],
    ["RangeError: bad", "error"],
    ["java.lang.NullPointerException at x", "error"],
    ["no errors", null],
    ["0 failed, 12 passed", null],
    ["errors=0", null],
    ["error: null", null],
    ["Unpacking liberror-perl and libgpg-error-dev", null],
    ["GET /error/500.html", null],
    ["terror and mirrors", null],
    ["option is deprecated", "warning"],
    ["request timed out", "warning"],
    ["all is well", null],
  ])("%s", (text, expected) => {
    expect(guessLevel(text)).toBe(expected);
  });
});

describe("LineSplitter", () => {
  function split(blocks: string[], maxLineLength?: number) {
    const lines: string[] = [];
    const splitter = new LineSplitter(
      (line, isCut) => lines.push(isCut ? `${line}…` : line),
      maxLineLength,
    );
    for (const block of blocks) splitter.push(block);
    splitter.end();
    return lines;
  }

  test("lines come out the same however the text is cut into blocks", () => {
    const text = fc.array(fc.constantFrom("a", "bc", "\n", "\r\n", "é", ""), { maxLength: 60 });
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.join("");
        const expected = whole.split("\n").map((line) => line.replace(/\r$/, ""));
        if (whole.endsWith("\n") || whole === "") expected.pop();
        expect(split(parts.flatMap((part) => [...part]))).toEqual(expected);
        expect(split([whole])).toEqual(expected);
      }),
    );
  });

  test("of a line that is too long only the beginning is kept, across blocks or within one", () => {
    expect(split(["abcdef\ngh\n"], 4)).toEqual(["abcd…", "gh"]);
    expect(split(["ab", "cd", "ef", "g", "\ngh"], 4)).toEqual(["abcd…", "gh"]);
    expect(split(["abcd\n", "efgh"], 4)).toEqual(["abcd", "efgh"]);
  });
});

describe("MessageGroups", () => {
  const occurrence = (template: string, at: number | null = null, lineNumber = 1) => ({
    level: "error" as const,
    template,
    at,
    lineNumber,
    exampleText: () => `line of ${template}`,
  });

  test("counts, spans times in any order, and keeps the first example", () => {
    const groups = new MessageGroups();
    groups.add(occurrence("a", null, 3));
    groups.add(occurrence("a", 2000, 4));
    groups.add(occurrence("a", 1000, 5));
    groups.add(occurrence("b"));
    expect(groups.top("error", 1)).toMatchObject([
      {
        template: "a",
        count: 3,
        firstAt: 1000,
        lastAt: 2000,
        example: { lineNumber: 3, text: "line of a" },
      },
    ]);
    expect(groups.top("warning", 9)).toEqual([]);
  });

  test("the rarest give way, so that a late flood is found; what is lost is counted", () => {
    const groups = new MessageGroups(100);
    for (let i = 0; i < 50; i++) groups.add(occurrence("frequent"));
    for (let i = 0; i < 10_000; i++) groups.add(occurrence(`once ${i}`));
    for (let i = 0; i < 500; i++) groups.add(occurrence("late flood"));
    expect(groups.size).toBeLessThanOrEqual(100);
    expect(groups.top("error", 2)).toMatchObject([
      { template: "late flood", count: 500 },
      { template: "frequent", count: 50 },
    ]);
    const listed = groups.top("error", 1000).reduce((sum, { count }) => sum + count, 0);
    expect(listed + groups.droppedMessages).toBe(10_550);
  });

  test("half a surrogate pair at the end of a template does not split its group", () => {
    const groups = new MessageGroups();
    for (let i = 0; i < 3; i++) groups.add(occurrence(`${"x".repeat(299)}😀`));
    expect(groups.top("error", 9)).toMatchObject([{ count: 3 }]);
    expect(groups.top("error", 1)[0]?.template).not.toMatch(/[\ud800-\udfff]/);
  });

  test("an id depends on level and template alone", () => {
    const [one, two] = [new MessageGroups(), new MessageGroups()];
    one.add(occurrence("a", 1));
    two.add(occurrence("b"));
    two.add(occurrence("a", 2));
    const idOf = (groups: MessageGroups) =>
      groups.top("error", 9).find(({ template }) => template === "a")?.id;
    expect(idOf(one)).toMatch(/^g_[0-9a-f]{10}$/);
    expect(idOf(one)).toBe(idOf(two));
  });
});

describe("RateSeries", () => {
  test("keeps every event and few buckets, whatever the times", () => {
    const times = fc.array(fc.integer({ min: 631_152_000, max: 4_102_444_799 }), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(times, (seconds) => {
        const series = new RateSeries(16);
        for (const second of seconds) series.add(second * 1000, second % 2 ? "error" : "info");
        const { bucketSeconds, buckets } = series.toRates(60);
        expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(seconds.length);
        const errors = seconds.filter((second) => second % 2).length;
        expect(buckets.reduce((sum, { error }) => sum + error, 0)).toBe(errors);
        expect(withEmptySpans({ bucketSeconds, buckets }).buckets.length).toBeLessThanOrEqual(
          // A span of more than 60 years is the one case that 60 of the widest do not cover.
          Math.max(60, 4_102_444_799 / 31_449_600),
        );
        for (const { at } of buckets) expect(at % (bucketSeconds * 1000)).toBe(0);
      }),
    );
  });

  test("a bucket begins where its span begins; empty spans are filled in for charts", () => {
    const series = new RateSeries();
    const noon = Date.UTC(2026, 10, 30, 12);
    series.add(noon + 1500, "error");
    series.add(noon + 4200, "warning");
    const rates = series.toRates(60);
    expect(rates).toEqual({
      bucketSeconds: 1,
      buckets: [
        { at: noon + 1000, total: 1, error: 1, warning: 0 },
        { at: noon + 4000, total: 1, error: 0, warning: 1 },
      ],
    });
    expect(withEmptySpans(rates).buckets.map(({ total }) => total)).toEqual([1, 0, 0, 1]);
  });

  test("series of different widths add up", () => {
    const [fine, coarse] = [new RateSeries(), new RateSeries()];
    for (let i = 0; i < 60; i++) fine.add(Date.UTC(2026, 10, 30, 12, 0, i), "info");
    for (let i = 0; i < 60; i++) coarse.add(Date.UTC(2026, 10, 30, i % 24), "error");
    const all = new RateSeries();
    all.addRates(fine.toRates(60));
    all.addRates(coarse.toRates(60));
    const { bucketSeconds, buckets } = all.toRates(60);
    expect(bucketSeconds).toBe(coarse.toRates(60).bucketSeconds);
    expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(120);
  });
});
