import { describe, expect, test } from "vitest";
import { addEvents, hasGap, noEvents } from "../../components/timeline/timeline-events.ts";
import type { TaskEvent } from "../../server/core/task-event.ts";

function event(seq: number): TaskEvent {
  return {
    kind: "update",
    updateId: `u_${seq}`,
    level: "info",
    message: String(seq),
    position: seq,
    taskId: "task_1",
    seq,
    at: "2026-11-30T12:00:00.000000Z",
  };
}
const some = (...seqs: number[]) => seqs.map(event);
const seqsOf = (loaded: { events: readonly TaskEvent[] }) => loaded.events.map(({ seq }) => seq);

describe("addEvents", () => {
  test("each event is there once, in order, however it comes", () => {
    let loaded = addEvents(noEvents, some(4, 5, 6));
    loaded = addEvents(loaded, some(6, 5, 8, 7, 7));
    expect(seqsOf(loaded)).toEqual([4, 5, 6, 7, 8]);
    expect(loaded.earlier).toBe(3);
  });

  test("earlier ones go before", () => {
    const loaded = addEvents(addEvents(noEvents, some(4, 5)), some(1, 2, 3));
    expect(seqsOf(loaded)).toEqual([1, 2, 3, 4, 5]);
    expect(loaded.earlier).toBe(0);
  });

  test("nothing new gives the same object, so that nothing renders", () => {
    const loaded = addEvents(noEvents, some(1, 2));
    expect(addEvents(loaded, some(1, 2))).toBe(loaded);
    expect(addEvents(loaded, [])).toBe(loaded);
  });

  test("what lies beyond a gap waits until the gap is filled", () => {
    const loaded = addEvents(noEvents, some(1, 2));
    expect(seqsOf(addEvents(loaded, some(4, 5)))).toEqual([1, 2]);
    expect(hasGap(loaded, some(4, 5))).toBe(true);
    expect(hasGap(loaded, some(3, 4))).toBe(false);
    expect(hasGap(loaded, some(1))).toBe(false);
  });
});
