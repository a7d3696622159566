"use client";

import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import type { TaskEvent } from "@/server/core/task-event.ts";
import { api } from "../api/api-client.ts";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import type { PrintedTask } from "./print-sheet.tsx";

const PrintSheet = lazy(() => import("./print-sheet.tsx"));

const pageSize = 500;

/**
 * Prints a task whole: what the page has not loaded is loaded first.
 *
 * @returns what starts it, and the sheet, which has to be rendered.
 */
export function usePrint(taskId: string): { print: () => Promise<void>; sheet: ReactNode } {
  const [printed, setPrinted] = useState<PrintedTask | null>(null);
  const start = async () => {
    const detail = await api.tasks.get.query({ taskId });
    setPrinted({ ...detail, events: await loadAll(taskId) });
  };
  const onPrinted = useCallback(() => setPrinted(null), []);
  // The browser's own would print the part of the timeline that is in view.
  useShortcuts([
    { keys: "$mod+p", label: "Print the task", run: () => void start(), inFields: true },
  ]);
  return {
    print: start,
    sheet: printed && (
      <Suspense>
        <PrintSheet printed={printed} onPrinted={onPrinted} />
      </Suspense>
    ),
  };
}

async function loadAll(taskId: string): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for (;;) {
    const afterSeq = events.at(-1)?.seq ?? 0;
    const page = await api.tasks.events.query({ taskId, afterSeq, limit: pageSize });
    events.push(...page.items);
    if (!page.hasMore) return events;
  }
}
