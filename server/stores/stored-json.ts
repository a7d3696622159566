import { z } from "zod";
import { StoreUnavailable } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";

/** A row that is not what was written; something else changed or broke the database. */
export function damagedRow(table: string, id: string | number, why: string): StoreUnavailable {
  return new StoreUnavailable(
    `Row ${id} of table ${table} is damaged: ${why}. Something other than toolthread changed the ` +
      "database, or the file is broken; restore a backup or mend the row.",
    { table, id },
  );
}

/** Checks what a row was turned into. @throws StoreUnavailable naming table, row and field. */
export function checkRow<T>(
  table: string,
  id: string | number,
  schema: z.ZodType<T>,
  value: unknown,
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damagedRow(table, id, z.prettifyError(parsed.error).replaceAll("\n", " "));
}

/** JSON text of a value; SQL null for null. */
export function toJsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** @throws StoreUnavailable when the text is not JSON. */
export function fromJsonText(table: string, id: string | number, text: string | null): JsonValue {
  if (text === null) return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw damagedRow(table, id, `"${text.slice(0, 60)}" is not JSON`);
  }
}
