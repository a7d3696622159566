import type { TaskRecord } from "../core/task.ts";

interface KeyState {
  limit: number;
  holders: Set<string>;
  /** Attempts that gave the key up for a wait and want it back, in their order. */
  returning: { taskId: string; resolve: () => void }[];
}

/**
 * How many tasks run under each concurrency key: a mirror of the `holdsKey` of the tasks in the
 * store, plus those about to be claimed.
 */
export class KeyLimits {
  readonly #keys = new Map<string, KeyState>();
  readonly #onFree: () => void;

  /** @param onFree called when a key admits another task. */
  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  /** Whether `taskId` may run under the key; counts it among its holders if so. */
  tryTake(key: string, taskId: string, limit: number): boolean {
    const state = this.#state(key, limit);
    if (state.holders.has(taskId)) return true;
    if (state.returning.length > 0 || state.holders.size >= limit) return false;
    state.holders.add(taskId);
    return true;
  }

  /** Takes the key again after a wait, ahead of tasks that have not begun. */
  async retake(key: string, taskId: string, limit: number): Promise<void> {
    if (this.tryTake(key, taskId, limit)) return;
    await new Promise<void>((resolve) => {
      this.#state(key, limit).returning.push({ taskId, resolve });
    });
  }

  /** A task does not run under the key any more, or was not claimed after all. */
  give(key: string, taskId: string): void {
    const state = this.#keys.get(key);
    if (!state?.holders.delete(taskId)) return;
    const next = state.returning.shift();
    if (next) {
      state.holders.add(next.taskId);
      next.resolve();
    } else {
      if (state.holders.size === 0) this.#keys.delete(key);
      this.#onFree();
    }
  }

  /** Follows what was committed. */
  notice({ taskId, concurrencyKey, holdsKey }: TaskRecord, limit: number): void {
    if (concurrencyKey === null) return;
    if (holdsKey) this.#state(concurrencyKey, limit).holders.add(taskId);
    else this.give(concurrencyKey, taskId);
  }

  /** Keys that admit no further task. */
  full(): string[] {
    return [...this.#keys]
      .filter(([, { holders, limit, returning }]) => holders.size >= limit || returning.length > 0)
      .map(([key]) => key);
  }

  #state(key: string, limit: number): KeyState {
    const state = this.#keys.get(key) ?? { limit, holders: new Set(), returning: [] };
    this.#keys.set(key, state);
    return state;
  }
}
