import type { RunnableTask } from "./durable-task-store.ts";

/** The engine, as a queue sees it. */
export interface QueueWork {
  /**
   * Claims and begins one task; false when it had nothing to do or somebody else has it.
   *
   * @throws StoreUnavailable, after which the queue tries again.
   */
  run(task: RunnableTask): Promise<boolean>;
  /** How many tasks can begin now. */
  freeSlots(): number;
  /** The task types that can begin now. */
  types(): readonly string[];
  /** The task types that cannot, because their own slots are taken. */
  fullTypes(): readonly string[];
  /** Concurrency keys that admit no further task. */
  fullKeys(): readonly string[];
}

/**
 * Hands work to the engine. Its promise: a task whose `wakeAt` has come is run at least once, by
 * at most one runner at a time; waking a task that has nothing to do is harmless.
 */
export interface TaskQueue {
  /** Begins to hand out work. */
  start(work: QueueWork): void;
  /** A hint that a task became due or a slot became free. */
  notify(): void;
  /**
   * Whether due tasks of this type and concurrency key may wait for a slot: a new one must not
   * overtake them.
   */
  hasBacklog(type: string, key: string | null): boolean;
  /** Stops handing out work; what runs goes on. Resolves when no claim is under way. */
  stop(): Promise<void>;
}
