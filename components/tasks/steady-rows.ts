import type { TaskRecord } from "@/server/core/task.ts";

/** What a list shows while it must not move. */
export interface SteadyRows {
  rows: TaskRecord[];
  /** Tasks that belong above what is shown, or in between, and are kept back. */
  held: TaskRecord[];
  /** The ids of rows that no longer belong to the list and keep their place. */
  gone: ReadonlySet<string>;
}

/**
 * The rows that are shown, as they are now, each at its place: what changed is changed in place, what
 * left stays, and only what belongs at the end is added.
 */
export function steadyRows(shown: readonly TaskRecord[], now: readonly TaskRecord[]): SteadyRows {
  const current = new Map(now.map((task) => [task.taskId, task]));
  const gone = new Set<string>();
  const rows = shown.map((task) => {
    const found = current.get(task.taskId);
    if (!found) gone.add(task.taskId);
    return found ?? task;
  });
  const known = new Set(shown.map(({ taskId }) => taskId));
  const lastKnown = now.findLastIndex(({ taskId }) => known.has(taskId));
  const fresh = now.filter(({ taskId }) => !known.has(taskId));
  if (lastKnown < 0) return { rows: [...rows, ...fresh], held: [], gone };
  const after = new Set(now.slice(lastKnown + 1).map(({ taskId }) => taskId));
  return {
    rows: [...rows, ...fresh.filter(({ taskId }) => after.has(taskId))],
    held: fresh.filter(({ taskId }) => !after.has(taskId)),
    gone,
  };
}
