/**
 * toolthread as a library: the task manager, the types and errors, and the memory store. Needs
 * nothing but zod.
 */
import type { DurableTaskStore } from "./core/durable-task-store.ts";
import { isDurableTaskStore } from "./core/durable-task-store.ts";
import { InvalidInput } from "./core/errors.ts";
import { systemClock } from "./core/system-clock.ts";
import type { TaskQueue } from "./core/task-queue.ts";
import { isTaskStore, type TaskStore } from "./core/task-store.ts";
import {
  type TaskManagerOptions as EngineOptions,
  TaskManager as EngineTaskManager,
} from "./engine/task-manager.ts";
import { EmbeddedQueue } from "./queue/embedded-queue.ts";
import { CustomStore } from "./stores/custom-store.ts";
import { MemoryStore } from "./stores/memory-store.ts";

export * from "./core/actor.ts";
export type { Approval, GivenApproval } from "./core/approval.ts";
export type { AuditAction, AuditEntry, AuditLog, AuditQuery, AuditRecord } from "./core/audit.ts";
export type { Clock, MakeId } from "./core/clock.ts";
export type {
  DurableTaskStore,
  Page,
  QuestionQuery,
  TaskQuery,
} from "./core/durable-task-store.ts";
export { isDurableTaskStore } from "./core/durable-task-store.ts";
export * from "./core/errors.ts";
export type { JsonObject, JsonValue } from "./core/json.ts";
export type { Role, Subject, TypeAccess } from "./core/permission.ts";
export { PollResponse, type PollResponseJson } from "./core/poll-response.ts";
export { type Sealed, type SecretBox, secretMask } from "./core/secret-box.ts";
export { systemClock } from "./core/system-clock.ts";
export type { Activity, Labels, Progress, TaskRecord, TaskView } from "./core/task.ts";
export type * from "./core/task-context.ts";
export type { TaskEvent } from "./core/task-event.ts";
export {
  type AnswerableBy,
  type Choice,
  type QuestionData,
  type QuestionOutcome,
  TaskQuestion,
  type Urgency,
} from "./core/task-question.ts";
export { TaskResult } from "./core/task-result.ts";
export { isTerminal, TaskStatus, type TerminalStatus } from "./core/task-status.ts";
export { isTaskStore, type TaskStore } from "./core/task-store.ts";
export type { RetryPolicy, TaskHandler, TaskTypeInfo, TaskTypeOptions } from "./core/task-type.ts";
export { TaskUpdate, UpdateLevel } from "./core/task-update.ts";
export { parseTimestamp, type Timestamp, toTimestamp } from "./core/timestamp.ts";
export { secretBox } from "./engine/aes-secret-box.ts";
export type { EngineLog } from "./engine/engine-log.ts";
export type { FeedMessage } from "./engine/feed.ts";
export type { PollOptions, WaitFor } from "./engine/poller.ts";
export type { TaskDetail } from "./engine/task-detail.ts";
export type { Resolution, Stats } from "./engine/task-manager.ts";
export type { StartOptions } from "./engine/task-starter.ts";
export { MemoryStore };

export interface TaskManagerOptions extends Omit<EngineOptions, "store" | "queue"> {
  /** A store of this package or your own class with the ten methods; `MemoryStore` if left out. */
  store?: TaskStore | DurableTaskStore;
  /** What hands out work; the embedded queue of a single process if left out. */
  queue?: TaskQueue;
}

/** The task manager with everything it needs filled in. */
export class TaskManager extends EngineTaskManager {
  constructor(options: TaskManagerOptions = {}) {
    const { clock = systemClock } = options;
    const store = durableStore(options.store ?? new MemoryStore(clock), options);
    const queue =
      options.queue ??
      new EmbeddedQueue({
        store,
        clock,
        onError: (error) => options.log?.error("the queue could not read the store", { error }),
      });
    super({ ...options, store, queue });
  }
}

function durableStore(store: TaskStore, { clock }: TaskManagerOptions): DurableTaskStore {
  if (isDurableTaskStore(store)) return store;
  if (isTaskStore(store)) return new CustomStore(store, clock);
  throw new InvalidInput("The store lacks some of the ten methods of TaskStore; see isTaskStore.");
}
