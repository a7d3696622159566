import { systemActor } from "../core/actor.ts";
import type { Command, CommandKind, CommandResult } from "../core/command.ts";
import type { Change } from "../core/durable-task-store.ts";
import {
  describeThrown,
  hasErrorCode,
  LeaseLost,
  TaskCancelled,
  TaskTimeout,
} from "../core/errors.ts";
import { type JsonValue, toJsonValue } from "../core/json.ts";
import { cancelledText } from "../core/state-machine.ts";
import type { Progress, TaskRecord } from "../core/task.ts";
import { isTerminal } from "../core/task-status.ts";
import { defaultCancelGraceSeconds } from "../core/task-type.ts";
import { addSeconds, toTimestamp } from "../core/timestamp.ts";
import { AttemptContext } from "./attempt-context.ts";
import { AttemptSlot, type SlotSource } from "./attempt-slot.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { type Parkable, Parking } from "./parking.ts";
import { PatientWriter } from "./patient-writer.ts";
import { type RecordedHistory, Replay } from "./replay.ts";
import { retryDelay } from "./retry-delay.ts";
import { splitSecrets } from "./secret-parts.ts";
import type { RegisteredType } from "./task-type-registry.ts";
import { WorkTimer } from "./work-timer.ts";

/**
 * One execution of a handler. It begins with a lease and is over when the handler has settled and
 * its result is committed, or when it lost the task: then whatever the handler still does is
 * refused.
 */
export class Attempt {
  readonly task: TaskRecord;
  /** The newest progress, which may not be stored yet. */
  progress: Progress | null = null;
  readonly slot: AttemptSlot;
  /** What must not be seen by anybody but the handler. */
  readonly secrets: KnownSecrets;
  readonly #parts: EngineParts;
  readonly #type: RegisteredType;
  readonly #context: AttemptContext;
  readonly #abort = new AbortController();
  readonly #endWatch: () => void;
  #fence: LeaseLost | null = null;
  /** Why the handler is asked to stop: it was cancelled, or its time is up. */
  #stop: TaskCancelled | TaskTimeout | null = null;
  #onFenced: () => void = () => {};
  #stopGrace: (() => void) | null = null;
  #hasReturned = false;
  #questionsUnderWay = 0;
  #isOver = false;
  #onSafePoint: (() => void) | null = null;
  readonly #writer: PatientWriter;
  readonly #parking: Parking;

