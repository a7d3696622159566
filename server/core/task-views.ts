import type { TaskPayload, TaskRecord } from "./task.ts";
import type { TaskEvent } from "./task-event.ts";
import { TaskResult } from "./task-result.ts";
import { isTerminal } from "./task-status.ts";
import { TaskUpdate } from "./task-update.ts";

/** The update an event holds, in a list of none or one, for `flatMap`. */
export function toTaskUpdate(event: TaskEvent): TaskUpdate[] {
  if (event.kind !== "update") return [];
  const { taskId, message, level, updateId, at } = event;
  return [new TaskUpdate({ taskId, message, level, updateId, timestamp: at })];
}

/** The result of a task that has ended; null for any other. */
export function toTaskResult(task: TaskRecord, payload: TaskPayload | null): TaskResult | null {
  if (!isTerminal(task.status)) return null;
  return new TaskResult({
    taskId: task.taskId,
    status: task.status,
    result: payload?.result ?? null,
    error: payload?.error ?? null,
    completedAt: task.finishedAt ?? task.lastEventAt,
  });
}
