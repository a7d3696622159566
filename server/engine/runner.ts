import { systemActor } from "../core/actor.ts";
import type { Lease } from "../core/command.ts";
import type { Change, RunnableTask } from "../core/durable-task-store.ts";
import { describeThrown, hasErrorCode } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { Progress, TaskRecord } from "../core/task.ts";
import type { QuestionData } from "../core/task-question.ts";
import type { TaskQueue } from "../core/task-queue.ts";
import { Attempt } from "./attempt.ts";
import type { SlotSource } from "./attempt-slot.ts";
import { concurrencyOf, keyLimitOf } from "./concurrency-of.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { readHistory } from "./read-history.ts";
import { emptyHistory, type RecordedHistory } from "./replay.ts";
import { Sweeper } from "./sweeper.ts";

/**
 * The attempts of this process: begins them when the queue says so, keeps their leases, and ends
 * them when the process ends.
 */
export class Runner {
  readonly #parts: EngineParts;
  readonly #queue: TaskQueue;
  readonly #attempts = new Map<string, Attempt>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #leases: LeaseKeeper;
  readonly #sweeper: Sweeper;
  /** Tasks that were due while an attempt of theirs was not over yet. */
  readonly #missed = new Set<string>();
  #isStopping = false;
  /** Starts that took a slot and are being committed. */
  #starts = 0;
  #onStartsOver: () => void = () => {};

