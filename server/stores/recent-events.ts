import type { TaskEvent } from "../core/task-event.ts";
import { firstAfter } from "./first-after.ts";

const maxEvents = 4000;

/** The newest events of all tasks, so that whoever follows the feed closely needs no query. */
export class RecentEvents {
  #events: TaskEvent[] = [];
  /** Every event after this position is here. */
  #afterPosition: number;

  constructor(lastPosition: number) {
    this.#afterPosition = lastPosition;
  }

  add(events: readonly TaskEvent[]): void {
    for (const event of events) this.#events.push(event);
    if (this.#events.length <= maxEvents) return;
    const dropped = this.#events.length - (maxEvents >> 1);
    this.#afterPosition = this.#events[dropped - 1]?.position ?? this.#afterPosition;
    this.#events = this.#events.slice(dropped);
  }

  /** Null when they do not reach back to that position. */
  after(position: number, taskId: string | undefined, limit: number): TaskEvent[] | null {
    if (position < this.#afterPosition) return null;
    const found: TaskEvent[] = [];
    for (let i = firstAfter(this.#events, position); i < this.#events.length; i += 1) {
      if (found.length >= limit) break;
      const event = this.#events[i] as TaskEvent;
      if (taskId === undefined || event.taskId === taskId) found.push(event);
    }
    return found;
  }
}
