import { isAtLeast } from "@/server/core/event-text.ts";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { UpdateLevel } from "@/server/core/task-update.ts";
import type { Rail } from "./timeline-rows.ts";

/** An event in its place on the thread. */
export interface TimelineEntry {
  event: TaskEvent;
  rail: Rail;
}

/** What a timeline lists: every event by its `seq`, or those that were looked for. */
export interface TimelineEntries {
  count: number;
  /** Null while it is not loaded. */
  at(index: number): TimelineEntry | null;
  seqAt(index: number): number;
  /** -1 when it is not listed. */
  indexOf(seq: number): number;
}

/** A list of events found, which have no thread between them. */
export function foundEntries(found: readonly TaskEvent[]): TimelineEntries {
  return {
    count: found.length,
    at: (index) => {
      const event = found[index];
      return event ? { event, rail: "none" } : null;
    },
    seqAt: (index) => found[index]?.seq ?? 0,
    indexOf: (seq) => found.findIndex((event) => event.seq === seq),
  };
}

/** What is looked for in a timeline. */
export interface TimelineFilter {
  text: string;
  /** Only what matters at least as much. */
  level: UpdateLevel;
}

export const noFilter: TimelineFilter = { text: "", level: "debug" };

export function isFiltering({ text, level }: TimelineFilter): boolean {
  return text !== "" || level !== "debug";
}

/** The first event that tells of something gone wrong; null when there is none. */
export function firstError(events: readonly TaskEvent[]): TaskEvent | null {
  return events.find((event) => isAtLeast(event, "error")) ?? null;
}

/** The `seq` that a link to an event names, for example `#event-12`; null when it names none. */
export function seqOfHash(hash: string): number | null {
  const [, digits] = /^#event-([1-9]\d{0,9})$/.exec(hash) ?? [];
  return digits === undefined ? null : Number(digits);
}
