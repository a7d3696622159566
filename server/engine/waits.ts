import type { Timestamp } from "../core/timestamp.ts";

/** A wait of the handler that a cancel or the loss of the lease cuts short. */
export interface Wait {
  reject(reason: Error): void;
  /** The timer that ends it, where one does. */
  stopTimer?: () => void;
  /** When it ends by itself; null when only somebody else can end it. */
  until: Timestamp | null;
}

/** The waits a handler is in. */
export class Waits {
  readonly #waits = new Set<Wait>();

  /** @returns a function that takes it out again. */
  add(wait: Wait): () => void {
    this.#waits.add(wait);
    return () => this.#waits.delete(wait);
  }

  /** The first moment at which one of them ends by itself; null when none does. */
  get firstEnd(): Timestamp | null {
    return [...this.#waits].flatMap(({ until }) => until ?? []).sort()[0] ?? null;
  }

  rejectAll(reason: Error): void {
    for (const wait of [...this.#waits]) wait.reject(reason);
  }

  /** A wait that lost a race stays unsettled, and must not keep the process alive. */
  stopTimers(): void {
    for (const wait of this.#waits) wait.stopTimer?.();
  }
}
