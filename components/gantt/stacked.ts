/** More at once would make a chart that nobody reads; the rest lies over each other in the last. */
const mostLanes = 12;

interface Span {
  from: number;
  to: number;
}

/** Puts spans into as few lanes as keep them apart, each lane by beginning. */
export function stacked<T extends Span>(spans: readonly T[]): T[][] {
  const lanes: T[][] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const free = lanes.find((lane) => (lane.at(-1)?.to ?? 0) <= span.from);
    const lane = free ?? (lanes.length < mostLanes ? newLane(lanes) : lanes.at(-1));
    lane?.push(span);
  }
  return lanes;
}

function newLane<T>(lanes: T[][]): T[] {
  const lane: T[] = [];
  lanes.push(lane);
  return lane;
}

/** Spans that are drawn as one. */
export interface Merged<T> {
  spans: T[];
  from: number;
  to: number;
}

/**
 * Merges neighbours that are too narrow to be told apart at a scale, so that there are never more
 * to draw than there is room for.
 *
 * @param perPixel time units of a pixel.
 */
export function mergeNarrow<T extends Span>(spans: readonly T[], perPixel: number): Merged<T>[] {
  const narrow = 4 * perPixel;
  const near = 2 * perPixel;
  const merged: Merged<T>[] = [];
  let mayGrow = false;
  for (const span of spans) {
    const isNarrow = span.to - span.from < narrow;
    const last = merged.at(-1);
    if (last && mayGrow && isNarrow && span.from - last.to < near) {
      last.spans.push(span);
      last.to = Math.max(last.to, span.to);
    } else {
      merged.push({ spans: [span], from: span.from, to: span.to });
      mayGrow = isNarrow;
    }
  }
  return merged;
}
