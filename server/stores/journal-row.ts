import { z } from "zod";
import type { JournalEntry } from "../core/journal.ts";
import { fromColumnText } from "./column-text.ts";
import type { JournalRow } from "./generated/client.ts";
import { checkRow, fromJsonText, toJsonText } from "./stored-json.ts";
import { textOrNull } from "./task-row.ts";

const partsSchema = z.object({
  kind: z.enum(["step", "sleep"]),
  status: z.enum(["pending", "ok", "failed"]),
});

export function toJournalRow(entry: JournalEntry): Omit<JournalRow, "id"> {
  return { ...entry, value: toJsonText(entry.value) };
}

/** @throws StoreUnavailable naming the row, when it is damaged. */
export function fromJournalRow({ id, ...row }: JournalRow): JournalEntry {
  return {
    ...row,
    ...checkRow("journal", id, partsSchema, { kind: row.kind, status: row.status }),
    taskId: fromColumnText(row.taskId),
    name: fromColumnText(row.name),
    key: fromColumnText(row.key),
    value: fromJsonText("journal", id, row.value),
    error: textOrNull(row.error),
  };
}
