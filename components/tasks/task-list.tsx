"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ListTree } from "lucide-react";
import { useMemo } from "react";
import { queries, type TaskFilters } from "../api/queries.ts";
import { PagedList } from "../lists/paged-list.tsx";
import { useUrlFilters } from "../lists/use-url-filters.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filtersFromUrl, filtersToUrl, hasFilters } from "./task-filters.ts";
import { TaskTable } from "./task-table.tsx";

const noFilters: TaskFilters = { statuses: [], types: [], text: "" };

/** All tasks, newest first, as they are at this moment. */
export function TaskList() {
  const [filters, change] = useUrlFilters(filtersFromUrl, filtersToUrl);
  const query = useInfiniteQuery(queries.tasks(filters));
  const tasks = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);

  return (
    <div className="mx-auto flex w-full max-w-[100rem] flex-1 flex-col px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Tasks">
        <IntentLink href="/start" className={buttonClass({ variant: "primary" })}>
          Start a task
        </IntentLink>
      </PageHeader>
      <FilterBar filters={filters} onChange={change} />
      <PagedList
        query={query}
        length={tasks.length}
        loading={<Loading />}
        empty={<NoTasks isFiltered={hasFilters(filters)} onClear={() => change(() => noFilters)} />}
      >
        <TaskTable tasks={tasks} />
      </PagedList>
    </div>
  );
}

function NoTasks({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState title="No task fits" action={<Button onClick={onClear}>Clear the filters</Button>}>
      New tasks that fit appear here by themselves.
    </EmptyState>
  ) : (
    <EmptyState
      title="No task has been started yet"
      icon={<ListTree className="size-8" strokeWidth={1.5} aria-hidden="true" />}
      action={
        <IntentLink href="/start" className={buttonClass({ variant: "primary" })}>
          Start a task
        </IntentLink>
      }
    >
      Agents start tasks over the API; you can start one here. It appears in this list at once.
    </EmptyState>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the tasks" className="mt-2 border-t">
      {Array.from({ length: 8 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <div key={i} className="flex h-11 items-center gap-4 border-b px-2">
          <Skeleton className="size-4 rounded-full" />
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 max-w-md flex-1" />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
