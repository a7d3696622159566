import type { Clock } from "../core/clock.ts";
import { microsPerSecond } from "../core/timestamp.ts";

/**
 * Counts the seconds an attempt works and calls back when it has used up its allowance. It stands
 * still while the attempt waits.
 */
export class WorkTimer {
  readonly #clock: Clock;
  readonly #onSpent: () => void;
  #leftSeconds: number;
  #runsSince: number | null = null;
  #stopTimer: (() => void) | null = null;

  /** @param seconds the allowance; Infinity never ends. */
  constructor(clock: Clock, seconds: number, onSpent: () => void) {
    this.#clock = clock;
    this.#leftSeconds = seconds;
    this.#onSpent = onSpent;
  }

  run(): void {
    if (this.#runsSince !== null || this.#leftSeconds === Number.POSITIVE_INFINITY) return;
    this.#runsSince = this.#clock.now();
    this.#stopTimer = this.#clock.after(this.#leftSeconds, () => {
      this.#leftSeconds = 0;
      this.#onSpent();
    });
  }

  pause(): void {
    if (this.#runsSince === null) return;
    const worked = (this.#clock.now() - this.#runsSince) / microsPerSecond;
    this.#leftSeconds = Math.max(0, this.#leftSeconds - worked);
    this.#runsSince = null;
    this.#stopTimer?.();
    this.#stopTimer = null;
  }
}
