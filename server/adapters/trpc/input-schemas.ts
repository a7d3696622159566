import { z } from "zod";
import { questionOrders } from "../../core/durable-task-store.ts";
import type { JsonValue } from "../../core/json.ts";
import { overviewRanges } from "../../core/overview.ts";
import { updateLevels } from "../../core/task-update.ts";

/** Seconds a poll over a network may be held; a longer wait would outlive proxies. */
export const maxPollSeconds = 60;

const maxPageSize = 500;

export const id = z.string().min(1).max(200);
export const pageSize = z.int().min(1).max(maxPageSize).default(50).describe("Items a page");
export const pageCursor = z
  .string()
  .max(500)
  .nullish()
  .describe("The `nextCursor` of the page before this one");

/** Any JSON value, but not a missing one. It came out of JSON.parse, so it needs no walk. */
export const json = z
  .custom<JsonValue>((value) => value !== undefined, "is missing")
  .meta({ override: {}, description: "Any JSON value" });

export const labels = z.record(z.string().min(1).max(100), z.string().max(500));

export const taskIdInput = z.strictObject({ taskId: id });

export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("A second start with this key, type and params gives the first one's task");

export const startInput = z.strictObject({
  type: z.string().min(1).max(200).describe("A registered task type"),
  params: json.optional().describe("What the task type's schema asks for"),
  idempotencyKey,
  priority: z.int().min(-1000).max(1000).optional().describe("Higher runs first; 0 when left out"),
  labels: labels.optional().describe("Short texts to find the task by"),
  startAfter: z
    .string()
    .max(40)
    .optional()
    .describe("An ISO 8601 timestamp: the task starts no earlier; at once when left out"),
});

export const rerunInput = z.strictObject({
  taskId: id,
  params: json.optional().describe("Other parameters; the same ones when left out"),
  idempotencyKey,
});

export const eventsInput = z.strictObject({
  taskId: id,
  afterSeq: z.int().min(0).default(0),
  limit: z.int().min(1).max(maxPageSize).default(maxPageSize),
  withoutUpdates: z.boolean().optional().describe("Only what happened, not what the task said"),
});

export const searchEventsInput = z.strictObject({
  taskId: id,
  text: z.string().max(200).optional().describe("In what the entry says, in upper or lower case"),
  level: z.enum(updateLevels).optional().describe("Only what matters at least as much"),
  afterSeq: z.int().min(0).default(0),
  untilSeq: z.int().min(1).optional().describe("Only up to this one"),
  limit: z.int().min(1).max(maxPageSize).default(maxPageSize),
});

export const exportTimelineInput = z.strictObject({
  taskId: id,
  format: z.enum(["json", "text"]).default("json"),
});

export const pollInput = z.strictObject({
  taskId: id,
  since: z
    .string()
    .max(200)
    .nullish()
    .describe("The `cursor` of an earlier response, or an ISO 8601 timestamp"),
  timeout: z
    .number()
    .min(0)
    .default(30)
    .describe(`Seconds to wait for news; more than ${maxPollSeconds} is read as ${maxPollSeconds}`),
  waitFor: z
    .enum(["news", "input_or_result"])
    .default("news")
    .describe("`input_or_result` sleeps through updates until a question or the end"),
  limit: z.int().min(1).max(maxPageSize).default(maxPageSize).describe("Updates a response"),
});

export const cancelInput = z.strictObject({
  taskId: id,
  reason: z.string().max(2000).nullish(),
  force: z.boolean().optional().describe("End the task at once, without its clean-up"),
});

/** Tasks that one call does something to: as many as a page can have. */
const manyIds = z.array(id).min(1).max(maxPageSize);

export const cancelManyInput = z.strictObject({
  taskIds: manyIds,
  reason: z.string().max(2000).nullish(),
});

export const rerunManyInput = z.strictObject({ taskIds: manyIds });

export const overviewInput = z.strictObject({
  range: z.enum(overviewRanges).default("24h").describe("How far back it looks"),
});

export const listQuestionsInput = z.strictObject({
  state: z.enum(["open", "resolved"]).default("open"),
  order: z
    .enum(questionOrders)
    .default("deadline")
    .describe(
      "Of open ones: by deadline, or by how pressing they are: their deadline, how long they wait, " +
        "their urgency, and what waits behind them",
    ),
  taskId: id.optional(),
  limit: pageSize,
  after: pageCursor,
});

export const questionIdInput = z.strictObject({ questionId: id });

export const answerInput = z.strictObject({
  questionId: id,
  answer: json.describe("Text, one of the choices, a list of them, or what the schema asks for"),
});

export const answerManyInput = z.strictObject({
  answers: z
    .array(answerInput)
    .min(1)
    .max(200)
    .describe("Approvals and secrets are not taken this way"),
});

export const declineInput = z.strictObject({
  questionId: id,
  reason: z.string().max(2000).nullish(),
});

export const claimInput = z.strictObject({
  questionId: id,
  takeOver: z.boolean().default(false).describe("Also when somebody else is on it"),
});

const lastEventId = z.string().max(30).nullish().describe("Resume after this event");

export const liveTaskInput = z.strictObject({ taskId: id, lastEventId });

export const liveFeedInput = z.strictObject({ lastEventId }).optional();
