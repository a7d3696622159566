"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { TaskLink } from "./task-link.tsx";

const shownLinks = 3;

/** The tasks that run a finished one again, newest first; null when there is none. */
export function useReruns(taskId: string, hasEnded: boolean) {
  const query = useInfiniteQuery({ ...queries.relatives("reruns", taskId), enabled: hasEnded });
  const found = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return { reruns: found.reverse(), hasMore: query.hasNextPage };
}

/** Links to the reruns of a task. */
export function RerunLinks({ reruns, hasMore }: ReturnType<typeof useReruns>) {
  const more = reruns.length - shownLinks;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {reruns.slice(0, shownLinks).map((task) => (
        <TaskLink key={task.taskId} taskId={task.taskId} status={task.status} />
      ))}
      {more > 0 && (
        <span className="text-ink-3">
          and {more}
          {hasMore && "+"} more
        </span>
      )}
    </span>
  );
}
