import { systemActor } from "../core/actor.ts";
import type { Lease } from "../core/command.ts";
import type { Change } from "../core/durable-task-store.ts";
import { describeThrown, LeaseLost } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { Progress, TaskRecord } from "../core/task.ts";
import type { QuestionData } from "../core/task-question.ts";
import type { TaskQueue } from "../core/task-queue.ts";
import { Attempt } from "./attempt.ts";
import type { EngineParts } from "./engine-parts.ts";
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
  #isStopping = false;

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
    await this.#sweeper.recover();
    this.#queue.start({
      run: (taskId, type) => this.#claim(taskId, type),
      freeSlots: () => (this.#isStopping ? 0 : this.#parts.slots.free),
      types: () => this.#parts.types.names.filter((type) => this.#parts.slots.freeFor(type) > 0),
    });
  }

  lookForWork(): void {
    this.#queue.notify();
  }

  notice(change: Change): void {
    this.#sweeper.notice(change);
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
  takeSlotForStart(type: string): Lease | null {
    const { types, slots } = this.#parts;
    if (this.#isStopping || this.#queue.hasBacklog || !types.find(type)) return null;
    return slots.tryTake(type) ? this.#newLease() : null;
  }

  returnSlot(type: string): void {
    this.#parts.slots.sourceFor(type).give();
  }

  /** A task was started with a slot taken before: runs it, unless it had been started earlier. */
  began(started: { task: TaskRecord; created: boolean }, params: JsonValue): void {
    if (started.created) this.#run(started.task, params, emptyHistory);
    else this.returnSlot(started.task.type);
  }

  async cancelAll(timeoutSeconds: number): Promise<void> {
    this.#isStopping = true;
    await this.#queue.stop();
    await this.#cancelRunning(false);
    await this.#settled(timeoutSeconds);
    if (this.#attempts.size > 0) await this.#cancelRunning(true);
    await this.#settled(1);
  }

  async releaseAll(graceSeconds: number): Promise<void> {
    this.#isStopping = true;
    await this.#queue.stop();
    await this.#settled(graceSeconds);
    const { store, clock } = this.#parts;
    await Promise.all(
      [...this.#attempts.values()].map(async (attempt) => {
        const { taskId, epoch } = attempt.task;
        attempt.fence(new LeaseLost(`The process that ran task ${taskId} is shutting down.`));
        await store.commit({ kind: "release", taskId, at: clock.now(), epoch }).catch(this.#report);
      }),
    );
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

  async #claim(taskId: string, type: string): Promise<boolean> {
    const { store, clock, slots, types } = this.#parts;
    if (this.#isStopping || this.#attempts.has(taskId) || !slots.tryTake(type)) return false;
    let task: TaskRecord | null = null;
    try {
      task = await store.commit({
        kind: "claim",
        taskId,
        at: clock.now(),
        lease: this.#newLease(),
      });
      if (!task || !types.find(task.type)) return false;
      const { params, history } = await readHistory(store, task);
      this.#run(task, params, history);
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    } finally {
      if (!this.#attempts.has(taskId)) this.returnSlot(type);
    }
  }

  #run(task: TaskRecord, params: JsonValue, history: RecordedHistory): void {
    const type = this.#parts.types.require(task.type);
    const attempt = new Attempt(
      this.#parts,
      task,
      type,
      history,
      this.#parts.slots.sourceFor(task.type),
    );
    this.#attempts.set(task.taskId, attempt);
    this.#leases.ensureRunning();
    const running = attempt.run(params).finally(() => {
      if (this.#attempts.get(task.taskId) !== attempt) return;
      this.#attempts.delete(task.taskId);
      this.#running.delete(task.taskId);
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
