import { expect, test } from "vitest";
import { paceAfter, workLeft } from "../../server/core/progress-pace.ts";
import type { Progress, TaskRecord } from "../../server/core/task.ts";

const at = (second: number) => `2026-11-30T10:00:${String(second).padStart(2, "0")}.000000Z`;

type Part = Pick<
  TaskRecord,
  "progress" | "workedSeconds" | "waitedSeconds" | "clock" | "clockSince"
>;

function working(progress: Progress | null = null): Part {
  return { progress, workedSeconds: 0, waitedSeconds: 0, clock: "working", clockSince: at(0) };
}

function reported(task: Part, done: number, second: number, total: number | null = 100): Part {
  const now = at(second);
  const progress = { done, total, message: null, at: now };
  return { ...task, progress: { ...progress, pace: paceAfter(task, progress, now) } };
}

test("the pace is what two reports and the working clock say", () => {
  let task = reported(working(), 0, 0);
  expect(task.progress?.pace).toEqual({ done: 0, workedSeconds: 0, perSecond: null });
  expect(workLeft(task, at(1))).toBeNull();
  task = reported(task, 20, 10);
  expect(task.progress?.pace).toEqual({ done: 20, workedSeconds: 10, perSecond: 2 });
  expect(workLeft(task, at(10))).toBe(40);
  expect(workLeft(task, at(20))).toBe(30);
});

test("waiting for people does not count, and the work left stands still meanwhile", () => {
  let task = reported(reported(working(), 0, 0), 20, 10);
  task = { ...task, workedSeconds: 10, clock: "waiting", clockSince: at(10) };
  expect(workLeft(task, at(50))).toBe(40);
  task = { ...task, waitedSeconds: 40, clock: "working", clockSince: at(50) };
  task = reported(task, 22, 51);
  expect(task.progress?.pace?.perSecond).toBe(2);
  expect(workLeft(task, at(51))).toBe(39);
});

test("a change of pace shows within seconds, without jumping", () => {
  let task = reported(reported(working(), 0, 0), 10, 10);
  task = reported(task, 50, 20);
  const perSecond = task.progress?.pace?.perSecond ?? 0;
  expect(perSecond).toBeGreaterThan(2);
  expect(perSecond).toBeLessThan(4);
});

test("work that is taken up anew is measured anew, and reports in one moment are one", () => {
  const task = reported(reported(working(), 0, 0), 50, 10);
  expect(reported(task, 5, 11).progress?.pace).toEqual({
    done: 5,
    workedSeconds: 11,
    perSecond: null,
  });
  expect(reported(task, 60, 10).progress?.pace).toEqual(task.progress?.pace);
});

test("nothing is foretold without a total, or when it does not go on", () => {
  expect(workLeft(reported(reported(working(), 0, 0, null), 9, 9, null), at(9))).toBeNull();
  expect(workLeft(reported(reported(working(), 3, 0), 3, 9), at(9))).toBeNull();
});
