const second = 1000;
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * 60 * second),
  ...[1, 2, 3, 6, 12].map((n) => n * 3600 * second),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * 86_400 * second),
];

/** Even moments along a stretch, in milliseconds from its beginning, at most so many. */
export function ticksOf(lengthMillis: number, most: number): number[] {
  const least = lengthMillis / Math.max(1, most);
  const step = steps.find((each) => each >= least) ?? Math.ceil(least);
  return Array.from({ length: Math.floor(lengthMillis / step) + 1 }, (_, i) => i * step);
}
