import { describeThrown, LeaseLost } from "../core/errors.ts";
import { microsPerSecond, toTimestamp } from "../core/timestamp.ts";
import type { Attempt } from "./attempt.ts";
import type { EngineParts } from "./engine-parts.ts";

/** Renews the leases of this process's attempts, three times in the life of a lease. */
export class LeaseKeeper {
  readonly #parts: EngineParts;
  readonly #attempts: ReadonlyMap<string, Attempt>;
  #stopTimer: (() => void) | null = null;

  constructor(parts: EngineParts, attempts: ReadonlyMap<string, Attempt>) {
    this.#parts = parts;
    this.#attempts = attempts;
  }

  /** When a lease taken now runs out. */
  expiry(): string {
    return toTimestamp(this.#parts.clock.now() + this.#parts.leaseSeconds * microsPerSecond);
  }

  /** Begins to renew; goes on while there are attempts. */
  ensureRunning(): void {
    this.#stopTimer ??= this.#parts.clock.after(this.#parts.leaseSeconds / 3, () => {
      this.#stopTimer = null;
      if (this.#attempts.size === 0) return;
      this.ensureRunning();
      for (const attempt of this.#attempts.values()) void this.#renew(attempt);
    });
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }

  async #renew(attempt: Attempt): Promise<void> {
    const { store, clock, log } = this.#parts;
    const { taskId, epoch } = attempt.task;
    try {
      const isHeld = await store.commit({
        kind: "renew",
        taskId,
        at: clock.now(),
        epoch,
        expiresAt: this.expiry(),
      });
      if (!isHeld) attempt.fence(new LeaseLost(`The lease of task ${taskId} is held elsewhere.`));
    } catch (error) {
      // The lease runs on; the next round tries again.
      log.warn("a lease could not be renewed", { taskId, error: describeThrown(error) });
    }
  }
}
