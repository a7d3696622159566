import { describe, expect, test } from "vitest";
import { libraryActor } from "../../server/core/actor.ts";
import { activityOf, clocksOf, type TaskRecord } from "../../server/core/task.ts";
import type { TaskEvent } from "../../server/core/task-event.ts";
import { toTaskResult, toTaskUpdate } from "../../server/core/task-views.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";

const now = "2026-11-30T12:01:00.000000Z";
const future = "2026-11-30T12:02:00.000000Z";
const past = "2026-11-30T12:00:30.000000Z";

function record(fields: Partial<TaskRecord>): TaskRecord {
  return { ...new TaskOnPaper().record, wakeAt: null, ...fields };
}

describe("activityOf", () => {
  const held = { workerId: "w_1", leaseExpiresAt: future };
  const lapsed = { workerId: "w_1", leaseExpiresAt: past };

  test.each<[string, Partial<TaskRecord>]>([
    ["queued", { status: "pending", wakeAt: past }],
    ["queued", { status: "pending", wakeAt: future }],
    ["running", { status: "running", ...held }],
    ["waiting", { status: "waiting_for_input", ...held }],
    ["parked", { status: "waiting_for_input" }],
    ["parked", { status: "running" }],
    ["parked", { status: "running", wakeAt: future }],
    ["resuming", { status: "running", wakeAt: past }],
    ["resuming", { status: "running", ...lapsed }],
    ["resuming", { status: "waiting_for_input", wakeAt: past }],
    ["done", { status: "completed" }],
    ["done", { status: "failed" }],
    ["done", { status: "cancelled" }],
  ])("%s: %j", (activity, fields) => {
    expect(activityOf(record(fields), now)).toBe(activity);
  });
});

describe("clocksOf", () => {
  const counted = { workedSeconds: 5, waitedSeconds: 7 };

  test("adds the time since to the clock that runs", () => {
    const since = { ...counted, clockSince: past };
    expect(clocksOf(record({ ...since, clock: "working" }), now)).toEqual({
      worked: 35,
      waited: 7,
    });
    expect(clocksOf(record({ ...since, clock: "waiting" }), now)).toEqual({
      worked: 5,
      waited: 37,
    });
  });

  test("adds nothing while neither runs, or when the clock was set back", () => {
    const expected = { worked: 5, waited: 7 };
    expect(clocksOf(record(counted), now)).toEqual(expected);
    const ahead = record({ ...counted, clock: "working", clockSince: future });
    expect(clocksOf(ahead, now)).toEqual(expected);
  });
});

describe("toTaskUpdate", () => {
  const place = { taskId: "task_1", seq: 4, position: 9, at: now };

  test("gives the update an event holds", () => {
    const event: TaskEvent = {
      ...place,
      kind: "update",
      updateId: "u_1",
      level: "warning",
      message: "low",
    };
    expect([event].flatMap(toTaskUpdate)).toEqual([
      { taskId: "task_1", updateId: "u_1", level: "warning", message: "low", timestamp: now },
    ]);
  });

  test("gives nothing for other events", () => {
    expect(toTaskUpdate({ ...place, kind: "task_created", actor: libraryActor })).toEqual([]);
  });
});

describe("toTaskResult", () => {
  const payload = { params: {}, result: { rows: 3 }, error: null };

  test("is null until the task has ended", () => {
    for (const status of ["pending", "running", "waiting_for_input"] as const) {
      expect(toTaskResult(record({ status }), payload)).toBeNull();
    }
  });

  test("tells how it ended and when", () => {
    const ended = record({ status: "completed", finishedAt: now });
    expect(toTaskResult(ended, payload)).toEqual({
      taskId: ended.taskId,
      status: "completed",
      result: { rows: 3 },
      error: null,
      completedAt: now,
    });
  });
});
