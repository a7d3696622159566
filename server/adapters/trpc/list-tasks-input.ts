import { z } from "zod";
import type { Period } from "../../core/durable-task-store.ts";
import { activities } from "../../core/task.ts";
import { taskOrders } from "../../core/task-order.ts";
import { taskStatuses } from "../../core/task-status.ts";
import type { CallersTaskQuery } from "../../identity/callers-tasks.ts";
import { id, labels, pageCursor, pageSize } from "./input-schemas.ts";
import { moment, timestampOf } from "./moment-input.ts";

export const listTasksInput = z.strictObject({
  statuses: z.array(z.enum(taskStatuses)).max(20).optional(),
  activities: z
    .array(z.enum(activities))
    .max(20)
    .optional()
    .describe("What happens at this moment, which the status alone does not tell"),
  types: z.array(z.string().max(200)).max(100).optional(),
  text: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Words that are all in the task: in its id, its labels, its error, or the first 4,096 " +
        "characters of its params or its result as JSON",
    ),
  labels: labels.optional(),
  parentTaskId: id.optional().describe("Only the tasks that this task started"),
  rerunOf: id.optional().describe("Only the reruns of this task"),
  createdFrom: moment,
  createdUntil: moment,
  finishedFrom: moment,
  finishedUntil: moment,
  waitsForMe: z
    .boolean()
    .optional()
    .describe(
      "Only tasks with an open question that the caller may answer and nobody else took on",
    ),
  limit: pageSize.describe(
    "Items a page. It can have fewer, and a `nextCursor` all the same: where what is asked for " +
      "is rare, that says how far was looked",
  ),
  after: pageCursor,
  order: z
    .enum(taskOrders)
    .default("newest")
    .describe(
      "The last four list only tasks that ended. With `text` only the first two can be had",
    ),
});

/** @throws InvalidInput for a moment that is none. */
export function taskQueryOf(input: z.output<typeof listTasksInput>): CallersTaskQuery {
  const { createdFrom, createdUntil, finishedFrom, finishedUntil, ...same } = input;
  return {
    ...same,
    created: periodOf(createdFrom, createdUntil),
    finished: periodOf(finishedFrom, finishedUntil),
  };
}

function periodOf(from: string | undefined, until: string | undefined): Period | undefined {
  if (from === undefined && until === undefined) return undefined;
  return {
    ...(from !== undefined && { from: timestampOf(from) }),
    ...(until !== undefined && { until: timestampOf(until) }),
  };
}
