"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowUp, ListTree } from "lucide-react";
import dynamic from "next/dynamic";
import { useCallback, useMemo, useState } from "react";
import { isOrderOfEnded } from "@/server/core/task-order.ts";
import { readApiError } from "../api/api-error.ts";
import { taskListQuery } from "../api/task-list-query.ts";
import { useUrlFilters } from "../lists/use-url-filters.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { EmptyState, ErrorState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { filtersFromUrl, filtersToUrl, hasFilters, noFilters } from "./task-filters.ts";
import { TaskTable } from "./task-table.tsx";
import { useSelection } from "./use-selection.ts";
import { useSteadyRows } from "./use-steady-rows.ts";

const BulkBar = dynamic(() => import("./bulk-bar.tsx"));

/** All tasks as they are at this moment: searched, sorted, and many of them acted on at once. */
export function TaskList() {
  const [filters, change] = useUrlFilters(filtersFromUrl, filtersToUrl);
  const query = useInfiniteQuery(taskListQuery(filters));
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isError } = query;
  const listed = useMemo(
    () => unique(query.data?.pages.flatMap(({ items }) => items) ?? []),
    [query.data],
  );
  const scope = filtersToUrl(filters);
  const [isPointed, setPointed] = useState(false);
  const [hasSelected, setSelected] = useState(false);
  const { rows, held, gone, release } = useSteadyRows(listed, isPointed || hasSelected, scope);
  const keys = useMemo(() => rows.map(({ taskId }) => taskId), [rows]);
  const selection = useSelection(keys, scope);
  if (hasSelected !== selection.ids.size > 0) setSelected(selection.ids.size > 0);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);

  return (
    <div className="mx-auto flex w-full max-w-[120rem] flex-1 flex-col px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Tasks">
        <IntentLink href="/start" className={buttonClass({ variant: "primary" })}>
          Start a task
        </IntentLink>
      </PageHeader>
      <FilterBar filters={filters} onChange={change} />
      <FilterChips filters={filters} onChange={change} />
      <p role="status" className="sr-only">
        {held.length > 0 ? newText(held.length) : ""}
      </p>
      {query.isPending ? (
        <Loading />
      ) : isError && rows.length === 0 ? (
        <ErrorState
          message={readApiError(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : rows.length === 0 && !hasNextPage ? (
        <NoTasks
          isFiltered={hasFilters(filters) || isOrderOfEnded(filters.order)}
          onClear={() => change(() => noFilters)}
        />
      ) : (
        <>
          {held.length > 0 && (
            <div className="pointer-events-none sticky top-10 z-20 flex h-0 justify-center">
              <Button
                size="pill"
                variant="primary"
                className="pointer-events-auto"
                onClick={release}
              >
                <ArrowUp aria-hidden="true" />
                {newText(held.length)}
              </Button>
            </div>
          )}
          <TaskTable
            tasks={rows}
            gone={gone}
            selection={selection}
            order={filters.order}
            onOrder={filters.text === "" ? (order) => change((now) => ({ ...now, order })) : null}
            onEnd={onEnd}
            onHold={setPointed}
          />
          <End
            isLoading={isFetchingNextPage}
            error={isError ? readApiError(query.error).message : null}
            hasMore={hasNextPage}
            count={rows.length}
            onMore={() => void fetchNextPage()}
          />
        </>
      )}
      {selection.ids.size > 0 && (
        <BulkBar
          selection={selection}
          filters={filters}
          listed={rows.length}
          hasMore={hasNextPage}
        />
      )}
    </div>
  );
}

// Between two pages that were read at different moments a task can be on both.
function unique<T extends { taskId: string }>(tasks: T[]): T[] {
  return [...new Map(tasks.map((task) => [task.taskId, task])).values()];
}

function newText(count: number): string {
  return count === 1 ? "1 new task" : `${count} new tasks`;
}

function End({
  isLoading,
  error,
  hasMore,
  count,
  onMore,
}: {
  isLoading: boolean;
  error: string | null;
  hasMore: boolean;
  count: number;
  onMore: () => void;
}) {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-center gap-3 py-3 text-ink-3 text-sm">
      {error !== null ? (
        <>
          <p role="alert" className="text-failed">
            {error}
          </p>
          <Button size="sm" onClick={onMore}>
            Try again
          </Button>
        </>
      ) : isLoading ? (
        count === 0 ? (
          "Looking further back…"
        ) : (
          "Loading more…"
        )
      ) : hasMore ? (
        <Button size="sm" onClick={onMore}>
          Load more
        </Button>
      ) : (
        `${count.toLocaleString("en")} ${count === 1 ? "task" : "tasks"}`
      )}
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
    <div role="status" aria-label="Loading the tasks" className="border-t">
      <div className="h-8 border-b" />
      {Array.from({ length: 12 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <div key={i} className="flex h-10 items-center gap-4 border-b px-2">
          <Skeleton className="size-4 rounded-sm" />
          <Skeleton className="size-4 rounded-full" />
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 max-w-md flex-1" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
