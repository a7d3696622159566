"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isNotFound, readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { EmptyState, ErrorState } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TaskDetails } from "./task-details.tsx";
import { TaskHeader } from "./task-header.tsx";
import { TaskTimeline } from "./task-timeline.tsx";

/** Everything about one task, as it happens. */
export function TaskPage({ taskId }: { taskId: string }) {
  const query = useQuery(queries.task(taskId));
  // Where there is room both are shown side by side.
  const [tab, setTab] = useState<"timeline" | "details">("timeline");
  if (query.data === undefined) {
    if (query.isError && isNotFound(query.error)) return <UnknownTask taskId={taskId} />;
    if (query.isError) {
      const { message } = readApiError(query.error);
      return <ErrorState isPage message={message} onRetry={() => void query.refetch()} />;
    }
    return <Loading />;
  }
  const detail = query.data;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <TaskHeader detail={detail} />
      <div className="flex gap-1 border-b px-4 py-1.5 lg:hidden">
        {(["timeline", "details"] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={tab === each}
            onClick={() => setTab(each)}
            className="h-7 rounded-md px-2.5 text-ink-2 aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
          >
            {each === "timeline" ? "Timeline" : "Result and details"}
          </button>
        ))}
      </div>
      <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(20rem,32%)] min-[1800px]:grid-cols-[minmax(0,1fr)_44rem]">
        <section
          aria-label="Timeline"
          className={cn("min-w-0 lg:overflow-y-auto", tab !== "timeline" && "max-lg:hidden")}
        >
          <TaskTimeline detail={detail} />
        </section>
        <section
          aria-label="Result and details"
          className={cn(
            "min-w-0 lg:overflow-y-auto lg:border-l",
            tab !== "details" && "max-lg:hidden",
          )}
        >
          <TaskDetails
            taskId={taskId}
            parentTaskId={detail.task.parentTaskId}
            status={detail.task.status}
            params={detail.params}
            result={detail.result}
            error={detail.error}
          />
        </section>
      </div>
    </div>
  );
}

function UnknownTask({ taskId }: { taskId: string }) {
  return (
    <EmptyState
      isPage
      title="There is no such task"
      action={
        <IntentLink href="/tasks" className={buttonClass()}>
          See the tasks
        </IntentLink>
      }
    >
      Nothing here has the id{" "}
      <bdi className="break-all font-mono text-ink text-sm">{taskId.slice(0, 80)}</bdi>. It may be
      from another installation.
    </EmptyState>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the task" className="flex flex-col gap-4 p-6">
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-4 w-96 max-w-full" />
      <div className="mt-4 flex flex-col gap-3">
        {[0, 1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="h-4 max-w-xl" />
        ))}
      </div>
    </div>
  );
}
