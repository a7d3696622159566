import { z } from "zod";
import { type AuditQuery, auditActions } from "../../core/audit.ts";
import { moment, timestampOf } from "./moment-input.ts";

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
