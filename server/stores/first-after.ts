import type { TaskEvent } from "../core/task-event.ts";

/** Where, in events sorted by position, those after `position` begin; by halving. */
export function firstAfter(events: readonly TaskEvent[], position: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.position ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
