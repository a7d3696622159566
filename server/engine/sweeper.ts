import { driverLeaseSeconds, isDriverWorker } from "../core/driver.ts";
import type { Change, Due } from "../core/durable-task-store.ts";
import { describeThrown, hasErrorCode } from "../core/errors.ts";
import { isTerminal } from "../core/task-status.ts";
import {
  addSeconds,
  type EpochMicros,
  microsPerSecond,
  parseTimestamp,
  type Timestamp,
  toTimestamp,
} from "../core/timestamp.ts";
import type { EngineParts } from "./engine-parts.ts";

const pageSize = 500;
// What comes due all at once, such as the leases of a hundred thousand tasks, is seen to in pages that
// keep the event loop for some milliseconds, with pauses for everybody else.
const duePageSize = 100;
const pauseSeconds = 0.02;
const retrySeconds = 1;
// Timers stand still while a machine sleeps, and know nothing of a clock that is set forward.
const mostSeconds = 60;
const defaultMaxInterrupts = 3;

/**
 * Does what only time brings about: closes questions at their deadline, takes the leases of workers
 * that vanished, and tells the queue when a task becomes due. It sleeps until the next such moment,
 * which the store knows and every commit may bring nearer.
 */
export class Sweeper {
  readonly #parts: EngineParts;
  readonly #isLive: (taskId: string) => boolean;
  readonly #onDue: () => void;
  #stopTimer: (() => void) | null = null;
  #armedFor: EpochMicros = Number.POSITIVE_INFINITY;
  #sweeping: Promise<void> | null = null;
  #again = false;
  #takingOver: Promise<void> = Promise.resolve();
  readonly #pauses = new Set<() => void>();
  #isStopped = false;

  /**
   * @param isLive whether this process runs the task: its lease is then its own business.
   * @param onDue called when a task may have become due.
   */
  constructor(parts: EngineParts, isLive: (taskId: string) => boolean, onDue: () => void) {
    this.#parts = parts;
    this.#isLive = isLive;
    this.#onDue = onDue;
  }

