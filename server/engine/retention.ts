import { describeThrown } from "../core/errors.ts";
import { addSeconds, toTimestamp } from "../core/timestamp.ts";
import type { EngineParts } from "./engine-parts.ts";

const batchSize = 200;
const pauseSeconds = 0.1;
const lookEverySeconds = 60;

/**
 * Removes tasks some time after they ended: in small batches with pauses in between, so that nothing
 * else has to wait for it.
 */
export class Retention {
  readonly #parts: EngineParts;
  readonly #keepSeconds: number;
  #stopTimer: (() => void) | null = null;
  #isStopped = false;

  constructor(parts: EngineParts, keepSeconds: number) {
    this.#parts = parts;
    this.#keepSeconds = keepSeconds;
  }

  start(): void {
    this.#again(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer?.();
  }

  #again(seconds: number): void {
    if (this.#isStopped) return;
    this.#stopTimer = this.#parts.clock.after(seconds, () => void this.#removeSome());
  }

  async #removeSome(): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      const before = addSeconds(toTimestamp(clock.now()), -this.#keepSeconds);
      const removed = await store.deleteFinished(before, batchSize);
      if (removed > 0) log.info("removed finished tasks", { removed, endedBefore: before });
      this.#again(removed < batchSize ? lookEverySeconds : pauseSeconds);
    } catch (error) {
      log.warn("finished tasks could not be removed; trying again", {
        error: describeThrown(error),
      });
      this.#again(lookEverySeconds);
    }
  }
}
