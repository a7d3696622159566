import type { TaskRecord } from "../core/task.ts";
import { updateRows } from "./bulk-sql.ts";
import type { Task } from "./generated/client.ts";
import { toJsonText } from "./stored-json.ts";
import { taskColumns } from "./table-columns.ts";
import { toTaskRow } from "./task-row.ts";

/** A statement that updates some columns of tasks, and what it takes for each of them. */
export interface TaskUpdate {
  sql: string;
  covers(changed: readonly (keyof TaskRecord)[]): boolean;
  valuesOf(task: TaskRecord): unknown[];
}

const quietFields = ["lastSeq", "lastEventAt", "progress"] as const;
const leaseFields = [...quietFields, "leaseExpiresAt"] as const;
const allFields = (Object.keys(taskColumns) as (keyof Task)[]).filter((field) => field !== "id");

/**
 * From the narrowest to the widest. SQLite writes an index again when one of its columns is named in
 * the update, changed or not; so what changes most often has statements that touch no index, or
 * only that of the leases.
 */
export const taskUpdates: readonly TaskUpdate[] = [
  narrowUpdate(quietFields, ({ taskId, lastSeq, lastEventAt, progress }) => [
    taskId,
    lastSeq,
    lastEventAt,
    toJsonText(progress),
  ]),
  narrowUpdate(leaseFields, ({ taskId, lastSeq, lastEventAt, progress, leaseExpiresAt }) => [
    taskId,
    lastSeq,
    lastEventAt,
    toJsonText(progress),
    leaseExpiresAt,
  ]),
  {
    sql: updateOf(allFields),
    covers: () => true,
    valuesOf(task) {
      const row = toTaskRow(task);
      return [row.id, ...allFields.map((field) => row[field])];
    },
  },
];

/** The index of the narrowest update that will do; -1 when nothing changed. */
export function narrowestUpdate(task: TaskRecord, before: TaskRecord): number {
  // A draft copies what it leaves alone, so that comparing references finds what it changed.
  const fields = Object.keys(task) as (keyof TaskRecord)[];
  const changed = fields.filter((field) => task[field] !== before[field]);
  return changed.length === 0 ? -1 : taskUpdates.findIndex((update) => update.covers(changed));
}

function narrowUpdate<Field extends keyof Task & keyof TaskRecord>(
  fields: readonly Field[],
  valuesOf: (task: TaskRecord) => unknown[],
): TaskUpdate {
  const covered: readonly string[] = fields;
  return {
    sql: updateOf(fields),
    covers: (changed) => changed.every((field) => covered.includes(field)),
    valuesOf,
  };
}

function updateOf(fields: readonly (keyof Task)[]): string {
  return updateRows(
    "tasks",
    "id",
    fields.map((field) => taskColumns[field]),
  );
}
