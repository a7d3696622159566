/** Numbers that look like chance and are the same each time. */
export interface Random {
  /** At least 0 and less than 1. */
  part(): number;
  /** A whole number below `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of a list in which each has a weight. */
  weighted<T>(list: readonly (readonly [T, weight: number])[]): T;
  id(length: number): string;
  /** Seconds around a median, seldom much more. */
  seconds(median: number): number;
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyz";

export function numbersFrom(seed: number): Random {
  let state = seed;
  // Mulberry32.
  const part = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(part() * end);
  return {
    part,
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    weighted(list) {
      let at = part() * list.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of list) {
        at -= weight;
        if (at < 0) return item;
      }
      return (list[0] as (typeof list)[number])[0];
    },
    id: (length) => Array.from({ length }, () => letters[below(36)]).join(""),
    seconds: (median) => median * Math.exp((part() + part() + part() - 1.5) * 1.6),
  };
}
