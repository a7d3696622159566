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
  /** What the last look left out, because it had no slot then. */
  #skippedTypes: ReadonlySet<string> = new Set();
  #skippedKeys: ReadonlySet<string> = new Set();
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

  hasBacklog(type: string, key: string | null): boolean {
    if (this.#hasBacklog || this.#skippedTypes.has(type)) return true;
    return key !== null && this.#skippedKeys.has(key);
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
      const [types, fullTypes, fullKeys] = [work.types(), work.fullTypes(), work.fullKeys()];
      // What was left out before stays so until this look has found it.
      this.#skippedTypes = new Set([...this.#skippedTypes, ...fullTypes]);
      this.#skippedKeys = new Set([...this.#skippedKeys, ...fullKeys]);
      const due = await this.#store.findRunnable({ now, limit: wanted, types, fullKeys });
      this.#skippedTypes = new Set(fullTypes);
      this.#skippedKeys = new Set(fullKeys);
      this.#hasBacklog = due.length >= wanted;
      if (this.#work !== work || due.length === 0) return;
      // All of them, also when one fails: whoever stops the queue waits for every claim.
      const claims = await Promise.allSettled(due.map((task) => work.run(task)));
      const failed = claims.find((claim) => claim.status === "rejected");
      if (failed) throw failed.reason;
      // When none could be claimed, another runner has them: looking again at once would spin.
      const isProgress = claims.some((claim) => claim.status === "fulfilled" && claim.value);
      if (!isProgress || due.length < wanted) return;
    }
  }
}
