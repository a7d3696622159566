/**
 * What the API answers, for its description. A test holds real responses against them; responses
 * are not parsed with them at run time.
 */
import { z } from "zod";
import { surfaces } from "../../core/actor.ts";
import { auditActions } from "../../core/audit.ts";
import { questionOutcomes, urgencies } from "../../core/task-question.ts";
import { taskStatuses } from "../../core/task-status.ts";
import { updateLevels } from "../../core/task-update.ts";
import { type ApiErrorCode, errorTable } from "../error-table.ts";

const timestamp = z
  .string()
  .describe("UTC with six decimals, for example 2026-11-30T17:04:05.000123Z");
const json = z.any().describe("Any JSON value");
const status = z.enum(taskStatuses);

const actor = z
  .object({
    kind: z.enum(["operator", "agent", "system"]),
    id: z.string(),
    name: z.string(),
    surface: z.enum(surfaces),
  })
  .meta({ id: "Actor", description: "Who did something, and over which surface" });

const progress = z
  .object({
    done: z.number(),
    total: z.number().nullable(),
    message: z.string().nullable(),
    at: timestamp,
    unit: z.string().optional().describe("What is counted, for example bytes"),
    pace: z
      .object({
        done: z.number(),
        workedSeconds: z.number(),
        perSecond: z.number().nullable(),
      })
      .optional()
      .describe("How fast it goes on, by the working clock, which leaves waiting for people out"),
  })
  .meta({ id: "Progress" });

const approval = z
  .object({
    action: z.string(),
    args: json,
    argsDigest: z.string().describe("SHA-256 of the canonical JSON of args, in hex"),
    askedDigest: z.string().describe("The digest of what the handler asked for"),
    argsSchema: z.record(z.string(), json).nullable(),
    allowEdit: z.boolean().describe("An operator may change the arguments"),
    edited: z.object({ by: actor, at: timestamp, askedArgs: json }).nullable(),
    needed: z.int().describe("How many different people have to approve"),
    given: z.array(z.object({ by: actor, at: timestamp })),
    selfApproval: z.boolean().describe("false: not by who started the task"),
    expiresIn: z.number().describe("Seconds the grant can be used once it is given"),
    expiresAt: timestamp.nullable(),
    usedBy: z.object({ name: z.string(), key: z.string(), at: timestamp }).nullable(),
  })
  .meta({ id: "Approval", description: "What is to be approved, and by whom it is so far" });

export const questionSchema = z
  .object({
    questionId: z.string(),
    taskId: z.string(),
    key: z.string(),
    prompt: z.string(),
    timeout: z.number().describe("Seconds from askedAt to deadline"),
    askedAt: timestamp,
    deadline: timestamp,
    choices: z
      .array(z.object({ value: z.string(), label: z.string(), description: z.string().optional() }))
      .nullable(),
    multiple: z.boolean().describe("The answer is a list of choices"),
    schema: z.record(z.string(), json).nullable().describe("JSON Schema the answer must fit"),
    answerableBy: z.enum(["anyone", "operator"]),
    urgency: z.enum(urgencies).describe("How much it presses"),
    secret: z.boolean().describe("The answer is a secret: it reads ••• everywhere"),
    hasDefault: z.boolean(),
    defaultValue: json,
    context: json,
    outcome: z.enum(questionOutcomes).nullable().describe("null while the question is open"),
    answer: json,
    answeredAt: timestamp.nullable(),
    resolvedAt: timestamp.nullable(),
    resolvedBy: actor.nullable(),
    declineReason: z.string().nullable(),
    defaultUsed: z.boolean(),
    firstSeenAt: timestamp.nullable(),
    firstSeenBy: actor.nullable(),
    claimedBy: actor.nullable().describe("Who is seeing to it; it holds nobody else off"),
    claimedUntil: timestamp.nullable(),
    lastSeq: z.int().describe("seq of the event that changed it last"),
    forgotten: z.boolean(),
    approval: approval.nullable().describe("Set where an action is to be approved"),
    isAnswered: z.boolean(),
    isResolved: z.boolean(),
    timedOut: z.boolean(),
  })
  .meta({ id: "Question" });

// What happens to a task at this moment, which its status alone does not tell.
const activity = z.enum(["queued", "running", "waiting", "parked", "resuming", "done"]);

