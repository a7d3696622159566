import { columnVisibilityFeature, createColumnHelper, tableFeatures } from "@tanstack/react-table";
import type { TaskRecord } from "@/server/core/task.ts";
import type { TaskOrder } from "@/server/core/task-order.ts";
import { shortId } from "./short-id.ts";
import {
  DoingCell,
  LabelsCell,
  ProgressCell,
  StatusCell,
  TimeCell,
  TypeCell,
  WaitedCell,
  WorkedCell,
} from "./task-cells.tsx";

/** What the table's library is to do; what it is not asked for is not loaded. */
export const taskTableFeatures = tableFeatures({ columnVisibilityFeature });

const helper = createColumnHelper<typeof taskTableFeatures, TaskRecord>();

interface Place {
  /** Its part of the grid where there is room for all columns. */
  width: string;
  label: string;
  /** What its name means, where that is not plain. */
  hint?: string;
  isNumber?: boolean;
  /** The orders that its head switches between, the first one first. */
  orders?: readonly [TaskOrder, TaskOrder];
  /** Where the cell is on a narrow screen; columns without a place are left out there. */
  phone?: string;
}

/** Where each column stands and what it is called, in their order. */
export const columnPlaces: Readonly<Record<string, Place>> = {
  status: { label: "Status", width: "var(--status-width)", phone: "" },
  type: { label: "Type", width: "minmax(13rem,1.2fr)", phone: "" },
  id: { label: "Task", width: "5rem" },
  doing: {
    label: "Doing",
    width: "minmax(0,2fr)",
    phone: "text-ink-2 max-lg:order-1 max-lg:col-span-2 max-lg:col-start-3 max-lg:empty:hidden",
  },
  labels: { label: "Labels", width: "minmax(0,1fr)" },
  progress: {
    label: "Progress",
    width: "6rem",
    phone: "max-lg:order-2 max-lg:col-span-2 max-lg:col-start-3 max-lg:empty:hidden",
  },
  worked: {
    label: "Worked",
    hint: "The time it worked; waiting for people is not part of it",
    width: "5.5rem",
    isNumber: true,
    orders: ["longest", "shortest"],
  },
  waited: {
    label: "Waited",
    hint: "The time it waited for people",
    width: "5.5rem",
    isNumber: true,
  },
  created: {
    label: "Started",
    hint: "When it was asked for",
    width: "5.5rem",
    isNumber: true,
    orders: ["newest", "oldest"],
    phone: "text-right",
  },
  updated: {
    label: "Updated",
    hint: "When something happened to it last",
    width: "5.5rem",
    isNumber: true,
    orders: ["latest_updated", "earliest_updated"],
  },
  finished: {
    label: "Ended",
    width: "5.5rem",
    isNumber: true,
    orders: ["latest_finished", "earliest_finished"],
  },
  by: { label: "Started by", width: "minmax(0,7rem)" },
};

/** Columns that are always there. */
export const fixedColumns: readonly string[] = ["status", "type"];

/** Columns that are there until somebody chooses others. */
export const usualColumns: readonly string[] = ["id", "doing", "progress", "worked", "created"];

export const taskColumns = helper.columns([
  helper.display({ id: "status", cell: ({ row }) => <StatusCell task={row.original} /> }),
  helper.display({ id: "type", cell: ({ row }) => <TypeCell task={row.original} /> }),
  helper.display({
    id: "id",
    cell: ({ row: { original } }) => (
      <span className="font-mono text-ink-3 text-sm" title={original.taskId}>
        {shortId(original.taskId)}
      </span>
    ),
  }),
  helper.display({ id: "doing", cell: ({ row }) => <DoingCell task={row.original} /> }),
  helper.display({ id: "labels", cell: ({ row }) => <LabelsCell task={row.original} /> }),
  helper.display({ id: "progress", cell: ({ row }) => <ProgressCell task={row.original} /> }),
  helper.display({ id: "worked", cell: ({ row }) => <WorkedCell task={row.original} /> }),
  helper.display({ id: "waited", cell: ({ row }) => <WaitedCell task={row.original} /> }),
  helper.display({ id: "created", cell: ({ row }) => <TimeCell at={row.original.createdAt} /> }),
  helper.display({ id: "updated", cell: ({ row }) => <TimeCell at={row.original.lastEventAt} /> }),
  helper.display({ id: "finished", cell: ({ row }) => <TimeCell at={row.original.finishedAt} /> }),
  helper.display({
    id: "by",
    cell: ({ row: { original } }) => (
      <bdi className="text-ink-2" title={original.createdBy.surface}>
        {original.createdBy.name}
      </bdi>
    ),
  }),
]);
