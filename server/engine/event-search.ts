import { setImmediate as nextTurn } from "node:timers/promises";
import type { DurableTaskStore } from "../core/durable-task-store.ts";
import { hasText, isAtLeast, questionsById } from "../core/event-text.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { UpdateLevel } from "../core/task-update.ts";

/** Events looked at in one go, and in one call; so that nobody else waits for a search. */
const pageSize = 500;
const mostScanned = 10_000;

export interface EventSearchQuery {
  /** In the entry's text, in upper or lower case. */
  text?: string;
  /** Only what matters at least as much. */
  level?: UpdateLevel;
  afterSeq?: number;
  /** Only up to this one. */
  untilSeq?: number;
  limit: number;
}

/** What was found, oldest first; a search that did not reach the end goes on after `searchedTo`. */
export interface EventsFound {
  items: TaskEvent[];
  searchedTo: number;
  hasMore: boolean;
}

/**
 * Finds entries of a task's timeline, a bounded stretch of it with every call, however long it is.
 */
export async function searchEvents(
  store: Pick<DurableTaskStore, "readEvents" | "getQuestions">,
  taskId: string,
  query: EventSearchQuery,
): Promise<EventsFound> {
  const { afterSeq = 0, untilSeq, limit } = query;
  const matches = await matcher(store, taskId, query);
  const items: TaskEvent[] = [];
  let searchedTo = afterSeq;
  while (searchedTo - afterSeq < mostScanned) {
    const page = await store.readEvents(taskId, {
      afterSeq: searchedTo,
      untilSeq,
      limit: pageSize,
    });
    for (const event of page) {
      searchedTo = event.seq;
      if (matches(event)) items.push(event);
      if (items.length === limit) return { items, searchedTo, hasMore: true };
    }
    if (page.length < pageSize) return { items, searchedTo, hasMore: false };
    await nextTurn();
  }
  return { items, searchedTo, hasMore: true };
}

async function matcher(
  store: Pick<DurableTaskStore, "getQuestions">,
  taskId: string,
  { text = "", level = "debug" }: EventSearchQuery,
): Promise<(event: TaskEvent) => boolean> {
  if (text === "") return (event) => isAtLeast(event, level);
  const questions = questionsById(await store.getQuestions(taskId));
  return (event) => isAtLeast(event, level) && hasText(event, questions, text);
}
