import { z } from "zod";
import { parseTimestamp, type Timestamp, toTimestamp } from "../../core/timestamp.ts";

/** A moment as a filter takes it. */
export const moment = z
  .string()
  .max(40)
  .optional()
  .describe("An ISO 8601 date, or date and time; no zone means UTC");

/** @throws InvalidInput for a moment that is none. */
export function timestampOf(text: string): Timestamp {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
  return toTimestamp(parseTimestamp(isDate ? `${text.trim()}T00:00Z` : text));
}
