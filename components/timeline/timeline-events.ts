import type { TaskEvent } from "@/server/core/task-event.ts";
import { api } from "../api/api-client.ts";
import { lastSeqSeen } from "../live/newest.ts";

const pageSize = 500;

/** The newest stretch of a task's events, without gaps, oldest first. */
export interface LoadedEvents {
  events: readonly TaskEvent[];
  /** Events before the first loaded one. */
  earlier: number;
}

export const noEvents: LoadedEvents = { events: [], earlier: 0 };

/**
 * The newest events of a task, about a page of them.
 *
 * @param lastSeq `seq` of the newest event the caller knows of.
 */
export async function loadTail(taskId: string, lastSeq: number): Promise<LoadedEvents> {
  return loadFrom(taskId, noEvents, Math.max(0, lastSeq - pageSize));
}

/** Adds what came after the loaded events, up to the newest one the feed has told of. */
export async function loadLater(taskId: string, loaded: LoadedEvents): Promise<LoadedEvents> {
  return loadFrom(taskId, loaded, loaded.events.at(-1)?.seq ?? 0);
}

async function loadFrom(
  taskId: string,
  start: LoadedEvents,
  startSeq: number,
): Promise<LoadedEvents> {
  let loaded = start;
  let afterSeq = startSeq;
  for (;;) {
    const page = await api.tasks.events.query({ taskId, afterSeq, limit: pageSize });
    loaded = addEvents(loaded, page.items);
    afterSeq = loaded.events.at(-1)?.seq ?? afterSeq;
    // The feed may have told of events while the page was under way; those are not in any cache.
    const missing = afterSeq < (lastSeqSeen(taskId) ?? 0);
    if (page.items.length === 0 || !(page.hasMore || missing)) return loaded;
  }
}

/**
 * Adds events by their `seq`: each is there once, whatever is added twice or in another order.
 * Events that would leave a gap after the loaded ones are not added; see {@link hasGap}.
 */
export function addEvents(loaded: LoadedEvents, added: readonly TaskEvent[]): LoadedEvents {
  if (added.length === 0) return loaded;
  const first = loaded.events[0]?.seq;
  const last = loaded.events.at(-1)?.seq;
  const before = first === undefined ? [] : added.filter(({ seq }) => seq < first);
  const after = last === undefined ? added : added.filter(({ seq }) => seq > last);
  if (before.length === 0 && after.length === 0) return loaded;
  const head = contiguous(bySeq(before).reverse(), -1, first).reverse();
  const events = [...head, ...loaded.events, ...contiguous(bySeq(after), 1, last)];
  return { events, earlier: (events[0]?.seq ?? 1) - 1 };
}

/** True when `added` lies beyond the loaded events and something between is missing. */
export function hasGap(loaded: LoadedEvents, added: readonly TaskEvent[]): boolean {
  const last = loaded.events.at(-1)?.seq;
  if (last === undefined) return false;
  const seqs = new Set(added.map(({ seq }) => seq));
  for (let seq = last + 1; seq <= Math.max(...seqs); seq++) if (!seqs.has(seq)) return true;
  return false;
}

function bySeq(events: readonly TaskEvent[]): TaskEvent[] {
  return [...events].sort((a, b) => a.seq - b.seq);
}

function contiguous(sorted: TaskEvent[], step: 1 | -1, neighbour: number | undefined): TaskEvent[] {
  const taken: TaskEvent[] = [];
  let previous = neighbour;
  for (const event of sorted) {
    if (event.seq === previous) continue;
    if (previous !== undefined && event.seq !== previous + step) break;
    taken.push(event);
    previous = event.seq;
  }
  return taken;
}
