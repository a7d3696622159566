import { type Actor, isSameActor } from "../core/actor.ts";
import { driverLeaseSeconds, driverWorkerId, isDriven } from "../core/driver.ts";
import {
  Conflict,
  Forbidden,
  hasErrorCode,
  InvalidInput,
  InvalidParams,
  LeaseLost,
  TaskNotFound,
} from "../core/errors.ts";
import { isJsonObject, type JsonValue, jsonEquals, toJsonValue } from "../core/json.ts";
import { plainStart } from "../core/plain-start.ts";
import { cancelledText } from "../core/state-machine.ts";
import type { Labels, TaskRecord } from "../core/task.ts";
import { isTerminal, type TaskStatus, type TerminalStatus } from "../core/task-status.ts";
import { addSeconds, type Timestamp, toTimestamp } from "../core/timestamp.ts";
import { type DrivenAsk, type DrivenOutcome, DriverQuestions } from "./driver-questions.ts";
import type { EngineParts } from "./engine-parts.ts";
import { jsonDigest } from "./json-digest.ts";
import type { Poller } from "./poller.ts";
import { type DrivenUpdate, PostingOnce } from "./posting-once.ts";
import { checkStartOptions } from "./task-starter.ts";
import { checkTypeName } from "./task-type-registry.ts";

/** What a driver is told with every answer, so that it hears of a cancel whatever it does. */
export interface DriverState {
  taskId: string;
  status: TaskStatus;
  cancelRequested: boolean;
  cancelReason: string | null;
  /** When the task ends unless the driver calls before; null once it has ended. */
  leaseExpiresAt: Timestamp | null;
}

export interface DriveStarted extends DriverState {
  /** Names the driver in every later call. */
  driverId: string;
  /** False when the idempotency key had started the task before. */
  created: boolean;
}

/** Who drives, and for how many seconds from now it wants the lease. */
export interface DriverCall {
  actor: Actor;
  driverId: string;
  leaseSeconds?: number;
}

export interface DriveStartOptions {
  actor: Actor;
  driverId?: string;
  leaseSeconds?: number;
  idempotencyKey?: string;
  priority?: number;
  labels?: Labels;
}

export interface DrivenEnd {
  status: TerminalStatus;
  result?: unknown;
  error?: string | null;
}

/**
 * Tasks that a program outside runs, which keeps a lease up with its calls. Everything it says is
 * decided like the words of a handler; a program that falls silent ends its task.
 */
export class Driving {
  readonly #parts: EngineParts;
  readonly #questions: DriverQuestions;
  readonly #posting: PostingOnce;

  constructor(parts: EngineParts, poller: Pick<Poller, "poll">) {
    this.#parts = parts;
    this.#questions = new DriverQuestions(parts, poller);
    this.#posting = new PostingOnce(parts);
  }

