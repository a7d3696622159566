import { z } from "zod";
import { overviewRanges } from "../../core/overview.ts";
import { taskStatuses } from "../../core/task-status.ts";
import { overviewInput } from "../trpc/input-schemas.ts";
import type { RestRoute } from "./rest-route.ts";

const seconds = z.number().nullable();

const measures = {
  started: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  asked: z.int().describe("Questions"),
  answered: z.int(),
  declined: z.int(),
  timedOut: z.int(),
  withdrawn: z.int().describe("Closed because their task was cancelled or ended"),
  workedSeconds: z.number().describe("Working time of what ended, without waiting for people"),
  failureRate: z
    .number()
    .nullable()
    .describe("Of what completed or failed, the part that failed; null when nothing did either"),
  answerP50: seconds.describe("Seconds that half of the answers came within"),
  answerP95: seconds.describe("Seconds that 95 % of the answers came within"),
};

export const overviewResponse = z.object({
  range: z.enum(overviewRanges),
  from: z.string(),
  slotSeconds: z.int(),
  live: z.object({
    pending: z.int(),
    running: z.int(),
    waiting: z.int(),
    byType: z.array(z.object({ type: z.string(), status: z.enum(taskStatuses), count: z.int() })),
  }),
  longestWaiting: z
    .array(
      z.object({
        questionId: z.string(),
        taskId: z.string(),
        taskType: z.string(),
        prompt: z.string(),
        askedAt: z.string(),
        deadline: z.string(),
      }),
    )
    .describe("Questions, open the longest first"),
  total: z.object(measures),
  slots: z
    .array(z.object({ at: z.string(), ...measures }))
    .describe("Slot by slot, the last one still going on"),
  types: z.array(z.object({ type: z.string(), ...measures })).describe("Most tasks first"),
});

export const statsResponse = z.object({
  tasks: z.object(
    Object.fromEntries(taskStatuses.map((status) => [status, z.int()])) as Record<
      (typeof taskStatuses)[number],
      z.ZodInt
    >,
  ),
  openQuestions: z.int(),
  waitingPolls: z.int().describe("Polls that this server holds"),
});

/** How it goes. */
export const overviewRoutes: readonly RestRoute[] = [
  {
    method: "GET",
    path: "/overview",
    procedure: "tasks.overview",
    input: overviewInput,
    output: overviewResponse,
    summary: "See what is under way, and how it went in a span of time",
    description: "Not for a key that sees its own tasks only.",
    codes: [],
  },
  {
    method: "GET",
    path: "/stats",
    procedure: "tasks.stats",
    input: null,
    output: statsResponse,
    summary: "Count tasks by status, and open questions",
    codes: [],
  },
];
