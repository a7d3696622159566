import { isDeepStrictEqual } from "node:util";
import type { TaskEvent } from "../../server/core/task-event.ts";
import type { Findings } from "./check-history.ts";
import type { History, PollRecord, WatchRecord } from "./history.ts";

// A stream that is further behind is told to read everything anew.
const mostBehind = 5000;

/** Whoever watches, across all crashes, sees each event once, in order, and none that is not there. */
export function checkWatchers({ watches, polls, final }: History): Findings {
  const violations: string[] = [];
  const byTask = new Map(final.tasks.map((task) => [task.taskId, task]));
  const all = final.tasks.flatMap(({ events }) => events).sort((a, b) => a.position - b.position);
  for (const watch of watches) {
    const there = watch.taskId === null ? all : (byTask.get(watch.taskId)?.events ?? []);
    violations.push(...checkStream(watch, there));
  }
  for (const poll of polls) {
    const task = byTask.get(poll.taskId);
    if (task) violations.push(...checkPolls(poll, task.events));
    const { result } = poll;
    if (
      result &&
      !isDeepStrictEqual([result.status, result.result], [task?.status, task?.result])
    ) {
      violations.push(`the result of ${poll.taskId} is not the one a poll had returned`);
    }
  }
  const connects = watches.reduce((sum, watch) => sum + watch.connects, 0);
  const seen = watches.reduce((sum, { events }) => sum + events.length, 0);
  return {
    violations,
    counts: {
      streams: watches.length,
      "stream connections": connects,
      resets: watches.reduce((sum, { resets }) => sum + resets.length, 0),
      "events seen by streams": seen,
      "tasks polled to their result": polls.filter(({ result }) => result !== null).length,
    },
  };
}

function checkStream(watch: WatchRecord, there: readonly TaskEvent[]): string[] {
  const name = watch.taskId === null ? "a stream of everything" : `a stream of ${watch.taskId}`;
  const found: string[] = [];
  for (const { from, to } of watch.resets) {
    if (to - from <= mostBehind) found.push(`${name} was reset at ${from}, ${to - from} behind`);
  }
  const byPosition = new Map(there.map((event) => [event.position, event]));
  let last = watch.after;
  for (const event of watch.events) {
    const { position } = event;
    if (position <= last) found.push(`${name} had position ${position} after ${last}`);
    last = Math.max(last, position);
    if (!isDeepStrictEqual(byPosition.get(position), event)) {
      found.push(`${name} had position ${position}, which is not there or another event`);
    }
  }
  const seen = new Set(watch.events.map(({ position }) => position));
  // A stream that never connected was promised nothing.
  const promised = there.filter(
    ({ position }) =>
      watch.connects > 0 &&
      position > watch.after &&
      !watch.resets.some(({ from, to }) => position > from && position <= to),
  );
  const missing = promised.filter(({ position }) => !seen.has(position));
  if (missing.length > 0) {
    found.push(`${name} missed ${missing.length} events, the first at ${missing[0]?.position}`);
  }
  return found;
}

function checkPolls({ taskId, updates, result }: PollRecord, events: TaskEvent[]): string[] {
  const there = events.flatMap((event) => (event.kind === "update" ? [event.updateId] : []));
  const seen = updates.map(({ updateId }) => updateId);
  const expected = result === null ? there.slice(0, seen.length) : there;
  if (isDeepStrictEqual(seen, expected)) return [];
  return [`polls of ${taskId} returned ${seen.length} updates, not the ${there.length} there are`];
}
