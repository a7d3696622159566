import type { Clock } from "../core/clock.ts";
import type { Progress } from "../core/task.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { Attempt } from "./attempt.ts";

const storeEverySeconds = 1;

/** Keeps the latest progress of an attempt and stores it at most once a second and at the end. */
export class ProgressReporter {
  readonly #attempt: Attempt;
  readonly #clock: Clock;
  #unsaved: Progress | null = null;
  #stopTimer: (() => void) | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(attempt: Attempt, clock: Clock) {
    this.#attempt = attempt;
    this.#clock = clock;
  }

  /** @returns whether the message differs from the one before. */
  report({ done, total, message, ...unit }: Omit<Progress, "at" | "pace">): boolean {
    const before = this.#attempt.progress;
    const progress: Progress = {
      done,
      total,
      ...unit,
      message: message ?? before?.message ?? null,
      at: toTimestamp(this.#clock.now()),
    };
    this.#attempt.progress = progress;
    this.#unsaved = progress;
    if (!this.#stopTimer) this.#saveAndPause();
    return message !== null && message !== before?.message;
  }

  /** Begins to store what is not stored yet. */
  save(): void {
    const progress = this.#unsaved;
    if (!progress) return;
    this.#unsaved = null;
    // A lost lease is noticed by the handler's next call; progress alone does not fail an attempt.
    this.#saving = this.#attempt.commit({ kind: "set_progress", progress }).then(
      () => {},
      () => {},
    );
  }

  /** Stores what is not stored yet. */
  async flush(): Promise<void> {
    this.save();
    await this.#saving;
  }

  close(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }

  #saveAndPause(): void {
    this.save();
    this.#stopTimer = this.#clock.after(storeEverySeconds, () => {
      this.#stopTimer = null;
      if (this.#unsaved) this.#saveAndPause();
    });
  }
}
