import { type Actor, libraryActor } from "../core/actor.ts";
import { Conflict, InvalidInput, ShuttingDown } from "../core/errors.ts";
import type { Labels, TaskRecord } from "../core/task.ts";
import { parseTimestamp, type Timestamp, toTimestamp } from "../core/timestamp.ts";
import { concurrencyKeyOf } from "./concurrency-of.ts";
import type { EngineParts } from "./engine-parts.ts";
import { jsonDigest } from "./json-digest.ts";
import type { Runner } from "./runner.ts";

/** Who calls; the program itself when not given. */
export interface CallOptions {
  actor?: Actor;
}

export interface StartOptions extends CallOptions {
  /** The same key, actor and type start one task, however often the call is repeated. */
  idempotencyKey?: string;
  /** Higher runs first; 0 when not given. A whole number. */
  priority?: number;
  /** Up to 20 short key-value pairs, for finding the task. */
  labels?: Labels;
  /** Earliest start: an ISO timestamp. */
  startAfter?: Timestamp;
}

/** Where a new task comes from. */
export interface Origin {
  parentTaskId?: string;
  rerunOf?: string;
}

/** What came of a start; `created` is false when the idempotency key had started the task before. */
export interface Started {
  task: TaskRecord;
  created: boolean;
}

/** Checks what a caller wants started, writes it, and runs it at once where a slot is free. */
export class TaskStarter {
  readonly #parts: EngineParts;
  readonly #runner: Runner;
  #isClosed = false;

  constructor(parts: EngineParts, runner: Runner) {
    this.#parts = parts;
    this.#runner = runner;
  }

  /** From now on starts are refused. */
  close(): void {
    this.#isClosed = true;
  }

  /** @throws UnknownTaskType, InvalidParams, InvalidInput, IdempotencyConflict, ShuttingDown */
  async start(
    type: string,
    params: unknown,
    options: StartOptions,
    origin: Origin = {},
  ): Promise<Started> {
    this.#refuseWhenClosed(origin);
    const { types, clock, store, makeId } = this.#parts;
    const json = await types.parseParams(type, params);
    const { idempotencyKey = null, labels = {}, priority = 0 } = options;
    checkIdempotencyKey(idempotencyKey);
    checkLabels(labels);
    if (!Number.isSafeInteger(priority) || Math.abs(priority) > 1_000_000) {
      throw new InvalidInput(`priority is a whole number within a million, not ${priority}.`);
    }
    const { startAfter } = options;
    const runAt = startAfter === undefined ? null : toTimestamp(parseTimestamp(startAfter));
    const requestDigest = idempotencyKey === null ? null : jsonDigest(json);
    this.#refuseWhenClosed(origin);
    const taskId = makeId("task");
    const concurrencyKey = concurrencyKeyOf(types.require(type).options, json);
    const lease =
      runAt === null ? this.#runner.takeSlotForStart(taskId, type, concurrencyKey) : null;
    try {
      const started = await store.commit({
        kind: "start",
        taskId,
        at: clock.now(),
        type,
        params: json,
        actor: options.actor ?? libraryActor,
        runAt,
        priority,
        labels,
        concurrencyKey,
        parentTaskId: origin.parentTaskId ?? null,
        rerunOf: origin.rerunOf ?? null,
        idempotencyKey,
        requestDigest,
        lease,
      });
      if (lease && started.created) this.#runner.began(started.task, json);
      else if (lease) this.#runner.notBegun(taskId, type, concurrencyKey);
      return started;
    } catch (error) {
      if (lease) this.#runner.notBegun(taskId, type, concurrencyKey);
      throw error;
    }
  }

  /**
   * Starts a finished task again, linked to it, with the same parameters or others.
   *
   * @throws Conflict while it has not finished.
   */
  async rerun(task: TaskRecord, params: unknown, options: CallOptions): Promise<Started> {
    const { taskId, type, finishedAt, priority, labels } = task;
    if (finishedAt === null) {
      throw new Conflict(
        `Task ${taskId} has not finished (${task.status}). Wait for its end, or cancel it first.`,
        { status: task.status },
      );
    }
    const same =
      params === undefined ? (await this.#parts.store.getPayload(taskId))?.params : params;
    return this.start(type, same, { ...options, priority, labels }, { rerunOf: taskId });
  }

  /** A handler that is let finish may start its children; another process will run them. */
  #refuseWhenClosed({ parentTaskId }: Origin): void {
    if (!this.#isClosed || parentTaskId !== undefined) return;
    throw new ShuttingDown("The server is shutting down and starts no tasks. Try again shortly.");
  }
}

function checkIdempotencyKey(key: string | null): void {
  if (key !== null && (key === "" || key.length > 200)) {
    throw new InvalidInput("An idempotency key has 1 to 200 characters.");
  }
}

function checkLabels(labels: Labels): void {
  const pairs = Object.entries(labels);
  if (pairs.length > 20) throw new InvalidInput("A task has at most 20 labels.");
  for (const [key, value] of pairs) {
    if (!/^[\w.:/-]{1,60}$/.test(key)) {
      throw new InvalidInput(
        `The label "${key.slice(0, 80)}" needs a name of 1 to 60 letters, digits or . _ : / -.`,
      );
    }
    if (typeof value !== "string" || value.length > 200) {
      throw new InvalidInput(`The label "${key}" needs a text of at most 200 characters.`);
    }
  }
}
