"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { memo, type ReactNode, useId, useState } from "react";
import type { TaskRecord } from "@/server/core/task.ts";
import { taskStatuses } from "@/server/core/task-status.ts";
import { queries } from "../api/queries.ts";
import { useInView } from "../lists/use-in-view.ts";
import { shortId } from "../tasks/short-id.ts";
import { StatusGlyph } from "../tasks/status-glyph.tsx";
import { statusTable } from "../tasks/status-table.ts";
import { DoingCell, WorkedCell } from "../tasks/task-cells.tsx";
import { filtersToUrl, noFilters } from "../tasks/task-filters.ts";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";

/** Parents shown above a task; whoever wants to see more follows the links. */
const mostAbove = 6;

/**
 * Where a task stands among those that started it and those it started, as a tree: nothing for one
 * that has neither.
 */
export function Family({ taskId, parentTaskId }: Pick<TaskRecord, "taskId" | "parentTaskId">) {
  const id = useId();
  const children = useInfiniteQuery(queries.relatives("children", taskId));
  const started = children.data?.pages.flatMap(({ items }) => items) ?? [];
  if (parentTaskId === null && started.length === 0) return null;
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
        <h2 id={id} className="font-semibold">
          {started.length > 0 ? "Tasks it started" : "Part of"}
        </h2>
        {started.length > 0 && (
          <Counts taskId={taskId} started={started} hasMore={children.hasNextPage} />
        )}
      </div>
      <ul
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[60vh] overflow-y-auto overscroll-contain rounded-lg border bg-surface py-1"
      >
        <Above taskId={parentTaskId} left={mostAbove}>
          {(depth) => (
            <>
              <ThisRow taskId={taskId} depth={depth} />
              <Below taskId={taskId} depth={depth + 1} />
            </>
          )}
        </Above>
      </ul>
    </section>
  );
}

/** How many of them stand how; each leads to those in the list of tasks. */
function Counts({
  taskId,
  started,
  hasMore,
}: {
  taskId: string;
  started: readonly TaskRecord[];
  hasMore: boolean;
}) {
  const listed = (statuses: TaskRecord["status"][]) =>
    `/tasks${filtersToUrl({ ...noFilters, parent: taskId, statuses })}`;
  const more = hasMore ? "+" : "";
  return (
    <p className="tabular flex flex-wrap items-center gap-x-3 text-ink-2 text-sm">
      <IntentLink href={listed([])} className="text-link hover:underline">
        {started.length}
        {more} in the list of tasks
      </IntentLink>
      {taskStatuses.map((status) => {
        const count = started.filter((each) => each.status === status).length;
        if (count === 0) return null;
        const { label } = statusTable[status];
        return (
          <IntentLink
            key={status}
            href={listed([status])}
            title={label}
            className="flex items-center gap-1 hover:text-ink hover:underline"
          >
            <StatusGlyph status={status} isSmall />
            {count}
            {more}
            <span className="sr-only"> {label}</span>
          </IntentLink>
        );
      })}
    </p>
  );
}

/** The tasks above one, the topmost first, and then what stands below them. */
function Above({
  taskId,
  left,
  children,
}: {
  taskId: string | null;
  left: number;
  children: (depth: number) => ReactNode;
}) {
  const query = useQuery({ ...queries.task(taskId ?? ""), enabled: taskId !== null });
  if (taskId === null) return children(0);
  const parent = query.data?.task;
  // It is not there any more, or nothing that whoever looks may know of; or it is still on its way.
  if (!parent) {
    return (
      <>
        <li className="flex h-7 items-center gap-2 pl-8 text-ink-3">
          <span className="font-mono text-sm">{shortId(taskId)}</span>
          {query.isError && "cannot be shown"}
        </li>
        {children(1)}
      </>
    );
  }
  const next = left > 1 ? parent.parentTaskId : null;
  return (
    <Above taskId={next} left={left - 1}>
      {(depth) => (
        <>
          <Row task={parent} depth={depth} />
          {children(depth + 1)}
        </>
      )}
    </Above>
  );
}

