import type { JsonObject, JsonValue } from "./json.ts";
import type { TaskQuestion } from "./task-question.ts";
import type { TaskResult } from "./task-result.ts";
import type { TaskStatus } from "./task-status.ts";
import type { TaskUpdate } from "./task-update.ts";
import type { Timestamp } from "./timestamp.ts";

/**
 * The storage protocol anyone can implement: ten methods, no more. With such a store everything
 * works that a handler and its callers do within one process; what needs guarded writes (outcomes,
 * the journal) is kept in memory beside it, so tasks do not survive a restart. A store that keeps
 * them implements {@link DurableTaskStore}.
 *
 * A method may answer at once or with a promise. Unknown ids reject with `TaskNotFound`.
 */
export interface TaskStore {
  createTask(taskId: string, taskType: string, params: JsonObject): Awaitable<void>;
  getTaskStatus(taskId: string): Awaitable<TaskStatus>;
  setTaskStatus(taskId: string, status: TaskStatus): Awaitable<void>;
  addUpdate(update: TaskUpdate): Awaitable<void>;
  /** Updates with a timestamp later than `since`, oldest first; all when it is null. */
  getUpdates(taskId: string, since?: Timestamp | null): Awaitable<TaskUpdate[]>;
  addQuestion(question: TaskQuestion): Awaitable<void>;
  /** The oldest question that is neither answered nor otherwise closed. */
  getPendingQuestion(taskId: string): Awaitable<TaskQuestion | null>;
  answerQuestion(questionId: string, answer: JsonValue): Awaitable<void>;
  setResult(taskId: string, result: TaskResult): Awaitable<void>;
  getResult(taskId: string): Awaitable<TaskResult | null>;
}

export type Awaitable<T> = T | Promise<T>;

const methods = [
  "createTask",
  "getTaskStatus",
  "setTaskStatus",
  "addUpdate",
  "getUpdates",
  "addQuestion",
  "getPendingQuestion",
  "answerQuestion",
  "setResult",
  "getResult",
] as const satisfies (keyof TaskStore)[];

/** True when `x` has the ten methods of a {@link TaskStore}. */
export function isTaskStore(x: unknown): x is TaskStore {
  if (typeof x !== "object" || x === null) return false;
  return methods.every((name) => typeof (x as Record<string, unknown>)[name] === "function");
}
