import { isIPv6 } from "node:net";
import { TooManyAttempts } from "../core/errors.ts";
import type { AttemptOrigin } from "./caller.ts";

/**
 * What attempts from an address are counted under. Of IPv6 that is the network (/64), whose addresses
 * all belong to whoever has one of them.
 */
export function addressBucket(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? "unknown";
  const [head = "", tail] = address.replace(/%.*/, "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  if (tail !== undefined) {
    groups.push(...Array.from({ length: 8 - groups.length - last.length }, () => "0"), ...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

interface Bucket {
  /** When each counted attempt stops counting, in milliseconds since 1970; the oldest first. */
  until: number[];
  /** Whether the block was told of already. */
  isTold: boolean;
}

export interface LimiterOptions {
  /** Attempts that may fail within the window. */
  limit: number;
  windowSeconds: number;
  /** Called once for each block, with the attempt that met it. */
  onBlock(key: string, from: AttemptOrigin): void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

// Beyond this the oldest are forgotten, so that a flood of addresses cannot fill the memory.
const maxBuckets = 10_000;

/** Counts failed attempts by whoever makes them, and refuses more when there were too many. */
export class AttemptLimiter {
  readonly #options: LimiterOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** @throws TooManyAttempts with `details.retryAfterSeconds` */
  check(key: string, from: AttemptOrigin): void {
    const bucket = this.#current(key);
    if (!bucket || bucket.until.length < this.#options.limit) return;
    if (!bucket.isTold) this.#options.onBlock(key, from);
    bucket.isTold = true;
    const seconds = Math.max(1, Math.ceil(((bucket.until[0] ?? 0) - this.#now()) / 1000));
    throw new TooManyAttempts(`Too many attempts failed from here. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    });
  }

  /**
   * Counts an attempt as failed, until the function it returns says that it was not: attempts under
   * way at the same time are all counted.
   */
  count(key: string): () => void {
    const bucket = this.#current(key) ?? { until: [], isTold: false };
    // Anew at the end: the map is in the order of the latest attempt.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const until = this.#now() + this.#options.windowSeconds * 1000;
    bucket.until.push(until);
    if (this.#buckets.size > maxBuckets) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return () => {
      const at = bucket.until.indexOf(until);
      if (at !== -1) bucket.until.splice(at, 1);
    };
  }

  #current(key: string): Bucket | null {
    const bucket = this.#buckets.get(key);
    if (!bucket) return null;
    const now = this.#now();
    while ((bucket.until[0] ?? Infinity) <= now) bucket.until.shift();
    if (bucket.until.length > 0) {
      if (bucket.until.length < this.#options.limit) bucket.isTold = false;
      return bucket;
    }
    this.#buckets.delete(key);
    return null;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}