/** The tasks that a task started, a page at a time. */
function Below({ taskId, depth }: { taskId: string; depth: number }) {
  const query = useInfiniteQuery(queries.relatives("children", taskId));
  const started = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {started.map((child) => (
        <Branch key={child.taskId} task={child} depth={depth} />
      ))}
      {query.hasNextPage && (
        <More
          depth={depth}
          length={started.length}
          isLoading={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}

function More({
  depth,
  length,
  isLoading,
  onMore,
}: {
  depth: number;
  length: number;
  isLoading: boolean;
  onMore: () => void;
}) {
  const end = useInView(length, () => !isLoading && onMore());
  return (
    <li className="flex h-7 items-center" style={indent(depth)}>
      <div ref={end} />
      <button
        type="button"
        disabled={isLoading}
        onClick={onMore}
        className="ml-6 rounded-sm text-link text-sm hover:underline"
      >
        {isLoading ? "Loading more…" : "Load more"}
      </button>
    </li>
  );
}

/** The task whose page this is; what changes of it all the time concerns this row alone. */
function ThisRow({ taskId, depth }: { taskId: string; depth: number }) {
  const { data } = useQuery(queries.task(taskId));
  return data && <Row task={data.task} depth={depth} isThis />;
}

/** A task that can be unfolded when it started others. */
const Branch = memo(function Branch({ task, depth }: { task: TaskRecord; depth: number }) {
  const [isSeen, setSeen] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const seen = useInView(0, () => setSeen(true));
  const { data: isParent = false } = useQuery({
    ...queries.hasChildren(task.taskId),
    enabled: isSeen,
  });
  return (
    <>
      <Row
        task={task}
        depth={depth}
        fold={isParent ? { isOpen, toggle: () => setOpen(!isOpen) } : null}
      >
        {!isSeen && <div ref={seen} />}
      </Row>
      {isOpen && <Below taskId={task.taskId} depth={depth + 1} />}
    </>
  );
});

interface RowProps {
  task: TaskRecord;
  depth: number;
  /** The task whose page this is. */
  isThis?: boolean;
  fold?: { isOpen: boolean; toggle: () => void } | null;
  children?: ReactNode;
}

function Row({ task, depth, isThis = false, fold = null, children }: RowProps) {
  const { taskId, type, status } = task;
  return (
    <li
      data-relative={taskId}
      style={indent(depth)}
      className={cn(
        "flex h-7 items-center gap-2 pr-3 [contain-intrinsic-size:auto_1.75rem] [content-visibility:auto]",
        isThis ? "bg-hover/70" : "hover:bg-hover/50",
      )}
    >
      {children}
      {fold === null ? (
        <span className="size-5 shrink-0" />
      ) : (
        <button
          type="button"
          aria-expanded={fold.isOpen}
          aria-label={`Tasks that ${type} started`}
          onClick={fold.toggle}
          className="flex size-5 shrink-0 items-center justify-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
        >
          <ChevronRight aria-hidden="true" className={cn("size-3.5", fold.isOpen && "rotate-90")} />
        </button>
      )}
      <StatusGlyph status={status} isSmall />
      <span className="sr-only">{statusTable[status].label}: </span>
      {isThis ? (
        <span aria-current="page" className="min-w-0 shrink truncate font-medium">
          <bdi>{type}</bdi>
        </span>
      ) : (
        <IntentLink
          href={`/tasks/${taskId}`}
          title={taskId}
          className="min-w-0 shrink truncate font-medium hover:underline"
        >
          <bdi>{type}</bdi>
        </IntentLink>
      )}
      <span className="shrink-0 font-mono text-ink-3 text-sm">
        {isThis ? "this task" : shortId(taskId)}
      </span>
      <span className="min-w-0 flex-1 truncate text-ink-2 text-sm">
        <DoingCell task={task} />
      </span>
      <span className="tabular shrink-0 text-ink-3 text-sm">
        <WorkedCell task={task} />
      </span>
    </li>
  );
}

function indent(depth: number) {
  return { paddingInlineStart: `${0.375 + depth * 1.125}rem` };
}