  /**
   * Takes the leases of earlier processes, whose file lock this process now has. Resolves once every
   * task that has work left is due. Those that wait for a human may be very many and have no hurry:
   * the first of them are seen to at once, the others one page after the other while tasks run.
   */
  async recover(): Promise<void> {
    const workers = await this.#parts.store.listWorkers();
    await this.#takeOverRunning();
    const isAnyGone = workers.some((workerId) => workerId !== this.#parts.workerId);
    if (isAnyGone && (await this.#takeOverPage())) this.#takingOver = this.#takeOverRest();
    this.sweepNow();
  }

  /**
   * Also wakes what was parked to wait for another task. The wake by a child's end can fall between
   * the end and the parking; everything else that is parked has its own wake in the store.
   */
  async #takeOverRunning(): Promise<void> {
    const { store, clock } = this.#parts;
    for (let after: string | null = null; ; ) {
      const page = await store.listTasks({ statuses: ["running"], limit: pageSize, after });
      await Promise.all(
        page.items.map(async (task) => {
          const { taskId, workerId, wakeAt } = task;
          if (workerId !== null) await this.#takeOver({ ...task, workerId });
          else if (wakeAt === null) await store.commit({ kind: "wake", taskId, at: clock.now() });
        }),
      );
      after = page.nextCursor;
      if (after === null) return;
    }
  }

  /** @returns whether there may be more. */
  async #takeOverPage(): Promise<boolean> {
    const { store, clock } = this.#parts;
    const everything = toTimestamp(clock.now() + 365 * 24 * 3600 * microsPerSecond);
    const { expiredLeases } = await store.findDue(everything, duePageSize);
    const taken = await Promise.all(expiredLeases.map((lease) => this.#takeOver(lease)));
    return taken.includes(true) && expiredLeases.length === duePageSize;
  }

  async #takeOverRest(): Promise<void> {
    try {
      do await this.#pause();
      while (!this.#isStopped && (await this.#takeOverPage()));
    } catch (error) {
      // They run out by themselves, a little later.
      const { log } = this.#parts;
      log.warn("leases of an earlier process were left to run out", {
        error: describeThrown(error),
      });
    }
  }

  async #takeOver(lease: Due["expiredLeases"][number]): Promise<boolean> {
    if (lease.workerId === this.#parts.workerId) return false;
    if (isDriverWorker(lease.workerId)) {
      await this.#awaitDriver(lease.taskId);
      return false;
    }
    await this.#expire(lease, lease.workerId);
    return true;
  }

  /** A driver could not be heard while no process was there: it has its time once more. */
  async #awaitDriver(taskId: string): Promise<void> {
    const { store, clock } = this.#parts;
    const task = await store.getTask(taskId);
    if (!task) return;
    const at = clock.now();
    const expiresAt = addSeconds(toTimestamp(at), driverLeaseSeconds);
    await store.commit({ kind: "renew", taskId, at, epoch: task.epoch, expiresAt });
  }

  /** A commit may have brought the next moment nearer. */
  notice(change: Change): void {
    const { task } = change;
    if (isTerminal(task.status)) return;
    if (task.wakeAt !== null) {
      if (task.wakeAt <= toTimestamp(this.#parts.clock.now())) this.#onDue();
      else this.#armBy(parseTimestamp(task.wakeAt));
    }
    for (const question of change.questions) {
      if (question.outcome === null) this.#armBy(parseTimestamp(question.deadline));
    }
    if (task.leaseExpiresAt !== null && !this.#isLive(task.taskId)) {
      this.#armBy(parseTimestamp(task.leaseExpiresAt));
    }
  }

  sweepNow(): void {
    if (this.#isStopped) return;
    if (this.#sweeping) {
      this.#again = true;
      return;
    }
    this.#disarm();
    this.#sweeping = this.#sweep().finally(() => {
      this.#sweeping = null;
      if (this.#again) {
        this.#again = false;
        this.sweepNow();
      }
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#disarm();
    for (const end of this.#pauses) end();
    await this.#sweeping;
    await this.#takingOver;
  }

  async #sweep(): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      for (;;) {
        const now = clock.now();
        const due = await store.findDue(toTimestamp(now), duePageSize);
        const leases = due.expiredLeases.filter(({ taskId }) => !this.#isLive(taskId));
        await Promise.all([
          ...due.questions.map((question) => this.#timeOut(question)),
          ...leases.map((lease) => this.#expire(lease, null)),
        ]);
        if (due.questions.length < duePageSize && leases.length < duePageSize) break;
        await this.#pause();
        if (this.#isStopped) return;
      }
      this.#onDue();
      const next = await store.nextDueAt();
      if (next !== null) this.#armBy(this.#afterLiveLeases(parseTimestamp(next)));
    } catch (error) {
      log.error("looking for due work failed; trying again", { error: describeThrown(error) });
      this.#armBy(clock.now() + retrySeconds * microsPerSecond);
    }
  }

  // What is due already was just seen to, or belongs to a task that runs here: no spinning.
  #afterLiveLeases(next: EpochMicros): EpochMicros {
    const now = this.#parts.clock.now();
    return next > now ? next : now + retrySeconds * microsPerSecond;
  }

  async #timeOut({ taskId, questionId }: Due["questions"][number]): Promise<void> {
    await this.#parts.store.commit({
      kind: "resolve",
      taskId,
      at: this.#parts.clock.now(),
      questionId,
      outcome: "timed_out",
      answer: null,
      declineReason: null,
      actor: null,
    });
  }

  async #expire(lease: Due["expiredLeases"][number], deadWorkerId: string | null): Promise<void> {
    const options = this.#parts.types.find(lease.type)?.options;
    const most = options?.maxInterrupts ?? defaultMaxInterrupts;
    const wasWorking = lease.status !== "waiting_for_input";
    const interrupts = lease.interrupts + (wasWorking ? 1 : 0);
    let fail: string | null = null;
    if (options?.onInterrupt === "fail") {
      fail = "Interrupted: the worker that ran this task vanished";
    } else if (interrupts > most) {
      fail = `Interrupted: the worker vanished ${interrupts} times in a row; the most allowed is ${most}`;
    }
    try {
      const wakeAt = await this.#sleepEndOf(lease.taskId);
      await this.#parts.store.commit({
        kind: "expire",
        taskId: lease.taskId,
        at: this.#parts.clock.now(),
        deadWorkerId,
        reason: deadWorkerId === null ? "its lease ran out" : "its process ended",
        fail,
        wakeAt,
      });
    } catch (error) {
      if (!hasErrorCode(error, "task_not_found")) throw error;
    }
  }

  /** When a task that waits for an answer wakes from a sleep it is in besides; null if in none. */
  async #sleepEndOf(taskId: string): Promise<Timestamp | null> {
    const { store, leaseSeconds } = this.#parts;
    const task = await store.getTask(taskId);
    if (!task?.leaseExpiresAt || task.openQuestions === 0) return null;
    // The journal does not say whether a sleep is over. One that ended after the worker was last
    // heard of wakes the task all the same: that costs no more than a replay.
    const aliveAt = addSeconds(task.leaseExpiresAt, -leaseSeconds);
    const ends = (await store.getJournal(taskId))
      .filter((entry) => entry.kind === "sleep" && String(entry.value) > aliveAt)
      .map((entry) => String(entry.value));
    return ends.sort()[0] ?? null;
  }

  /** Lets others run; a stop ends it at once. */
  async #pause(): Promise<void> {
    if (this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        stopTimer();
        this.#pauses.delete(end);
        resolve();
      };
      const stopTimer = this.#parts.clock.after(pauseSeconds, end);
      this.#pauses.add(end);
    });
  }

  #armBy(moment: EpochMicros): void {
    if (this.#isStopped || moment >= this.#armedFor) return;
    this.#disarm();
    this.#armedFor = moment;
    const seconds = Math.max(0, (moment - this.#parts.clock.now()) / microsPerSecond);
    this.#stopTimer = this.#parts.clock.after(Math.min(seconds, mostSeconds), () => {
      this.#armedFor = Number.POSITIVE_INFINITY;
      this.sweepNow();
    });
  }

  #disarm(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
  }
}
