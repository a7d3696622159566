import type { LogLevel } from "./log-level.ts";

// Each is a multiple of the one before, so that buckets merge without loss.
const widthsSeconds = [
  1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_419_200, 31_449_600,
];

/** Log events in one span of time. */
export interface RateBucket {
  /** Where the span begins, in milliseconds since 1970 UTC. */
  at: number;
  total: number;
  error: number;
  warning: number;
}

export interface Rates {
  bucketSeconds: number;
  /** In order of time; spans without any event are left out. */
  buckets: RateBucket[];
}

/** Counts events over time in a bounded number of buckets that grow wider with the span. */
export class RateSeries {
  readonly #maxBuckets: number;
  #width = 0;
  #buckets = new Map<number, RateBucket>();

  constructor(maxBuckets = 240) {
    this.#maxBuckets = maxBuckets;
  }

  add(at: number, level: LogLevel): void {
    const bucket = this.#bucketAt(at);
    bucket.total++;
    if (level === "error") bucket.error++;
    else if (level === "warning") bucket.warning++;
  }

  /** Adds what another series counted. */
  addRates(rates: Rates): void {
    while (this.#seconds < rates.bucketSeconds) this.#coarsen();
    for (const { at, total, error, warning } of rates.buckets) {
      const bucket = this.#bucketAt(at);
      bucket.total += total;
      bucket.error += error;
      bucket.warning += warning;
    }
  }

  /** At most `maxSpans` spans from the first event to the last, empty ones counted. */
  toRates(maxSpans: number): Rates {
    while (this.#spans() > maxSpans && this.#width < widthsSeconds.length - 1) this.#coarsen();
    const buckets = [...this.#buckets.values()].sort((a, b) => a.at - b.at);
    return { bucketSeconds: this.#seconds, buckets };
  }

  get #seconds(): number {
    return widthsSeconds[this.#width] as number;
  }

  #spans(): number {
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (const index of this.#buckets.keys()) {
      first = Math.min(first, index);
      last = Math.max(last, index);
    }
    return this.#buckets.size === 0 ? 0 : last - first + 1;
  }

  #bucketAt(at: number): RateBucket {
    for (;;) {
      const index = Math.floor(at / 1000 / this.#seconds);
      const found = this.#buckets.get(index);
      if (found) return found;
      if (this.#buckets.size < this.#maxBuckets || this.#width === widthsSeconds.length - 1) {
        const created = { at: index * this.#seconds * 1000, total: 0, error: 0, warning: 0 };
        this.#buckets.set(index, created);
        return created;
      }
      this.#coarsen();
    }
  }

  #coarsen(): void {
    this.#width++;
    const finer = this.#buckets;
    this.#buckets = new Map();
    for (const { at, total, error, warning } of finer.values()) {
      const bucket = this.#bucketAt(at);
      bucket.total += total;
      bucket.error += error;
      bucket.warning += warning;
    }
  }
}

/** The same rates with the empty spans between the first and the last filled in, for a chart. */
export function withEmptySpans({ bucketSeconds, buckets }: Rates): Rates {
  const filled: RateBucket[] = [];
  for (const bucket of buckets) {
    const previous = filled.at(-1);
    if (previous) {
      const step = bucketSeconds * 1000;
      for (let at = previous.at + step; at < bucket.at; at += step) {
        filled.push({ at, total: 0, error: 0, warning: 0 });
      }
    }
    filled.push(bucket);
  }
  return { bucketSeconds, buckets: filled };
}
