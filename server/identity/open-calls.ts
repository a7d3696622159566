/** Seconds a timer of Node can wait at most. */
const maxTimerSeconds = 2_000_000;

/** Whose call it is, and for how long it may go on. */
export interface CallHolder {
  /** Under which its open polls and streams can be ended: its key, person, session. */
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
  readonly #calls = new Map<string, Set<(reason: Error) => void>>();
  /** When each handle was last ended, and with what reason. */
  readonly #ended = new Map<string, { moment: number; reason: Error }>();
  readonly #expired: () => Error;
  #moment = 0;

  /** @param expired what a caller is told whose time ran out. */
  constructor(expired: () => Error) {
    this.#expired = expired;
  }

  /** Rises with every end. A caller that was identified before an end is ended by it, however late. */
  get moment(): number {
    return this.#moment;
  }

  /** Runs a call that may take long. The end of `outer`, the request's signal, ends it as well. */
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
    const seconds = expiresAt === null ? Infinity : Math.max(0, (expiresAt - Date.now()) / 1000);
    const timer =
      seconds < maxTimerSeconds
        ? setTimeout(() => end(this.#expired()), seconds * 1000)
        : undefined;
    return {
      signal: controller.signal,
      close: () => {
        clearTimeout(timer);
        outer?.removeEventListener("abort", endWithOuter);
        for (const handle of handles) {
          const calls = this.#calls.get(handle);
          calls?.delete(end);
          if (calls?.size === 0) this.#calls.delete(handle);
        }
      },
    };
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
