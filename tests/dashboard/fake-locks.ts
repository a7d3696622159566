interface Holder {
  callback: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** A browser's exclusive locks, as far as one name goes. */
export class FakeLocks {
  #holder: Holder | null = null;
  #queue: Holder[] = [];

  request(_name: string, options: LockOptions, callback: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const asked = { callback, resolve, reject };
      options.signal?.addEventListener("abort", () => {
        const wasWaiting = this.#queue.includes(asked);
        this.#queue = this.#queue.filter((each) => each !== asked);
        if (wasWaiting) reject(new DOMException("aborted", "AbortError"));
      });
      if (options.steal) {
        this.#holder?.reject(new DOMException("stolen", "AbortError"));
        this.#grant(asked);
      } else if (this.#holder) this.#queue.push(asked);
      else this.#grant(asked);
    });
  }

  async #grant(asked: Holder): Promise<void> {
    this.#holder = asked;
    // As in a browser, never within the call.
    await Promise.resolve();
    const value = await asked.callback();
    asked.resolve(value);
    if (this.#holder !== asked) return;
    this.#holder = null;
    const next = this.#queue.shift();
    if (next) void this.#grant(next);
  }
}
