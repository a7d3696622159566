import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { TooManyCalls } from "../core/errors.ts";
import { addressBucket } from "./attempt-limiter.ts";

/** Calls are counted over so many seconds, so that a short burst is let through. */
const windowSeconds = 10;

/** Behind one address there may be a whole office of callers. */
const callersOfAnAddress = 10;

/** How many calls a caller (a key or a person) may make, and how many may come from an address. */
export class CallLimits {
  readonly #perSecond: number;
  readonly #callers: RateLimiterMemory;
  readonly #addresses: RateLimiterMemory;

  /** @param perSecond calls per second of one caller, over ten seconds on average. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    const points = perSecond * windowSeconds;
    this.#callers = new RateLimiterMemory({ points, duration: windowSeconds });
    this.#addresses = new RateLimiterMemory({
      points: points * callersOfAnAddress,
      duration: windowSeconds,
    });
  }

  /** Counts a call of a caller. @throws TooManyCalls with `details.retryAfterSeconds` */
  async take(caller: string): Promise<void> {
    const refusal = await this.#callers.consume(caller).then(() => null, asRefusal);
    if (!refusal) return;
    const { retryAfterSeconds } = refusal;
    throw new TooManyCalls(
      `More than ${this.#perSecond} calls a second are too many for one caller. ` +
        `Wait for ${retryAfterSeconds} s. To follow a task, poll with a timeout: that is one call.`,
      refusal,
    );
  }

  /**
   * Counts a call from an address, whoever makes it; one whose address is not known is let through.
   *
   * @throws TooManyCalls with `details.retryAfterSeconds`
   */
  async takeFrom(address: string | null): Promise<void> {
    if (address === null) return;
    const taken = this.#addresses.consume(addressBucket(address));
    const refusal = await taken.then(() => null, asRefusal);
    if (!refusal) return;
    throw new TooManyCalls(
      `Too many calls come from your address. Wait for ${refusal.retryAfterSeconds} s.`,
      refusal,
    );
  }
}

function asRefusal(thrown: unknown): { retryAfterSeconds: number } {
  if (!(thrown instanceof RateLimiterRes)) throw thrown;
  return { retryAfterSeconds: Math.max(1, Math.ceil(thrown.msBeforeNext / 1000)) };
}
