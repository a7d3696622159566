"use client";

import { useMemo, useRef } from "react";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import type { TimelineEntries } from "./entries.ts";
import { type Thread, threadOf } from "./thread.ts";
import type { LoadedEvents } from "./timeline-events.ts";
import type { FarEvents } from "./use-far-events.ts";

/** Every event of a task in its place on the thread; those far back once they are loaded. */
export function useEntries(
  loaded: LoadedEvents,
  far: FarEvents,
  questions: readonly QuestionData[],
): { entries: TimelineEntries; longestStep: number } {
  const last = useRef<Thread | null>(null);
  const thread = useMemo(
    () => threadOf(loaded.events, questions, last.current),
    [loaded.events, questions],
  );
  last.current = thread;
  const threads = useRef(new WeakMap<readonly TaskEvent[], Thread>());
  const entries: TimelineEntries = {
    count: loaded.earlier + loaded.events.length,
    at(index) {
      const near = index - loaded.earlier;
      if (near >= 0) return entryOf(thread, near);
      const found = far.find(index + 1);
      if (found === null) return null;
      const known = threads.current.get(found.page) ?? threadOf(found.page, questions);
      threads.current.set(found.page, known);
      return entryOf(known, found.index);
    },
    seqAt: (index) => index + 1,
    indexOf: (seq) => seq - 1,
  };
  return { entries, longestStep: thread.longestStep };
}

function entryOf({ events, rails }: Thread, index: number) {
  const [event, rail] = [events[index], rails[index]];
  return event && rail ? { event, rail } : null;
}
