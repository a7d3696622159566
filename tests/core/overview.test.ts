import { describe, expect, test } from "vitest";
import { addTimes, overviewOf, rangeSlots } from "../../server/core/overview.ts";
import { answerClass, answerQuantile, noCounts } from "../../server/core/rollup.ts";

describe("times to answer", () => {
  test("a quantile is within a class of the exact one, over six orders of size", () => {
    for (const scale of [0.3, 4, 90, 3600, 86_400]) {
      const seconds = Array.from({ length: 1000 }, (_, i) => scale * (0.2 + (i % 97) / 40));
      const times = new Map<number, number>();
      for (const each of seconds) {
        const key = answerClass(each);
        times.set(key, (times.get(key) ?? 0) + 1);
      }
      const sorted = [...seconds].sort((a, b) => a - b);
      for (const part of [0.5, 0.95, 1]) {
        const exact = sorted[Math.ceil(part * sorted.length) - 1] as number;
        const found = answerQuantile(times, part) as number;
        expect(found / exact).toBeGreaterThan(1 / 1.2 - 0.001);
        expect(found / exact).toBeLessThan(1.2 + 0.001);
      }
    }
  });

  test("what was counted apart has the quantiles of the whole", () => {
    const one = new Map([[answerClass(2), 90]]);
    const other = new Map([[answerClass(400), 10]]);
    const both = addTimes([one, other]);
    expect(answerQuantile(both, 0.5)).toBeCloseTo(answerQuantile(one, 0.5 / 0.9) as number);
    expect(answerQuantile(both, 0.95)).toBeGreaterThan(330);
    expect(answerQuantile(new Map(), 0.5)).toBeNull();
  });

  test("from nothing to for ever there is a class", () => {
    expect(answerClass(0)).toBe(0);
    expect(answerClass(1e12)).toBe(answerClass(1e15));
    for (let seconds = 0.1; seconds < 1e7; seconds *= 1.31) {
      expect(answerClass(seconds * 1.2001)).toBe(answerClass(seconds) + 1);
    }
  });
});

test("an overview has every slot, with zeros where nothing happened", () => {
  const { width, slots } = rangeSlots["1h"];
  const last = 29_400_000;
  const counts = { ...noCounts, started: 3, completed: 2, failed: 1, workedSeconds: 9 };
  const overview = overviewOf(
    "1h",
    { width, first: last - slots + 1, last },
    {
      bySlot: new Map([[last - 1, counts]]),
      byType: new Map([
        ["b", counts],
        ["a", { ...counts, started: 9 }],
      ]),
      answersBySlot: new Map(),
      answersByType: new Map([["a", new Map([[answerClass(5), 4]])]]),
    },
    {
      live: [
        { type: "a", status: "running", count: 2 },
        { type: "b", status: "running", count: 1 },
        { type: "b", status: "waiting_for_input", count: 5 },
      ],
      longestWaiting: [],
    },
  );
  expect(overview.slots).toHaveLength(60);
  expect(overview.slots.at(-2)).toMatchObject({ started: 3, failureRate: 1 / 3, answerP50: null });
  expect(overview.slots[0]).toMatchObject({ started: 0, failureRate: null });
  expect(overview.slots[0]?.at).toBe(overview.from);
  expect(overview.types.map(({ type }) => type)).toEqual(["a", "b"]);
  expect(overview.total).toMatchObject({ started: 12, completed: 4 });
  expect(overview.total.answerP95).toBeGreaterThan(4);
  expect(overview.live).toMatchObject({ running: 3, waiting: 5, pending: 0 });
});