const task = z
  .object({
    taskId: z.string(),
    type: z.string(),
    status,
    createdAt: timestamp,
    createdBy: actor,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    lastSeq: z.int(),
    lastEventAt: timestamp,
    attempt: z.int().describe("Executions of the handler so far"),
    epoch: z.int(),
    interrupts: z.int(),
    failures: z.int(),
    workerId: z.string().nullable(),
    leaseExpiresAt: timestamp.nullable(),
    wakeAt: timestamp.nullable(),
    priority: z.int(),
    labels: z.record(z.string(), z.string()),
    cancelRequestedAt: timestamp.nullable(),
    cancelReason: z.string().nullable(),
    cancelledBy: actor.nullable(),
    progress: progress.nullable(),
    openQuestions: z.int(),
    parentTaskId: z.string().nullable(),
    rerunOf: z.string().nullable(),
    idempotencyKey: z.string().nullable(),
    requestDigest: z.string().nullable(),
    concurrencyKey: z.string().nullable(),
    holdsKey: z.boolean(),
    driverSequence: z
      .int()
      .nullable()
      .describe("Of a task driven from outside: its driver's number of the last update"),
    workedSeconds: z.number(),
    waitedSeconds: z.number(),
    clock: z.enum(["working", "waiting"]).nullable(),
    clockSince: timestamp.nullable(),
    errorSummary: z.string().nullable(),
    activity,
  })
  .meta({ id: "Task" });

export const taskPage = z.object({
  items: z.array(task),
  nextCursor: z.string().nullable(),
});

export const taskDetail = z.object({
  task,
  isTypeKnown: z.boolean().describe("False when no handler of its type is registered: it waits"),
  cancelGrace: z
    .number()
    .describe("Seconds its handler has after a cancel before the task is ended without it"),
  workedSeconds: z.number(),
  waitedSeconds: z.number(),
  params: json,
  result: json,
  error: z.string().nullable(),
  questions: z.array(questionSchema),
});

export const startedResponse = z.object({
  taskId: z.string(),
  status,
  created: z.boolean().describe("false when the idempotency key had started this task before"),
});

export const cancelledResponse = z.object({ cancelled: z.boolean(), status });

export const pollResponse = z.object({
  taskId: z.string(),
  status,
  updates: z.array(
    z.object({
      taskId: z.string(),
      message: z.string(),
      level: z.enum(updateLevels),
      timestamp,
      updateId: z.string(),
    }),
  ),
  pendingQuestion: questionSchema.nullable(),
  pendingQuestions: z.array(questionSchema),
  result: z
    .object({
      taskId: z.string(),
      status: z.enum(["completed", "failed", "cancelled"]),
      result: json,
      error: z.string().nullable(),
      completedAt: timestamp,
    })
    .nullable(),
  cursor: z.string().describe("Pass it as the next `since`"),
  hasMore: z.boolean().describe("Poll again at once with `cursor`"),
  progress: progress.nullable(),
  cancelRequested: z.boolean(),
  notice: z.string().nullable(),
});

export const questionPage = z.object({
  items: z.array(
    questionSchema.extend({
      taskType: z.string(),
      taskStatus: status,
      tasksBehind: z.int().describe("How many tasks cannot go on before this one does"),
    }),
  ),
  nextCursor: z.string().nullable(),
});

export const questionResponse = z.object({ question: questionSchema });

export const answeredManyResponse = z.object({
  results: z.array(
    z.object({
      questionId: z.string(),
      result: z
        .enum(["answered", "closed", "refused"])
        .describe("closed: somebody or the deadline was first; refused: see error"),
      question: questionSchema.nullable(),
      error: z
        .object({ code: z.string(), message: z.string(), details: z.record(z.string(), json) })
        .nullable(),
    }),
  ),
});

export const taskTypeList = z.array(
  z.object({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    paramsSchema: z.record(z.string(), json).nullable(),
    example: z.boolean(),
  }),
);

export const auditPage = z.object({
  items: z.array(
    z
      .object({
        auditId: z.int().describe("Its place in the log"),
        at: timestamp,
        action: z.enum(auditActions),
        actor: actor.omit({ surface: true }).nullable().describe("null: nobody was identified"),
        keyOwnerId: z.string().nullable().describe("Of an agent: who owns its key"),
        surface: z.enum(surfaces).nullable(),
        address: z.string().nullable().describe("The remote address of the call"),
        taskId: z.string().nullable(),
        taskType: z.string().nullable(),
        questionId: z.string().nullable(),
        details: z.record(z.string(), json).describe("What changed; secrets read •••"),
      })
      .meta({ id: "AuditEntry" }),
  ),
  nextCursor: z.string().nullable(),
});

export const problem = z
  .object({
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("What is wrong, in words"),
    code: z
      .enum(Object.keys(errorTable) as [ApiErrorCode, ...ApiErrorCode[]])
      .describe("What is wrong, for programs; it never changes"),
    details: z.record(z.string(), json),
  })
  .meta({ id: "Problem" });
