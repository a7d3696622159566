import type { TaskRecord } from "@/server/core/task.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { clockText, millisOf } from "../time/time-text.ts";

/**
 * When a task that no worker has is taken up by itself, and what for: `tried again in 12 s`. Null
 * when it is not to be told: a worker has it, it is due, or something else has to happen first.
 */
export function nextRunText(
  task: Pick<TaskRecord, "status" | "wakeAt" | "attempt" | "workerId">,
  nowMillis: number,
): string | null {
  if (task.wakeAt === null || task.workerId !== null || isTerminal(task.status)) return null;
  const seconds = (millisOf(task.wakeAt) - nowMillis) / 1000;
  if (seconds <= 0) return null;
  const wait = `in ${clockText(Math.ceil(seconds))}`;
  if (task.status !== "pending") return `goes on ${wait}`;
  return task.attempt > 0 ? `tried again ${wait}` : `starts ${wait}`;
}
