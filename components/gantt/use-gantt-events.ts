"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { TaskEvent } from "@/server/core/task-event.ts";
import { api } from "../api/api-client.ts";
import type { LoadedEvents } from "../timeline/timeline-events.ts";

const pageSize = 500;
const mostEvents = 20_000;

/** All events of a task but its updates; `isCut` when there are more than can be drawn. */
export function useGanttEvents(
  taskId: string,
  loaded: LoadedEvents,
): { events: readonly TaskEvent[]; isPending: boolean; isCut: boolean } {
  const { earlier } = loaded;
  const query = useQuery({
    queryKey: ["gantt-events", taskId, earlier],
    queryFn: () => loadUntil(taskId, earlier),
    enabled: earlier > 0,
  });
  const far = earlier === 0 ? none : query.data;
  const events = useMemo(
    () => [...(far ?? none), ...loaded.events.filter(({ kind }) => kind !== "update")],
    [far, loaded.events],
  );
  return { events, isPending: far === undefined, isCut: (far?.length ?? 0) >= mostEvents };
}

const none: readonly TaskEvent[] = [];

async function loadUntil(taskId: string, untilSeq: number): Promise<readonly TaskEvent[]> {
  const found: TaskEvent[] = [];
  while (found.length < mostEvents) {
    const afterSeq = found.at(-1)?.seq ?? 0;
    const page = await api.tasks.events.query({
      taskId,
      afterSeq,
      limit: pageSize,
      withoutUpdates: true,
    });
    found.push(...page.items.filter(({ seq }) => seq <= untilSeq));
    if (!page.hasMore || (page.items.at(-1)?.seq ?? 0) >= untilSeq) break;
  }
  return found;
}