  constructor(
    parts: EngineParts,
    task: TaskRecord,
    type: RegisteredType,
    history: RecordedHistory,
    secrets: KnownSecrets,
    slots: (attempt: Attempt) => SlotSource,
  ) {
    this.#parts = parts;
    this.task = task;
    this.secrets = secrets;
    this.#type = type;
    this.#context = new AttemptContext(this, parts, new Replay(history));
    this.#writer = new PatientWriter(parts, task.taskId);
    this.#parking = new Parking(parts, type.options, this.#asParkable());
    const { timeout = Number.POSITIVE_INFINITY } = type.options;
    const timer = new WorkTimer(parts.clock, timeout, () => this.#timeOut(timeout));
    this.slot = new AttemptSlot(slots(this), timer, {
      onClock: (clock) => this.#post({ kind: "set_clock", clock }),
      onIdle: () => {
        this.#onSafePoint?.();
        this.#parking.arm();
      },
      onBusy: () => this.#parking.disarm(),
    });
    this.#endWatch = parts.hub.watchTask(task.taskId, (change) => this.#notice(change));
    if (task.cancelRequestedAt !== null) this.#cancel(task);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isCancelled(): boolean {
    return hasErrorCode(this.#stop, "task_cancelled");
  }

  /** A question or the end of the attempt is being committed. */
  get isDecisionUnderWay(): boolean {
    return this.#questionsUnderWay > 0 || (this.#hasReturned && !this.#isOver);
  }

  /** Runs the handler to its end; never rejects. */
  async run(params: JsonValue): Promise<void> {
    const fenced = new Promise<void>((resolve) => {
      this.#onFenced = resolve;
    });
    // What was committed between the claim and the start of our watch was not told to us.
    void this.#parts.store
      .getTask(this.task.taskId)
      .then((task) => task && this.#noticeTask(task))
      .catch(() => {});
    // A handler that never settles must not keep its slot once the task is no longer its own.
    await Promise.race([this.#runHandler(params), fenced]);
    this.#isOver = true;
    this.#stopGrace?.();
    this.#endWatch();
    this.#context.close();
    this.slot.release();
  }

  /** Gives the task back: this process is about to end. */
  async release(): Promise<void> {
    const { store, clock } = this.#parts;
    const { taskId, epoch } = this.task;
    const { wakesAt: wakeAt } = this.#context;
    this.#context.saveProgress();
    this.fence(new LeaseLost(`The process that ran task ${taskId} is shutting down.`));
    await store.commit({ kind: "release", taskId, at: clock.now(), epoch, wakeAt });
  }

  /**
   * Calls back once, as soon as stopping the handler would waste least: at once while it only waits,
   * else when a step has been recorded or a wait begins.
   */
  atSafePoint(callback: () => void): void {
    this.#onSafePoint = () => {
      this.#onSafePoint = null;
      callback();
    };
    if (this.slot.isOnlyWaiting) this.#onSafePoint();
  }

  /** The lease ran out or the task was ended by somebody else. */
  fence(reason: LeaseLost): void {
    if (this.#fence || this.#isOver) return;
    this.#fence = reason;
    this.#abort.abort(reason);
    this.#context.rejectWaits(reason);
    this.#onFenced();
  }

  /** @throws InvalidAnswer for an answer that the handler, which waits for it, would refuse. */
  checkAnswer(questionId: string, answer: JsonValue): Promise<void> {
    return this.#context.checkAnswer(questionId, answer);
  }

  /** @throws LeaseLost once this attempt may not write any more. */
  requireLive(): void {
    if (this.#fence) throw this.#fence;
    if (this.#isOver) {
      throw new LeaseLost(
        `The handler of task ${this.task.taskId} has already settled; ctx cannot be used after that.`,
      );
    }
  }

  /** @throws TaskCancelled once cancellation was requested, TaskTimeout once its time is up. */
  checkCancelled(): void {
    if (this.#stop) throw this.#stop;
    this.requireLive();
  }

  /**
   * Commits a write of this attempt. While the store cannot be written, waits and tries again: that
   * is no failure of the task.
   */
  commit<K extends CommandKind>(input: AttemptCommand<K>): Promise<CommandResult<K>> {
    const committed = this.#writer.write(() => this.#commitOnce(input));
    if (input.kind !== "ask") return committed;
    this.#questionsUnderWay += 1;
    return committed.finally(() => {
      this.#questionsUnderWay -= 1;
    });
  }

  /** Sends the write on its way before it returns. */
  #commitOnce<K extends CommandKind>(input: AttemptCommand<K>): Promise<CommandResult<K>> {
    const { store, clock } = this.#parts;
    const { taskId, epoch } = this.task;
    try {
      this.requireLive();
    } catch (error) {
      return Promise.reject(error);
    }
    const command = { ...input, taskId, epoch, at: clock.now() } as unknown as Command<K>;
    return store.commit(command).then(
      (result) => (input.kind === "record" ? this.#afterRecord(result) : result),
      (error: unknown) => {
        if (hasErrorCode(error, "lease_lost")) this.fence(error as LeaseLost);
        throw error;
      },
    );
  }

  /** A recorded step is where an attempt that is to be given back stops. */
  #afterRecord<Result>(result: Result): Result {
    if (this.#onSafePoint) {
      this.#onSafePoint();
      this.requireLive();
    }
    return result;
  }

  async #runHandler(params: JsonValue): Promise<void> {
    let ending: Ending;
    try {
      const { options, handler, secretSchemas } = this.#type;
      const input = options.params ? await options.params.parseAsync(params) : params;
      // Parsing may have changed them, for example trimmed them.
      const parsed =
        secretSchemas.length > 0 ? splitSecrets(secretSchemas, input as JsonValue) : null;
      for (const { value } of parsed?.parts ?? []) this.secrets.add(value);
      const value = await handler(this.#context, input);
      this.#hasReturned = true;
      await this.#context.settle();
      ending = {
        status: "completed",
        result: this.secrets.mask(toJsonValue(value ?? null, "the result")),
        error: null,
      };
    } catch (error) {
      this.#hasReturned = true;
      await this.#context.settle().catch(() => {});
      ending = this.#endingOf(error);
    }
    try {
      await this.#commitEnding(ending);
    } catch (error) {
      this.#reportUnended(error);
    }
  }

  #endingOf(error: unknown): Ending {
    // What was interrupted by ctx.signal often throws an error of its own making.
    const isAbort = this.#stop !== null && (error as Error | null)?.name === "AbortError";
    const cause = isAbort ? this.#stop : error;
    if (hasErrorCode(cause, "task_cancelled")) {
      const reason = this.isCancelled
        ? (this.#stop?.details.reason as string | null)
        : this.secrets.maskText(cause.message);
      return { status: "cancelled", result: null, error: cancelledText(reason) };
    }
    const text = this.secrets.maskText(describeThrown(cause));
    const delay = retryDelay(this.#type.options.retries, this.task.failures, cause);
    return delay === null || this.isCancelled
      ? { status: "failed", result: null, error: text }
      : { status: "retry", error: text, delay };
  }

  async #commitEnding(ending: Ending): Promise<void> {
    if (ending.status === "retry") {
      const now = toTimestamp(this.#parts.clock.now());
      const retryAt = addSeconds(now, ending.delay);
      await this.commit({ kind: "retry", error: ending.error, retryAt });
      return;
    }
    const { status, result, error } = ending;
    await this.commit({ kind: "finish", status, result, error });
  }

  /** A write that nobody waits for; it fails only with the attempt. */
  #post<K extends CommandKind>(input: Parameters<typeof this.commit<K>>[0]): void {
    void this.commit(input).catch(() => {});
  }

  #asParkable(): Parkable {
    const attempt = this;
    return {
      taskId: this.task.taskId,
      get isOnlyWaiting() {
        return attempt.slot.isOnlyWaiting;
      },
      get awaitedChildren() {
        return attempt.#context.awaitedChildren;
      },
      park: () => this.#park(),
    };
  }

  async #park(): Promise<boolean> {
    if (!this.slot.isOnlyWaiting || this.#isOver || this.#fence) return false;
    const { awaitedQuestions: openQuestions, wakesAt: wakeAt } = this.#context;
    this.#context.saveProgress();
    try {
      if (!(await this.commit({ kind: "park", openQuestions, wakeAt }))) return false;
    } catch (error) {
      this.#reportUnended(error);
      return false;
    }
    this.#fence = new LeaseLost(
      `Task ${this.task.taskId} is parked; a later attempt goes on with it.`,
    );
    this.#onFenced();
    return true;
  }

  #notice(change: Change): void {
    for (const question of change.questions) this.#context.noticeQuestion(question);
    this.#noticeTask(change.task);
  }

  #noticeTask(task: TaskRecord): void {
    if (task.epoch !== this.task.epoch) {
      // Ended over the handler's head; it is told why all the same.
      if (task.status === "cancelled") this.#cancel(task);
      this.fence(
        new LeaseLost(
          isTerminal(task.status)
            ? `Task ${task.taskId} was ended (${task.status}) before its handler settled.`
            : `Task ${task.taskId} was taken from this attempt.`,
        ),
      );
    } else if (task.cancelRequestedAt !== null && !isTerminal(task.status)) {
      this.#cancel(task);
    }
  }

  #cancel(task: TaskRecord): void {
    if (this.isCancelled) return;
    const why = task.cancelReason === null ? "" : `: ${task.cancelReason}`;
    const reason = new TaskCancelled(`Task ${task.taskId} was cancelled${why}`, {
      reason: task.cancelReason,
    });
    this.#askToStop(reason, () => this.#forceCancel(task));
  }

  #timeOut(seconds: number): void {
    if (this.#stop) return;
    const reason = new TaskTimeout(
      `The handler worked for more than the ${seconds} s that task type "${this.task.type}" allows.`,
    );
    this.#askToStop(reason, async () => {
      await this.#commitEnding(this.#endingOf(reason));
      this.fence(new LeaseLost(`Task ${this.task.taskId} has run out of time.`));
    });
  }

  /** Tells the handler to stop; `force` ends the task without it when it does not within grace. */
  #askToStop(reason: TaskCancelled | TaskTimeout, force: () => Promise<void>): void {
    this.#stop = reason;
    this.slot.stopQueueing();
    this.#abort.abort(reason);
    this.#context.rejectWaits(reason);
    const grace = this.#type.options.cancelGrace ?? defaultCancelGraceSeconds;
    this.#stopGrace?.();
    this.#stopGrace = this.#parts.clock.after(grace, () => {
      if (this.#isOver || this.#fence) return;
      const { taskId } = this.task;
      this.#parts.log.warn("a handler did not stop in time; ending its task without it", {
        taskId,
      });
      force().catch((error: unknown) => this.#reportUnended(error));
    });
  }

  async #forceCancel(task: TaskRecord): Promise<void> {
    const actor = task.cancelledBy ?? systemActor;
    await this.commit({ kind: "request_cancel", actor, reason: task.cancelReason, force: true });
  }

  #reportUnended(error: unknown): void {
    if (this.#fence) return;
    this.#parts.log.error("the end of an attempt could not be committed", {
      taskId: this.task.taskId,
      error: describeThrown(error),
    });
  }
}

/** A command whose task, time and epoch the attempt fills in. */
type AttemptCommand<K extends CommandKind> = { kind: K } & Omit<
  Command<K>,
  "kind" | "taskId" | "at" | "epoch"
>;

type Ending =
  | { status: "completed" | "failed" | "cancelled"; result: JsonValue; error: string | null }
  | { status: "retry"; error: string; delay: number };