  constructor(parts: EngineParts, queue: TaskQueue) {
    this.#parts = parts;
    this.#queue = queue;
    this.#leases = new LeaseKeeper(parts, this.#attempts);
    this.#sweeper = new Sweeper(
      parts,
      (taskId) => this.#attempts.has(taskId),
      () => queue.notify(),
    );
  }

  async start(): Promise<void> {
    const { store, keys, types } = this.#parts;
    for (const { key, holders } of await store.listKeyHolders()) {
      const options = types.find(key.slice(0, key.indexOf(" ")))?.options;
      for (const taskId of holders) keys.tryTake(key, taskId, options ? keyLimitOf(options) : 1);
    }
    await this.#sweeper.recover();
    this.#queue.start({
      run: (task) => this.#claim(task),
      freeSlots: () => (this.#isStopping ? 0 : this.#parts.slots.free),
      types: () => {
        const { types, slots } = this.#parts;
        return types.names.filter((type) => slots.freeFor(type) > 0);
      },
      fullTypes: () => {
        const { types, slots } = this.#parts;
        return types.names.filter((type) => slots.freeFor(type) === 0);
      },
      fullKeys: () => this.#parts.keys.full(),
    });
  }

  lookForWork(): void {
    this.#queue.notify();
  }

  notice(change: Change): void {
    const { task } = change;
    const options =
      task.concurrencyKey === null ? null : this.#parts.types.find(task.type)?.options;
    if (options) this.#parts.keys.notice(task, keyLimitOf(options));
    this.#sweeper.notice(change);
  }

  /** Whether a question or the end of a task that runs here is being committed. */
  isDecisionUnderWay(taskId: string): boolean {
    return this.#attempts.get(taskId)?.isDecisionUnderWay ?? false;
  }

  /** The newest progress of a task that runs here; it may not be stored yet. */
  progressOf(taskId: string): Progress | null {
    return this.#attempts.get(taskId)?.progress ?? null;
  }

  /** @throws InvalidAnswer for an answer that a handler of this process would refuse. */
  async checkAnswer({ taskId, questionId }: QuestionData, answer: JsonValue): Promise<void> {
    await this.#attempts.get(taskId)?.checkAnswer(questionId, answer);
  }

  /** The tasks whose handlers this process runs. */
  runningTasks(): TaskRecord[] {
    return [...this.#attempts.values()].map((attempt) => attempt.task);
  }

  /**
   * A slot and a lease for a task about to be started, so that starting and claiming are one
   * transaction; null when it has to queue.
   */
  takeSlotForStart(taskId: string, type: string, key: string | null): Lease | null {
    if (this.#isStopping || this.#queue.hasBacklog(type, key)) return null;
    if (!this.#tryTake(taskId, type, key)) return null;
    this.#starts += 1;
    return this.#newLease();
  }

  /** Runs a task that was started with a slot taken before. */
  began(task: TaskRecord, params: JsonValue, secrets: KnownSecrets): void {
    this.#run(task, params, emptyHistory, secrets);
    this.#endStart();
  }

  /** Gives back what {@link takeSlotForStart} took, for a task that was not claimed. */
  notBegun(taskId: string, type: string, key: string | null): void {
    this.#returnSlot(taskId, type, key);
    this.#endStart();
  }

  async cancelAll(timeoutSeconds: number): Promise<void> {
    this.#isStopping = true;
    await this.#queue.stop();
    await this.#startsOver();
    await this.#cancelRunning(false);
    await this.#settled(timeoutSeconds);
    if (this.#attempts.size > 0) await this.#cancelRunning(true);
    await this.#settled(1);
  }

  async releaseAll(graceSeconds: number): Promise<void> {
    this.#isStopping = true;
    await this.#queue.stop();
    await this.#startsOver();
    const releases: Promise<void>[] = [];
    const release = (attempt: Attempt) => releases.push(attempt.release().catch(this.#report));
    for (const attempt of this.#attempts.values()) attempt.atSafePoint(() => release(attempt));
    await this.#settled(graceSeconds);
    for (const attempt of this.#attempts.values()) release(attempt);
    await Promise.all(releases);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#queue.stop();
    await this.#sweeper.stop();
    this.#leases.stop();
  }

  #newLease(): Lease {
    return { workerId: this.#parts.workerId, expiresAt: this.#leases.expiry() };
  }

  async #claim({ taskId, type, concurrencyKey }: RunnableTask): Promise<boolean> {
    const { store, clock } = this.#parts;
    if (this.#isStopping) return false;
    if (this.#attempts.has(taskId)) {
      // Its attempt has given it back and is about to be over; then it can be claimed.
      this.#missed.add(taskId);
      return false;
    }
    if (!this.#tryTake(taskId, type, concurrencyKey)) return false;
    let began = false;
    try {
      const lease = this.#newLease();
      const task = await store.commit({ kind: "claim", taskId, at: clock.now(), lease });
      if (!task) return false;
      const work = await readHistory(this.#parts, task).catch((error: unknown) =>
        this.#failUnreadable(task, error),
      );
      if (!work) return false;
      this.#run(task, work.params, work.history, work.secrets);
      began = true;
    } catch (error) {
      // The queue looks again once the store is back; nothing else would.
      if (hasErrorCode(error, "store_unavailable")) throw error;
      this.#report(error);
    } finally {
      if (!began) this.#returnSlot(taskId, type, concurrencyKey);
    }
    return began;
  }

  #tryTake(taskId: string, type: string, key: string | null): boolean {
    const { keys, slots, types } = this.#parts;
    const options = types.find(type)?.options;
    if (!options || slots.freeFor(type) === 0) return false;
    if (key !== null && !keys.tryTake(key, taskId, keyLimitOf(options))) return false;
    return slots.tryTake(type);
  }

  #returnSlot(taskId: string, type: string, key: string | null): void {
    this.#parts.slots.sourceFor(type).give();
    if (key !== null) this.#parts.keys.give(key, taskId);
  }

  #endStart(): void {
    this.#starts -= 1;
    if (this.#starts === 0) this.#onStartsOver();
  }

  /** Resolves when every start that took a slot has begun its task or given the slot back. */
  async #startsOver(): Promise<void> {
    if (this.#starts === 0) return;
    await new Promise<void>((resolve) => {
      this.#onStartsOver = resolve;
    });
  }

  /** The slots of an attempt; where its type says so, its concurrency key goes with them. */
  #slotSource(attempt: Attempt): SlotSource {
    const { slots, keys, types } = this.#parts;
    const { taskId, type, concurrencyKey } = attempt.task;
    const source = slots.sourceFor(type);
    const options = types.require(type).options;
    if (concurrencyKey === null || !concurrencyOf(options).releaseWhileWaiting) return source;
    let giving: Promise<unknown> = Promise.resolve();
    const setKey = (holdsKey: boolean) =>
      attempt.commit({ kind: "set_key", holdsKey }).catch(() => {});
    return {
      give: () => {
        source.give();
        giving = setKey(false);
      },
      retake: async () => {
        await giving;
        await keys.retake(concurrencyKey, taskId, keyLimitOf(options));
        await setKey(true);
        await source.retake();
      },
    };
  }

  /** Ends a task whose secrets cannot be read: no later attempt could either. */
  async #failUnreadable({ taskId, epoch }: TaskRecord, error: unknown): Promise<null> {
    if (!hasErrorCode(error, "secret_unreadable")) throw error;
    const { store, clock } = this.#parts;
    const ending = { status: "failed", result: null, error: describeThrown(error) } as const;
    await store.commit({ kind: "finish", taskId, at: clock.now(), epoch, ...ending });
    return null;
  }

  #run(task: TaskRecord, params: JsonValue, history: RecordedHistory, secrets: KnownSecrets): void {
    const type = this.#parts.types.require(task.type);
    const slots = (own: Attempt) => this.#slotSource(own);
    const attempt = new Attempt(this.#parts, task, type, history, secrets, slots);
    this.#attempts.set(task.taskId, attempt);
    this.#leases.ensureRunning();
    const running = attempt.run(params).finally(() => {
      if (this.#attempts.get(task.taskId) !== attempt) return;
      this.#attempts.delete(task.taskId);
      this.#running.delete(task.taskId);
      if (this.#missed.delete(task.taskId)) this.#queue.notify();
    });
    this.#running.set(task.taskId, running);
  }

  async #cancelRunning(force: boolean): Promise<void> {
    const { store, clock } = this.#parts;
    await Promise.all(
      [...this.#attempts.keys()].map((taskId) =>
        store
          .commit({
            kind: "request_cancel",
            taskId,
            at: clock.now(),
            actor: systemActor,
            reason: "the process is shutting down",
            force,
          })
          .catch(this.#report),
      ),
    );
  }

  /** Resolves when nothing runs any more, or after the time given. */
  async #settled(seconds: number): Promise<void> {
    if (this.#running.size === 0 || seconds <= 0) return;
    await new Promise<void>((resolve) => {
      const stopTimer = this.#parts.clock.after(seconds, resolve);
      void Promise.all(this.#running.values()).then(() => {
        stopTimer();
        resolve();
      });
    });
  }

  readonly #report = (error: unknown): void => {
    this.#parts.log.error("a write of the engine failed", { error: describeThrown(error) });
  };
}