  /**
   * Starts a task of a type without a handler and gives the caller its lease.
   *
   * @throws Conflict for a type that has a handler, and for a task that another driver has.
   * @throws InvalidInput, InvalidParams, IdempotencyConflict, ShuttingDown
   */
  async start(type: string, params: unknown, options: DriveStartOptions): Promise<DriveStarted> {
    const { types, store, clock, makeId, starter } = this.#parts;
    starter().refuseWhenClosed();
    checkTypeName(type);
    if (types.find(type)) {
      throw new Conflict(
        `The task type "${type}" has a handler here, which runs its tasks: start it as a task, or drive ` +
          "one of another type.",
        { type },
      );
    }
    checkStartOptions(options);
    const { actor, idempotencyKey = null, priority = 0, labels = {} } = options;
    const driverId = options.driverId ?? makeId("w");
    const workerId = driverWorkerId(driverId);
    const given = toJsonValue(params ?? {}, "params");
    if (!isJsonObject(given)) {
      throw new InvalidParams("params must be an object with named values.");
    }
    const at = clock.now();
    const lease = { workerId, expiresAt: this.#expiry(options.leaseSeconds) };
    const { task, created } = await store.commit({
      ...plainStart,
      taskId: makeId("task"),
      at,
      type,
      params: given,
      actor,
      priority,
      labels,
      idempotencyKey,
      requestDigest: idempotencyKey === null ? null : jsonDigest(given),
      lease,
      driven: true,
    });
    const isAnothers = task.workerId !== workerId && !isTerminal(task.status);
    if (isAnothers || !isDriven(task)) {
      throw new Conflict(
        `Task ${task.taskId} was started with this idempotency key before, and another program runs it. ` +
          "Use a new key for a new task.",
        { taskId: task.taskId },
      );
    }
    return { ...stateOf(task), driverId, created };
  }

  /** Keeps the lease up. @throws as every call of a driver does; see {@link Driving.update}. */
  async heartbeat(taskId: string, call: DriverCall): Promise<DriverState> {
    return this.#renew(await this.#held(taskId, call), call);
  }

  /**
   * Posts an update.
   *
   * @throws TaskNotFound, Forbidden for another caller's task, Conflict once it has ended or where a
   *   handler runs it, LeaseLost where another driver has it.
   */
  async update(taskId: string, update: DrivenUpdate, call: DriverCall): Promise<DriverState> {
    const task = await this.#held(taskId, call);
    const [, state] = await Promise.all([
      this.#posting.post(task, update),
      this.#renew(task, call),
    ]);
    return state;
  }

  /** Says how far it is; a message that is new is also posted as an update. @throws as `update` */
  async progress(
    taskId: string,
    progress: {
      done: number;
      total?: number | null;
      message?: string | null;
      unit?: string;
      /** As of {@link DrivenUpdate}: the message of a call that is repeated is posted once. */
      key?: string;
    },
    call: DriverCall,
  ): Promise<DriverState> {
    const task = await this.#held(taskId, call);
    const { store, clock } = this.#parts;
    const { done, total = null, message = null, unit, key } = progress;
    const at = clock.now();
    const { epoch } = task;
    await store.commit({
      kind: "set_progress",
      taskId,
      at,
      epoch,
      progress: {
        done,
        total,
        message,
        ...(unit === undefined ? {} : { unit }),
        at: toTimestamp(at),
      },
    });
    if (message !== null && message !== task.progress?.message) {
      await this.#posting.post(task, { message, key });
    }
    return this.#renew(task, call);
  }

  /**
   * Asks a question, once for each `key`, and waits up to `wait` seconds for its outcome. The same
   * call again waits on. Operators answer, unless `answerableBy` says that anyone may.
   *
   * @throws InvalidInput for a question that is none; else as `update`.
   */
  async ask(
    taskId: string,
    ask: DrivenAsk,
    call: DriverCall & { wait: number; signal?: AbortSignal },
  ): Promise<DriverState & DrivenOutcome> {
    const task = await this.#held(taskId, call);
    const leaseSeconds = (call.leaseSeconds ?? driverLeaseSeconds) + call.wait;
    await this.#renew(task, { ...call, leaseSeconds });
    const outcome = await this.#questions.ask(task, ask, call);
    return { ...stateOf(await this.#find(taskId)), ...outcome };
  }

  /**
   * Ends the task. The same end again is told as done.
   *
   * @throws Conflict when it has ended otherwise; else as `update`.
   */
  async finish(taskId: string, end: DrivenEnd, call: DriverCall): Promise<DriverState> {
    const { status } = end;
    const result = toJsonValue(end.result ?? null, "result");
    const cancelled = status === "cancelled" ? cancelledText(null) : null;
    const error = end.error ?? cancelled;
    if ((status === "failed") !== (error !== null) && status !== "cancelled") {
      throw new InvalidInput(
        status === "failed"
          ? "A task that failed needs an error: what went wrong, as `Name: message`."
          : "A task that completed has no error; give a result instead.",
      );
    }
    if (await this.#isRepeatedEnd(taskId, call, { status, result, error })) {
      return stateOf(await this.#find(taskId));
    }
    const { epoch, cancelReason } = await this.#held(taskId, call);
    const { store, clock } = this.#parts;
    const words = status === "cancelled" && !end.error ? cancelledText(cancelReason) : error;
    const command = { kind: "finish", taskId, at: clock.now(), epoch, status, result } as const;
    try {
      return stateOf(await store.commit({ ...command, error: words }));
    } catch (error) {
      if (!hasErrorCode(error, "lease_lost")) throw error;
      throw ended(await this.#find(taskId));
    }
  }

  async #isRepeatedEnd(
    taskId: string,
    { actor }: DriverCall,
    end: { status: TerminalStatus; result: JsonValue; error: string | null },
  ): Promise<boolean> {
    const task = await this.#find(taskId);
    if (task.status !== end.status || !isDriven(task)) return false;
    if (!isSameActor(task.createdBy, actor)) return false;
    const payload = await this.#parts.store.getPayload(taskId);
    const isSameError = payload?.error === end.error || end.status === "cancelled";
    return isSameError && jsonEquals(payload?.result ?? null, end.result);
  }

  async #renew(task: TaskRecord, { leaseSeconds }: DriverCall): Promise<DriverState> {
    const { store, clock } = this.#parts;
    const { taskId, epoch } = task;
    const expiresAt = this.#expiry(leaseSeconds);
    const isHeld = await store.commit({ kind: "renew", taskId, at: clock.now(), epoch, expiresAt });
    const now = await this.#find(taskId);
    if (isHeld || isTerminal(now.status)) return stateOf(now);
    throw anothers(taskId);
  }

  /** The task, if this driver has it. */
  async #held(taskId: string, { actor, driverId }: DriverCall): Promise<TaskRecord> {
    const task = await this.#find(taskId);
    if (!isDriven(task)) {
      throw new Conflict(`Task ${taskId} is run by its handler, and not driven from outside.`);
    }
    if (!isSameActor(task.createdBy, actor)) {
      throw new Forbidden(`Task ${taskId} is driven by whoever started it, and by nobody else.`);
    }
    if (isTerminal(task.status)) throw ended(task);
    if (task.workerId !== driverWorkerId(driverId)) throw anothers(taskId);
    return task;
  }

  async #find(taskId: string): Promise<TaskRecord> {
    const task = await this.#parts.store.getTask(taskId);
    if (task) return task;
    throw new TaskNotFound(`There is no task ${taskId}.`);
  }

  #expiry(leaseSeconds = driverLeaseSeconds): Timestamp {
    return addSeconds(toTimestamp(this.#parts.clock.now()), leaseSeconds);
  }
}

function stateOf(task: TaskRecord): DriverState {
  return {
    taskId: task.taskId,
    status: task.status,
    cancelRequested: task.cancelRequestedAt !== null,
    cancelReason: task.cancelReason,
    leaseExpiresAt: task.leaseExpiresAt,
  };
}

function ended({ taskId, status, errorSummary }: TaskRecord): Conflict {
  const why = errorSummary === null ? "" : `, ${errorSummary}`;
  return new Conflict(
    `Task ${taskId} has already ended (${status}${why}). Nothing was changed by this call.`,
    { status, error: errorSummary },
  );
}

function anothers(taskId: string): LeaseLost {
  return new LeaseLost(`Task ${taskId} is driven by another program now; this one must stop.`);
}
