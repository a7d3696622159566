import { z } from "zod";
import type { JsonValue } from "../../core/json.ts";
import { taskStatuses } from "../../core/task-status.ts";

/** Seconds a tool call may wait: clients of MCP, among others, give a call up after 60. */
export const maxToolPollSeconds = 50;

const defaultMaxChars = 10_000;

const id = z.string().min(1).max(200);
const taskId = id.describe("The task_id that start_task returned");

/** The top-level keys of start_task that are not parameters of the task. */
export const startKeys = ["task_type", "params", "idempotency_key"] as const;

export const startTaskInput = z.looseObject({
  task_type: z.string().min(1).max(200).describe("The name of a task type; see list_task_types"),
  params: z
    .union([
      // Not a record, of which zod would drop a member named __proto__ without a word.
      z.custom<Record<string, unknown>>(
        (value) => typeof value === "object" && value !== null && !Array.isArray(value),
        "must be an object",
      ),
      z.string(),
      z.null(),
    ])
    .optional()
    .meta({
      override: { type: "object", additionalProperties: true },
      description: "The parameters of the task type. They may also stand beside task_type",
    }),
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Repeat a start that may have failed with the same key: it starts one task only"),
});

export const pollTaskInput = z.strictObject({
  task_id: taskId,
  since: z
    .string()
    .max(200)
    .nullish()
    .describe(
      "The cursor of the last response, so that only what is new is returned. Leave it out at first",
    ),
  timeout: z
    .number()
    .min(0)
    .default(30)
    .describe(`Seconds to wait for something new, at most ${maxToolPollSeconds}`),
  wait_for: z
    .enum(["news", "input_or_result"])
    .default("news")
    .describe(
      "news: return with the first update. input_or_result: sleep through updates until a question " +
        "is asked or answered, or the task ends, and return them with it",
    ),
  max_chars: z
    .int()
    .min(200)
    .max(1_000_000)
    .default(defaultMaxChars)
    .describe(
      "Longer updates are shortened to about so many characters: those that differ in numbers only " +
        "are merged, the last ones are whole, updates_left_out counts the rest",
    ),
});

export const respondInput = z.strictObject({
  task_id: taskId,
  question_id: id.describe("The question_id of the pending question"),
  answer: z
    .custom<JsonValue>()
    .optional()
    .meta({
      override: {},
      description:
        "The customer's answer: text, the value of one of the choices, a list of values where several " +
        "may be chosen, or what the question's schema asks for",
    }),
  decline: z
    .boolean()
    .optional()
    .describe("true, in place of an answer, when the customer refuses to answer"),
  reason: z.string().max(2000).nullish().describe("Why the customer declines, in their words"),
});

export const cancelTaskInput = z.strictObject({
  task_id: taskId,
  reason: z.string().max(2000).nullish().describe("Why, for whoever looks at the task later"),
});

export const listTaskTypesInput = z.strictObject({});

export const getTaskInput = z.strictObject({ task_id: taskId });

export const listTasksInput = z.strictObject({
  statuses: z.array(z.enum(taskStatuses)).max(20).optional().describe("Only these statuses"),
  task_types: z.array(z.string().max(200)).max(100).optional().describe("Only these task types"),
  limit: z.int().min(1).max(100).default(20),
  after: z.string().max(500).nullish().describe("The next_cursor of the page before this one"),
});
