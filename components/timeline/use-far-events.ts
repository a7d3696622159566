"use client";

import { useCallback, useEffect, useReducer, useRef } from "react";
import type { TaskEvent } from "@/server/core/task-event.ts";
import { api } from "../api/api-client.ts";

const pageSize = 200;
const retryMillis = 3000;

/** The events before the loaded ones, a page at a time, as they come into view. */
export interface FarEvents {
  /** The stretch of events that this one is in, and its place there; null while it is not loaded. */
  find(seq: number): { page: readonly TaskEvent[]; index: number } | null;
  /** Loads what is missing from one `seq` to another. */
  want(fromSeq: number, toSeq: number): void;
}

/** @param earlier how many events come before the loaded ones. */
export function useFarEvents(taskId: string, earlier: number): FarEvents {
  // Events never change, so a page that was read once is never read again.
  const pages = useRef(new Map<number, readonly TaskEvent[] | null>());
  const isOver = useRef(false);
  const [, loaded] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);

  const find = useCallback((seq: number) => {
    const page = pages.current.get(pageOf(seq));
    const index = (seq - 1) % pageSize;
    return page?.[index] ? { page, index } : null;
  }, []);

  const want = useCallback(
    (fromSeq: number, toSeq: number) => {
      for (let page = pageOf(fromSeq); page <= pageOf(Math.min(toSeq, earlier)); page += 1) {
        if (pages.current.has(page)) continue;
        pages.current.set(page, null);
        api.tasks.events
          .query({ taskId, afterSeq: page * pageSize, limit: pageSize })
          .then(
            ({ items }) => void pages.current.set(page, items),
            () =>
              new Promise((resolve) => setTimeout(resolve, retryMillis)).then(() =>
                pages.current.delete(page),
              ),
          )
          .finally(() => {
            if (!isOver.current) loaded();
          });
      }
    },
    [taskId, earlier],
  );
  return { find, want };
}

function pageOf(seq: number): number {
  return Math.floor((Math.max(1, seq) - 1) / pageSize);
}
