"use client";

import { useTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type CSSProperties, useEffect, useMemo, useRef } from "react";
import type { TaskRecord } from "@/server/core/task.ts";
import type { TaskOrder } from "@/server/core/task-order.ts";
import { useStoredJson } from "../stored/stored-json.ts";
import { cn } from "../ui/cn.ts";
import { checkClass } from "../ui/input.tsx";
import { chosenColumns, visibilityOf } from "./chosen-columns.ts";
import { columnPlaces, taskColumns, taskTableFeatures, usualColumns } from "./task-columns.tsx";
import { rowGrid, TaskRow } from "./task-row.tsx";
import { useListScroller } from "./use-list-scroller.ts";
import { useRowKeys } from "./use-row-keys.ts";
import type { Selection } from "./use-selection.ts";

const rowHeight = 40;
// Rows before the end at which the next page is asked for.
const loadAhead = 30;

interface TaskTableProps {
  tasks: TaskRecord[];
  gone: ReadonlySet<string>;
  selection: Selection;
  order: TaskOrder;
  /** Null where only one order is to be had. */
  onOrder: ((order: TaskOrder) => void) | null;
  /** Asks for more rows. */
  onEnd: () => void;
  onHold: (isHeld: boolean) => void;
}

/** Tasks as rows, of which only those near the view are rendered. */
export function TaskTable(props: TaskTableProps) {
  const { tasks, gone, selection, order, onOrder, onEnd, onHold } = props;
  const chosen = useStoredJson(chosenColumns, usualColumns);
  const columnVisibility = useMemo(() => visibilityOf(chosen), [chosen]);
  const table = useTable({
    features: taskTableFeatures,
    columns: taskColumns,
    data: tasks,
    getRowId: ({ taskId }) => taskId,
    state: { columnVisibility },
  });
  const { rows } = table.getRowModel();
  const body = useRef<HTMLTableSectionElement>(null);
  const keys = useMemo(() => tasks.map(({ taskId }) => taskId), [tasks]);
  const { virtualizer, margin } = useListScroller(body, { keys, rowHeight });
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastShown >= rows.length - loadAhead) onEnd();
  }, [lastShown, rows.length, onEnd]);
  useRowKeys(body, { keys, selection, scrollTo: (index) => virtualizer.scrollToIndex(index) });

  const shown = Object.keys(columnPlaces).filter((id) => columnVisibility[id]);
  const widths = ["1.25rem", ...shown.map((id) => columnPlaces[id]?.width ?? "auto")].join(" ");
  const areAllSelected = tasks.length > 0 && keys.every((id) => selection.ids.has(id));
  const areSomeSelected = !areAllSelected && selection.ids.size > 0;
  return (
    <table
      aria-rowcount={-1}
      className="block w-full border-t [--status-width:1.25rem] xl:[--status-width:9rem]"
      style={{ "--columns": widths } as CSSProperties}
    >
      <caption className="sr-only">{captions[order]}</caption>
      <thead className="sticky top-0 z-10 block bg-canvas max-lg:top-12 max-md:static">
        <tr
          aria-rowindex={1}
          className={cn(rowGrid, "h-8 items-center border-b text-ink-3 text-sm")}
        >
          <td className="flex">
            <label className="-m-1 flex p-1" title="Select what is listed so far">
              <input
                type="checkbox"
                className={checkClass}
                aria-label="Select all tasks that are listed so far"
                checked={areAllSelected}
                ref={(box) => {
                  if (box) box.indeterminate = areSomeSelected;
                }}
                onChange={() => selection.set(areAllSelected ? [] : keys)}
              />
            </label>
          </td>
          {shown.map((id) => (
            <ColumnHead key={id} id={id} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody
        ref={body}
        className="relative block"
        style={{ height: virtualizer.getTotalSize() }}
        onPointerEnter={({ pointerType }) => pointerType === "mouse" && onHold(true)}
        onPointerLeave={() => onHold(false)}
      >
        {items.map(({ index, start, key }) => {
          const row = rows[index];
          return (
            row && (
              <TaskRow
                key={key}
                row={row}
                task={row.original}
                columns={shown.join()}
                index={index}
                start={start - margin}
                isSelected={selection.ids.has(row.id)}
                isGone={gone.has(row.id)}
                measure={virtualizer.measureElement}
                onSelect={selection.toggle}
              />
            )
          );
        })}
      </tbody>
    </table>
  );
}

const captions: Record<TaskOrder, string> = {
  newest: "Tasks, newest first",
  oldest: "Tasks, oldest first",
  latest_updated: "Tasks, what changed last first",
  earliest_updated: "Tasks, what changed longest ago first",
  latest_finished: "Tasks that ended, the last one first",
  earliest_finished: "Tasks that ended, the first one first",
  longest: "Tasks that ended, those that worked longest first",
  shortest: "Tasks that ended, those that worked shortest first",
};

function ColumnHead({
  id,
  order,
  onOrder,
}: {
  id: string;
  order: TaskOrder;
  onOrder: TaskTableProps["onOrder"];
}) {
  const { label, hint, isNumber, orders, phone } = columnPlaces[id] ?? { label: id };
  const isSorted = orders?.includes(order) ?? false;
  const isDown = order === orders?.[0];
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      title={hint}
      aria-sort={isSorted ? (isDown ? "descending" : "ascending") : undefined}
      className={cn(
        "font-normal",
        isNumber ? "text-right" : "text-left",
        phone === undefined && "max-lg:hidden",
        (id === "doing" || id === "progress") && "max-lg:hidden",
        id === "status" && "max-xl:sr-only",
      )}
    >
      {orders && onOrder ? (
        <button
          type="button"
          className="inline-flex h-6 items-center gap-1 rounded-sm hover:text-ink aria-pressed:text-ink"
          aria-pressed={isSorted}
          onClick={() => onOrder(isSorted && isDown ? orders[1] : orders[0])}
        >
          {isSorted && <Arrow className="size-3" aria-hidden="true" />}
          {label}
        </button>
      ) : (
        label
      )}
    </th>
  );
}
