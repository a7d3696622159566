"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { hasText, isAtLeast, questionsById } from "@/server/core/event-text.ts";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { isFiltering, type TimelineFilter } from "./entries.ts";
import type { LoadedEvents } from "./timeline-events.ts";

/** More would be read by nobody; the download has everything. */
const mostFound = 5000;
const typingMillis = 250;

/** What a search has come to so far. */
export interface FoundEvents {
  events: readonly TaskEvent[];
  /** Part of the events before the loaded ones that was looked at, 0 to 1. */
  searched: number;
  /** True when it stopped because there are more than anybody would read. */
  isCut: boolean;
  error: string | null;
}

interface FarSearch {
  /** What was searched for; a search for something else is over. */
  filter: TimelineFilter;
  events: TaskEvent[];
  searchedTo: number;
  isDone: boolean;
  error: string | null;
}

/**
 * All events of a task that a filter lets through: of the loaded ones at once, of those before them
 * as the server finds them.
 */
export function useFoundEvents(
  taskId: string,
  loaded: LoadedEvents,
  questions: readonly QuestionData[],
  filter: TimelineFilter,
): FoundEvents {
  const near = useNear(loaded.events, questions, filter);
  const far = useFar(taskId, loaded.earlier, filter);
  return useMemo(
    () => ({
      events: far.events.length === 0 ? near : [...far.events, ...near],
      searched: far.isDone || loaded.earlier === 0 ? 1 : far.searchedTo / loaded.earlier,
      isCut: far.events.length >= mostFound,
      error: far.error,
    }),
    [near, far, loaded.earlier],
  );
}

interface Near {
  filter: TimelineFilter;
  questions: readonly QuestionData[];
  events: readonly TaskEvent[];
  found: readonly TaskEvent[];
}

/** Looks only at what came since the last time, so that a burst costs what it brings. */
function useNear(
  events: readonly TaskEvent[],
  questions: readonly QuestionData[],
  filter: TimelineFilter,
): readonly TaskEvent[] {
  const last = useRef<Near | null>(null);
  const near = useMemo((): Near => {
    const known = last.current;
    const goesOn =
      known?.filter === filter &&
      known.questions === questions &&
      known.events[0] === events[0] &&
      known.events.at(-1) === events[known.events.length - 1];
    if (!isFiltering(filter)) return { filter, questions, events, found: [] };
    const byId = questionsById(questions);
    const added = events
      .slice(goesOn ? known.events.length : 0)
      .filter(
        (event) =>
          isAtLeast(event, filter.level) &&
          (filter.text === "" || hasText(event, byId, filter.text)),
      );
    const before = goesOn ? known.found : [];
    return { filter, questions, events, found: added.length > 0 ? [...before, ...added] : before };
  }, [events, questions, filter]);
  last.current = near;
  return near.found;
}

const nothing: Omit<FarSearch, "filter"> = {
  events: [],
  searchedTo: 0,
  isDone: false,
  error: null,
};

function useFar(taskId: string, earlier: number, filter: TimelineFilter): FarSearch {
  const [search, setSearch] = useState<FarSearch>({ filter, ...nothing });
  useEffect(() => {
    if (!isFiltering(filter) || earlier === 0) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void searchFar(taskId, earlier, filter, setSearch, stop.signal);
    }, typingMillis);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [taskId, earlier, filter]);
  return search.filter === filter ? search : { filter, ...nothing };
}

async function searchFar(
  taskId: string,
  earlier: number,
  filter: TimelineFilter,
  onFound: (search: FarSearch) => void,
  signal: AbortSignal,
): Promise<void> {
  let search: FarSearch = { filter, ...nothing };
  try {
    while (!search.isDone && search.events.length < mostFound) {
      const page = await api.tasks.searchEvents.query(
        {
          taskId,
          ...(filter.text !== "" && { text: filter.text }),
          level: filter.level,
          afterSeq: search.searchedTo,
          untilSeq: earlier,
        },
        { signal },
      );
      search = {
        ...search,
        events: [...search.events, ...page.items],
        searchedTo: page.searchedTo,
        isDone: !page.hasMore,
      };
      if (signal.aborted) return;
      onFound(search);
    }
  } catch (error) {
    if (!signal.aborted) onFound({ ...search, error: readApiError(error).message });
  }
}
