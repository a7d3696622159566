import { hasErrorCode } from "../core/errors.ts";
import type { EngineParts } from "./engine-parts.ts";
import { type Place, WaitingLine } from "./waiting-line.ts";

const firstDelaySeconds = 0.1;
const longestDelaySeconds = 5;

/**
 * Sends the writes of one attempt. While the store cannot be written it waits and tries again: that is
 * no failure of the task. Writes keep the order in which they were asked for.
 */
export class PatientWriter {
  readonly #parts: EngineParts;
  readonly #taskId: string;
  /** The writes that wait for the store. */
  readonly #line = new WaitingLine();

  constructor(parts: EngineParts, taskId: string) {
    this.#parts = parts;
    this.#taskId = taskId;
  }

  /**
   * @param send sends the write; called again until the store takes it.
   * @throws whatever `send` fails with, but that the store is away.
   */
  write<Result>(send: () => Promise<Result>): Promise<Result> {
    // While writes wait for the store, later ones wait behind them.
    if (!this.#line.isEmpty) return this.#writeInLine(send, this.#line.join(), null);
    return send().catch((error: unknown) => {
      if (!hasErrorCode(error, "store_unavailable")) throw error;
      const isFirst = this.#line.isEmpty;
      return this.#writeInLine(send, this.#line.join(), isFirst ? error : null);
    });
  }

  /** @param failure of the try before, when there was one. */
  async #writeInLine<Result>(
    send: () => Promise<Result>,
    place: Place,
    failure: Error | null,
  ): Promise<Result> {
    try {
      let failed = failure;
      for (let delay = firstDelaySeconds; ; delay = Math.min(delay * 2, longestDelaySeconds)) {
        await place.turn;
        if (failed) await this.#waitForStore(failed, delay);
        try {
          return await send();
        } catch (error) {
          if (!hasErrorCode(error, "store_unavailable")) throw error;
          failed = error;
        }
      }
    } finally {
      place.leave();
    }
  }

  async #waitForStore({ message }: Error, seconds: number): Promise<void> {
    const { clock, log } = this.#parts;
    log.warn("the store cannot be written; trying again", {
      taskId: this.#taskId,
      error: message,
    });
    await new Promise<void>((resolve) => clock.after(seconds, resolve));
  }
}
