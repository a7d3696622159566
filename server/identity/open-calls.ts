/** Seconds a timer of Node can wait at most. */
const maxTimerSeconds = 2_000_000;

/**
 * The polls and streams that are open now, by whose they are: they end at once with the key, the
 * session or the rights they were opened with.
 */
export class OpenCalls {
  readonly #calls = new Map<string, Set<(reason: Error) => void>>();

  /**
   * Runs a call that may take long.
   *
   * @param handles under which it can be ended: of the key, the person, the session.
   * @param outer the signal of the request; its end ends the call.
   * @param expiry when the right to call runs out by itself, and what the caller is then told.
   */
  async hold<T>(
    handles: readonly string[],
    outer: AbortSignal | undefined,
    expiry: { at: number; reason: () => Error } | null,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const opened = this.open(handles, outer, expiry);
    try {
      return await run(opened.signal);
    } finally {
      opened.close();
    }
  }

  /** As {@link hold}, for a call that says itself when it is over. */
  open(
    handles: readonly string[],
    outer: AbortSignal | undefined,
    expiry: { at: number; reason: () => Error } | null,
  ): { signal: AbortSignal; close(): void } {
    const controller = new AbortController();
    const end = (reason: Error) => controller.abort(reason);
    const endWithOuter = () => controller.abort(outer?.reason);
    for (const handle of handles) {
      const calls = this.#calls.get(handle) ?? new Set();
      this.#calls.set(handle, calls.add(end));
    }
    if (outer?.aborted) endWithOuter();
    else outer?.addEventListener("abort", endWithOuter, { once: true });
    const seconds = expiry ? Math.max(0, (expiry.at - Date.now()) / 1000) : Infinity;
    const timer =
      expiry && seconds < maxTimerSeconds
        ? setTimeout(() => end(expiry.reason()), seconds * 1000)
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

  /** Ends every open call with this handle. */
  end(handle: string, reason: Error): void {
    for (const end of [...(this.#calls.get(handle) ?? [])]) end(reason);
  }

  /** How many handles have open calls; for tests of leaks. */
  get size(): number {
    return this.#calls.size;
  }
}
