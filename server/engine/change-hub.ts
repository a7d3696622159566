import type { Change } from "../core/durable-task-store.ts";

type Listener = (change: Change) => void;

/** Passes committed changes on to whoever watches one task, or all of them. */
export class ChangeHub {
  readonly #byTask = new Map<string, Set<Listener>>();
  readonly #all = new Set<Listener>();

  publish(change: Change): void {
    for (const listener of this.#all) listener(change);
    const listeners = this.#byTask.get(change.task.taskId);
    if (listeners) for (const listener of [...listeners]) listener(change);
  }

  /** @returns a function that ends it. */
  watchTask(taskId: string, listener: Listener): () => void {
    const listeners = this.#byTask.get(taskId) ?? new Set();
    this.#byTask.set(taskId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byTask.get(taskId) === listeners) {
        this.#byTask.delete(taskId);
      }
    };
  }

  /** @returns a function that ends it. */
  watchAll(listener: Listener): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  /** Watchers of single tasks; a test that ends with any has leaked. */
  get watcherCount(): number {
    let count = 0;
    for (const listeners of this.#byTask.values()) count += listeners.size;
    return count;
  }
}
