import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bar, ganttOf } from "../../components/gantt/gantt.ts";
import { mergeNarrow, stacked } from "../../components/gantt/stacked.ts";
import { ticksOf } from "../../components/gantt/ticks.ts";
import type { Actor } from "../../server/core/actor.ts";
import type { TaskRecord } from "../../server/core/task.ts";
import type { TaskEvent, TaskEventBody } from "../../server/core/task-event.ts";
import { newQuestionData } from "../../server/core/task-question.ts";
import { addSeconds } from "../../server/core/timestamp.ts";

const start = "2026-11-30T12:00:00.000000Z";
const zero = Date.parse(start);
const at = (seconds: number) => addSeconds(start, seconds);
const actor: Actor = { kind: "operator", id: "o", name: "Ada", surface: "dashboard" };

function timed(...bodies: [seconds: number, body: TaskEventBody][]): TaskEvent[] {
  return bodies.map(([seconds, body], i) => ({
    ...body,
    position: i + 1,
    taskId: "task_1",
    seq: i + 1,
    at: at(seconds),
  }));
}

const step = (name: string, from: number): TaskEventBody => ({
  kind: "step_completed",
  name,
  key: `#${from}`,
  startedAt: at(from),
});

const live = { taskId: "task_1", status: "running", createdAt: start, finishedAt: null };
const seconds = ({ from, to }: Pick<Bar, "from" | "to">) => [
  (from - zero) / 1000,
  (to - zero) / 1000,
];

describe("ganttOf", () => {
  const question = newQuestionData({
    questionId: "q_1",
    taskId: "task_1",
    prompt: "Go on?",
    askedAt: at(8),
  });
  const events = timed(
    [0, { kind: "task_created", actor }],
    [1, { kind: "attempt_started", attempt: 1, workerId: "w", reason: "start" }],
    [4, step("fetch", 2)],
    [5, { kind: "attempt_failed", attempt: 1, error: "Error: no", retryAt: at(7) }],
    [7, { kind: "attempt_started", attempt: 2, workerId: "w", reason: "retry" }],
    [8, { kind: "question_opened", questionId: "q_1", prompt: "Go on?", deadline: at(99) }],
  );
  const gantt = ganttOf(live as TaskRecord, events, [question], [], zero + 20_000);
  const lane = (label: string) => gantt.lanes.find((each) => each.label === label)?.bars ?? [];

  test("the clocks follow one another without a gap, and the last one grows", () => {
    expect(lane("Clock").map((bar) => [bar.kind, ...seconds(bar), bar.isOpen])).toEqual([
      ["idle", 0, 1, false],
      ["working", 1, 5, false],
      ["idle", 5, 7, false],
      ["working", 7, 8, false],
      ["waiting", 8, 20, true],
    ]);
  });

  test("attempts end as they ended, steps began before their event, questions are open", () => {
    expect(lane("Attempts").map((bar) => [bar.label, ...seconds(bar), bar.hasFailed])).toEqual([
      ["Attempt 1", 1, 5, true],
      ["Attempt 2", 7, 20, false],
    ]);
    expect(lane("fetch").map((bar) => [...seconds(bar), bar.seq])).toEqual([[2, 4, 3]]);
    expect(lane("Questions").map((bar) => [bar.label, ...seconds(bar), bar.seq])).toEqual([
      ["Go on?", 8, 20, 6],
    ]);
  });

  test("a task that has ended ends there, whatever the time is", () => {
    const ended = { ...live, status: "completed", finishedAt: at(9) } as TaskRecord;
    expect(seconds(ganttOf(ended, events, [], [], zero + 1e9))).toEqual([0, 9]);
  });

  test("steps of very many names share lanes", () => {
    const many = timed(
      ...Array.from({ length: 3000 }, (_, i): [number, TaskEventBody] => [i + 1, step(`s${i}`, i)]),
    );
    const { lanes } = ganttOf(live as TaskRecord, many, [], [], zero + 3_000_000);
    expect(lanes.filter(({ key }) => key.startsWith("steps"))).toHaveLength(1);
  });
});

const spans = fc
  .array(
    fc.record({ from: fc.integer({ min: 0, max: 900 }), long: fc.integer({ min: 0, max: 90 }) }),
  )
  .map((all) => all.map(({ from, long }) => ({ from, to: from + long })));

describe("stacked and merged", () => {
  test("every span is in one lane, and those of a lane do not overlap unless there are too many", () => {
    fc.assert(
      fc.property(spans, (given) => {
        const lanes = stacked(given);
        expect(lanes.flat()).toHaveLength(given.length);
        for (const lane of lanes.slice(0, -1)) {
          for (const [i, span] of lane.slice(1).entries()) {
            expect(span.from).toBeGreaterThanOrEqual(lane[i]?.to ?? 0);
          }
        }
      }),
    );
  });

  test("nothing is lost by merging, and no more is drawn than there is room for", () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 50 }), (given, perPixel) => {
        for (const lane of stacked(given).slice(0, -1)) {
          const merged = mergeNarrow(lane, perPixel);
          expect(merged.flatMap((each) => each.spans)).toEqual(lane);
          expect(merged.length).toBeLessThanOrEqual(1000 / perPixel + 2);
        }
      }),
    );
  });

  test("what is wide enough is never merged", () => {
    const wide = [
      { from: 0, to: 100 },
      { from: 100, to: 200 },
    ];
    expect(mergeNarrow(wide, 1)).toHaveLength(2);
    expect(mergeNarrow(wide, 100)).toHaveLength(1);
  });
});

test("ticks are even, and no more than there is room for", () => {
  expect(ticksOf(10_000, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 1000));
  expect(ticksOf(3_600_000, 4)).toEqual([0, 900_000, 1_800_000, 2_700_000, 3_600_000]);
  expect(ticksOf(1, 5)[0]).toBe(0);
});
