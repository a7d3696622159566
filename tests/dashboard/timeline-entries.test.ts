import { expect, test } from "vitest";
import {
  firstError,
  foundEntries,
  isFiltering,
  noFilter,
  seqOfHash,
} from "../../components/timeline/entries.ts";
import type { TaskEvent, TaskEventBody } from "../../server/core/task-event.ts";

function event(seq: number, body: TaskEventBody): TaskEvent {
  return { ...body, seq, position: seq, taskId: "task_1", at: "2026-11-30T12:00:00.000000Z" };
}
const update = (seq: number, level: "info" | "warning" | "error") =>
  event(seq, { kind: "update", updateId: `u_${seq}`, level, message: `m${seq}` });

test("what was found is listed by its place among what was found", () => {
  const entries = foundEntries([update(3, "info"), update(90, "info")]);
  expect(entries.count).toBe(2);
  expect(entries.at(1)?.event.seq).toBe(90);
  expect(entries.at(2)).toBeNull();
  expect([entries.seqAt(0), entries.indexOf(90), entries.indexOf(4)]).toEqual([3, 1, -1]);
});

test("the first error is whatever went wrong first, not only an update that says so", () => {
  const failed = { kind: "step_failed", name: "s", key: "#1", startedAt: "", error: "e" } as const;
  const warned = [update(1, "info"), update(2, "warning")];
  expect(firstError(warned)).toBeNull();
  expect(firstError([...warned, event(3, failed), update(4, "error")])?.seq).toBe(3);
  const ended = { kind: "task_finished", status: "failed", error: null, forced: false } as const;
  expect(firstError([...warned, event(3, ended)])?.seq).toBe(3);
});

test("the event that a link names", () => {
  expect(seqOfHash("#event-12")).toBe(12);
  for (const hash of ["", "#event-", "#event-0", "#event-1e3", "#event-12x", "#events-1"]) {
    expect(seqOfHash(hash)).toBeNull();
  }
});

test("only a filter filters", () => {
  expect(isFiltering(noFilter)).toBe(false);
  expect(isFiltering({ ...noFilter, text: "x" })).toBe(true);
  expect(isFiltering({ ...noFilter, level: "error" })).toBe(true);
});
