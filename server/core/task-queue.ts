/** Runs one task until it has nothing to do; resolves when its slot is free again. */
export type RunTask = (taskId: string) => Promise<void>;

/**
 * Hands work to the engine. Its promise: a task whose `wakeAt` has come is run at least once, by
 * at most one runner at a time; waking a task that has nothing to do is harmless.
 */
export interface TaskQueue {
  /** Begins to hand out work, at most `concurrency` tasks at a time. */
  start(run: RunTask, options: { concurrency: number; types: () => readonly string[] }): void;
  /** Slots not in use; the engine uses it to claim a task in the transaction that starts it. */
  readonly freeSlots: number;
  /** Takes a slot for a task the engine claimed itself, or that runs again after waiting. */
  takeSlot(): void;
  giveSlot(): void;
  /** Stops handing out work; what runs goes on. */
  stop(): Promise<void>;
}
