import type { CallFailure } from "./client-errors.ts";

const firstDelaySeconds = 0.2;
const longestDelaySeconds = 5;
// What a timer can count; a call that says it takes longer, or less than nothing, is the server's to refuse.
const longestCallSeconds = 86_400;

export interface RepeatOptions {
  /** Seconds of failures in a row after which to give up. */
  retrySeconds: number;
  signal?: AbortSignal;
  failureOf(thrown: unknown): CallFailure;
}

/**
 * Counts failures in a row and waits between them, longer each time, or as long as the server said.
 * A success begins anew.
 */
export class Patience {
  readonly #options: RepeatOptions;
  #failures = 0;
  #since: number | null = null;

  constructor(options: RepeatOptions) {
    this.#options = options;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#since = null;
  }

  /** @throws the failure's error, when it is not to be tried again or not for longer. */
  async afterFailure({ error, mayRepeat, retryAfterSeconds }: CallFailure): Promise<void> {
    const { retrySeconds, signal } = this.#options;
    this.#since ??= Date.now();
    const gone = (Date.now() - this.#since) / 1000;
    const most = Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** this.#failures);
    const delay = retryAfterSeconds ?? most * (0.5 + Math.random() / 2);
    this.#failures += 1;
    if (!mayRepeat || gone + delay > retrySeconds) throw error;
    await pause(delay, signal);
  }
}

/** Calls until it succeeds; only for what does nothing twice when it is repeated. */
export async function repeatCall<T>(
  call: (signal: AbortSignal) => Promise<T>,
  timeoutSeconds: number,
  options: RepeatOptions,
): Promise<T> {
  const { signal } = options;
  const patience = new Patience(options);
  const limitSeconds = Math.min(Math.max(timeoutSeconds, 1), longestCallSeconds);
  for (;;) {
    signal?.throwIfAborted();
    // A connection can die without a word: nobody is to wait for it for ever.
    const limit = AbortSignal.timeout(limitSeconds * 1000);
    try {
      return await call(signal ? AbortSignal.any([signal, limit]) : limit);
    } catch (thrown) {
      signal?.throwIfAborted();
      await patience.afterFailure(options.failureOf(thrown));
    }
  }
}

/** @throws the signal's reason. */
function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", end, { once: true });
  });
}
