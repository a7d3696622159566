import { z } from "zod";
import { type AuditQuery, auditActions } from "../../core/audit.ts";
import { parseTimestamp, type Timestamp, toTimestamp } from "../../core/timestamp.ts";

const moment = z
  .string()
  .max(40)
  .optional()
  .describe("An ISO 8601 date, or date and time; no zone means UTC");

const filters = {
  actor: z.string().min(1).max(200).optional().describe("Somebody's id, or a part of their name"),
  action: z.array(z.enum(auditActions)).max(50).optional().describe("One of these"),
  taskId: z.string().min(1).max(200).optional(),
  from: moment,
  until: moment,
};

export const listAuditInput = z.strictObject({
  ...filters,
  limit: z.int().min(1).max(500).default(50).describe("Items a page"),
  after: z.string().max(500).nullish().describe("The `nextCursor` of the page before this one"),
});

export const exportAuditInput = z.strictObject({
  format: z.enum(["jsonl", "csv"]).default("jsonl"),
  ...filters,
});

type Filters = Omit<z.output<typeof listAuditInput>, "limit" | "after">;

/** @throws InvalidInput for a moment that is none. */
export function auditFilters(input: Filters): Omit<AuditQuery, "limit" | "after"> {
  const { actor, action, taskId, from, until } = input;
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { actions: action }),
    ...(taskId !== undefined && { taskId }),
    ...(from !== undefined && { from: timestampOf(from) }),
    ...(until !== undefined && { until: timestampOf(until) }),
  };
}

function timestampOf(text: string): Timestamp {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
  return toTimestamp(parseTimestamp(isDate ? `${text.trim()}T00:00Z` : text));
}
