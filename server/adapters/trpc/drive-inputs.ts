import { z } from "zod";
import { urgencies } from "../../core/task-question.ts";
import { updateLevels } from "../../core/task-update.ts";
import { id, idempotencyKey, json, labels, maxPollSeconds } from "./input-schemas.ts";

const driverId = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, "has 1 to 100 letters, digits or . _ : -")
  .describe("Names the program that drives the task: another one is refused");

const leaseSeconds = z
  .number()
  .min(5)
  .max(3600)
  .optional()
  .describe("Seconds from now after which the task fails if no other call comes; 60");

const call = { taskId: id, driverId, leaseSeconds };

const type = z
  .string()
  .regex(/^[\w.:/-]{1,100}$/, "has 1 to 100 letters, digits or . _ : / -")
  .describe("A name of your own, which no handler is registered under");

/** Named by the driver, so that a call may be repeated. */
const updateKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("A name of your own for this update: a call that is repeated with it posts it once");

const message = z.string().min(1).max(20_000);

export const driveStartInput = z.strictObject({
  type,
  params: json.optional().describe("An object, to be shown"),
  driverId: driverId.optional().describe("Made by the server when left out"),
  leaseSeconds,
  idempotencyKey,
  priority: z.int().min(-1000).max(1000).optional(),
  labels: labels.optional().describe("Short texts to find the task by"),
});

export const driveHeartbeatInput = z.strictObject(call);

export const driveUpdateInput = z.strictObject({
  ...call,
  message,
  level: z.enum(updateLevels).default("info"),
  sequence: z
    .int()
    .min(1)
    .optional()
    .describe("1, 2, 3 … for each update: one that is repeated with its number is posted once"),
  key: updateKey,
});

export const driveProgressInput = z.strictObject({
  ...call,
  done: z.number().min(0),
  total: z.number().min(0).nullish(),
  message: z.string().max(2000).nullish().describe("Posted as an update when it changes"),
  unit: z.string().max(40).optional(),
  key: updateKey,
});

const choice = z.strictObject({
  value: z.string().min(1).max(500),
  label: z.string().max(500).optional(),
  description: z.string().max(2000).optional(),
});

export const driveAskInput = z.strictObject({
  ...call,
  key: z
    .string()
    .min(1)
    .max(200)
    .describe("One question each: the same key again gives the same question, and waits on"),
  prompt: z.string().min(1).max(20_000),
  timeout: z.number().positive().max(31_536_000).optional().describe("Seconds to answer in; 300"),
  choices: z
    .array(z.union([z.string().min(1).max(500), choice]))
    .min(1)
    .max(200)
    .optional(),
  multiple: z.boolean().optional().describe("The answer is a list of choices"),
  schema: z
    .record(z.string(), json)
    .refine((schema) => JSON.stringify(schema).length <= 20_000, "is longer than 20,000 characters")
    .optional()
    .describe("JSON Schema the answer must fit"),
  default: json.optional().describe("Used when nobody answers in time"),
  context: json.optional().describe("Shown beside the question"),
  answerableBy: z
    .enum(["anyone", "operator"])
    .default("operator")
    .describe("`operator`: people only, and no agent"),
  urgency: z.enum(urgencies).optional(),
  secret: z.boolean().optional().describe("The answer is told to the driver only"),
  wait: z
    .number()
    .min(0)
    .max(maxPollSeconds)
    .default(0)
    .describe(`Seconds to wait for the outcome, at most ${maxPollSeconds}`),
});

export const driveFinishInput = z.strictObject({
  ...call,
  status: z.enum(["completed", "failed", "cancelled"]),
  result: json.optional().describe("Any JSON value"),
  error: z.string().min(1).max(20_000).optional().describe("Needed for `failed`"),
});
