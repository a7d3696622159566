import type { CancelTimer, Clock } from "../core/clock.ts";
import { TooManyCalls } from "../core/errors.ts";
import { microsPerSecond } from "../core/timestamp.ts";

/** Whose call it is, and for how long it may go on. */
export interface CallHolder {
  /** Under which its open polls and streams can be ended; whose they are, a key or a person, is first. */
  handles: readonly string[];
  /** {@link OpenCalls.moment} when it was identified. */
  identifiedAt: number;
  /** When its key or session runs out, in milliseconds since 1970; null when it does not. */
  expiresAt: number | null;
}

/**
 * The polls and streams that are open now, by whose they are: they end at once with the key, the
 * session or the rights they were opened with.
 */
export class OpenCalls {
  readonly #most: number;
  /** How many each key and person has open. */
  readonly #counts = new Map<string, number>();
  readonly #calls = new Map<string, Set<(reason: Error) => void>>();
  /** When each handle was last ended, and with what reason. */
  readonly #ended = new Map<string, { moment: number; reason: Error }>();
  readonly #clock: Clock;
  readonly #expired: () => Error;
  #moment = 0;

  /**
   * @param expired what a caller is told whose time ran out.
   * @param most calls that one key or person may have open at once.
   */
  constructor(clock: Clock, expired: () => Error, most = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#expired = expired;
    this.#most = most;
  }

  /** Rises with every end. A caller that was identified before an end is ended by it, however late. */
  get moment(): number {
    return this.#moment;
  }

  /**
   * Runs a call that may take long. The end of `outer`, the request's signal, ends it as well.
   *
   * @throws TooManyCalls when as many are open as may be.
   */
  async hold<T>(
    holder: CallHolder,
    outer: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const opened = this.open(holder, outer);
    try {
      return await run(opened.signal);
    } finally {
      opened.close();
    }
  }

  /** As {@link hold}, for a call that says itself when it is over. */
  open(
    { handles, identifiedAt, expiresAt }: CallHolder,
    outer: AbortSignal | undefined,
  ): { signal: AbortSignal; close(): void } {
    const [owner] = handles;
    if (owner !== undefined) this.#takeRoom(owner);
    const controller = new AbortController();
    const end = (reason: Error) => controller.abort(reason);
    const endWithOuter = () => controller.abort(outer?.reason);
    for (const handle of handles) {
      const calls = this.#calls.get(handle) ?? new Set();
      this.#calls.set(handle, calls.add(end));
      const ended = this.#ended.get(handle);
      if (ended && ended.moment > identifiedAt) end(ended.reason);
    }
    if (outer?.aborted) endWithOuter();
    else outer?.addEventListener("abort", endWithOuter, { once: true });
    const stopTimer = this.#endAt(expiresAt, end);
    return {
      signal: controller.signal,
      close: () => {
        stopTimer?.();
        outer?.removeEventListener("abort", endWithOuter);
        if (owner !== undefined) this.#giveRoom(owner);
        for (const handle of handles) {
          const calls = this.#calls.get(handle);
          calls?.delete(end);
          if (calls?.size === 0) this.#calls.delete(handle);
        }
      },
    };
  }

  #endAt(expiresAt: number | null, end: (reason: Error) => void): CancelTimer | null {
    if (expiresAt === null) return null;
    const seconds = Math.max(0, expiresAt / 1000 - this.#clock.now() / microsPerSecond);
    return this.#clock.after(seconds, () => end(this.#expired()));
  }

  #takeRoom(owner: string): void {
    const open = this.#counts.get(owner) ?? 0;
    if (open < this.#most) {
      this.#counts.set(owner, open + 1);
      return;
    }
    throw new TooManyCalls(
      `${this.#most} polls and streams are open at once, which is as many as one caller may have. ` +
        "End some of them first.",
      { retryAfterSeconds: 5 },
    );
  }

  #giveRoom(owner: string): void {
    const open = (this.#counts.get(owner) ?? 0) - 1;
    if (open > 0) this.#counts.set(owner, open);
    else this.#counts.delete(owner);
  }

  /** Ends every open call with this handle, and every one by a caller identified before now. */
  end(handle: string, reason: Error): void {
    this.#moment += 1;
    this.#ended.set(handle, { moment: this.#moment, reason });
    for (const end of [...(this.#calls.get(handle) ?? [])]) end(reason);
  }

  /** How many handles have open calls; for tests of leaks. */
  get size(): number {
    return this.#calls.size;
  }
}
