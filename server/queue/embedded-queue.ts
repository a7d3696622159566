import type { Clock } from "../core/clock.ts";
import type { DurableTaskStore } from "../core/durable-task-store.ts";
import type { QueueWork, TaskQueue } from "../core/task-queue.ts";
import { toTimestamp } from "../core/timestamp.ts";

const maxClaimsAtOnce = 200;

/**
 * The queue of a single process. The `wakeAt` of the task's row is the durable wake, so it is
 * always in the transaction it belongs to; this only looks for rows that are due.
 */
export class EmbeddedQueue implements TaskQueue {
  readonly #store: DurableTaskStore;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #work: QueueWork | null = null;
  #pumping: Promise<void> | null = null;
  #notified = false;
  #hasBacklog = false;
  #cancelRetry: (() => void) | null = null;

  constructor(options: {
    store: DurableTaskStore;
    clock: Clock;
    onError?: (error: unknown) => void;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#onError = options.onError ?? (() => {});
  }

  get hasBacklog(): boolean {
    return this.#hasBacklog;
  }

  start(work: QueueWork): void {
    this.#work = work;
    this.notify();
  }

  notify(): void {
    this.#notified = true;
    if (!this.#work || this.#pumping) return;
    this.#pumping = this.#pump().finally(() => {
      this.#pumping = null;
      if (this.#notified && this.#work) this.notify();
    });
  }

  async stop(): Promise<void> {
    this.#work = null;
    this.#cancelRetry?.();
    await this.#pumping;
  }

  async #pump(): Promise<void> {
    try {
      while (this.#work && this.#notified) {
        this.#notified = false;
        await this.#claimWhatIsDue(this.#work);
      }
    } catch (error) {
      this.#onError(error);
      // The store is away; look again by ourselves, because nobody else will call.
      this.#cancelRetry?.();
      this.#cancelRetry = this.#clock.after(1, () => this.notify());
    }
  }

  async #claimWhatIsDue(work: QueueWork): Promise<void> {
    for (;;) {
      const wanted = Math.min(work.freeSlots(), maxClaimsAtOnce);
      if (wanted <= 0) {
        this.#hasBacklog = true;
        return;
      }
      const now = toTimestamp(this.#clock.now());
      const due = await this.#store.findRunnable({
        now,
        limit: wanted,
        types: work.types(),
        fullKeys: work.fullKeys(),
      });
      this.#hasBacklog = due.length >= wanted;
      if (this.#work !== work || due.length === 0) return;
      const claimed = await Promise.all(due.map((task) => work.run(task)));
      // When none could be claimed, another runner has them: looking again at once would spin.
      if (!claimed.includes(true) || due.length < wanted) return;
    }
  }
}
