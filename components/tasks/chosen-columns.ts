import { storedJson } from "../stored/stored-json.ts";
import { columnPlaces, fixedColumns, usualColumns } from "./task-columns.tsx";

/** The columns that this browser shows besides the fixed ones. */
export const chosenColumns = storedJson<readonly string[]>("toolthread.task-columns", (stored) =>
  Array.isArray(stored)
    ? stored.filter((id): id is string => typeof id === "string" && id in columnPlaces)
    : usualColumns,
);

/** Which columns are shown, as the table's library has it. */
export function visibilityOf(chosen: readonly string[]): Record<string, boolean> {
  return Object.fromEntries(
    Object.keys(columnPlaces).map((id) => [id, fixedColumns.includes(id) || chosen.includes(id)]),
  );
}
