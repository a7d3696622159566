"use client";

import { FlexRender, type Row } from "@tanstack/react-table";
import { memo } from "react";
import type { TaskRecord } from "@/server/core/task.ts";
import { cn } from "../ui/cn.ts";
import { checkClass } from "../ui/input.tsx";
import { columnPlaces, type taskTableFeatures } from "./task-columns.tsx";

export type TaskTableRow = Row<typeof taskTableFeatures, TaskRecord>;

/** The grid of the head and of every row; the columns are set on the table. */
export const rowGrid =
  "grid grid-cols-[1.25rem_1.25rem_minmax(0,1fr)_auto] gap-x-3 px-2 lg:[grid-template-columns:var(--columns)]";

interface TaskRowProps {
  row: TaskTableRow;
  /** Its task, so that a row renders when its own task changed. */
  task: TaskRecord;
  /** The columns that are shown, for the same reason. */
  columns: string;
  index: number;
  start: number;
  isSelected: boolean;
  isGone: boolean;
  measure: (element: HTMLElement | null) => void;
  onSelect: (taskId: string, isRange: boolean) => void;
}

/** One task of the list. */
export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { row, task, index, start, isSelected, isGone, measure, onSelect } = props;
  return (
    <tr
      ref={measure}
      data-index={index}
      data-task={task.taskId}
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${start}px)` }}
      className={cn(
        rowGrid,
        "absolute inset-x-0 top-0 min-h-10 items-center border-b hover:bg-hover/60 has-[a:focus-visible]:bg-hover/60",
        "max-lg:gap-y-0.5 max-lg:py-2.5",
        isSelected && "bg-hover/80",
        isGone && "opacity-55",
      )}
    >
      <td className="relative z-1 flex">
        {/* The label is what is pressed: 24 px at the least, around a box of 16. */}
        <label className="-m-1 flex p-1">
          <input
            type="checkbox"
            className={checkClass}
            checked={isSelected}
            aria-label={`Select ${task.type} ${task.taskId}`}
            onChange={() => {}}
            onClick={(event) => onSelect(task.taskId, event.shiftKey)}
          />
        </label>
      </td>
      {row.getVisibleCells().map((cell) => {
        const { isNumber, phone } = columnPlaces[cell.column.id] ?? {};
        return (
          <td
            key={cell.id}
            className={cn(
              "min-w-0 truncate",
              phone ?? "max-lg:hidden",
              isNumber && "tabular text-ink-2 lg:text-right",
            )}
          >
            <FlexRender cell={cell} />
          </td>
        );
      })}
    </tr>
  );
});
