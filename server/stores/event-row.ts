import { z } from "zod";
import type { TaskEvent, TaskEventBody, TaskEventKind } from "../core/task-event.ts";
import { questionOutcomes } from "../core/task-question.ts";
import { updateLevels } from "../core/task-update.ts";
import { fromColumnText } from "./column-text.ts";
import type { Event } from "./generated/client.ts";
import { checkRow, damagedRow, fromJsonText } from "./stored-json.ts";
import { actorSchema } from "./task-row.ts";

type BodyOf<K extends TaskEventKind> = Omit<Extract<TaskEventBody, { kind: K }>, "kind">;

const text = z.string();
const attempt = z.number();
const step = { name: text, key: text, startedAt: text };

const bodySchemas: { [K in TaskEventKind]: z.ZodType<BodyOf<K>> } = {
  task_created: z.object({ actor: actorSchema }),
  attempt_started: z.object({
    attempt,
    workerId: text,
    reason: z.enum(["start", "retry", "resume"]),
  }),
  attempt_interrupted: z.object({ attempt, reason: text }),
  attempt_released: z.object({ attempt }),
  attempt_parked: z.object({ attempt }),
  attempt_failed: z.object({ attempt, error: text, retryAt: text }),
  update: z.object({ updateId: text, level: z.enum(updateLevels), message: text }),
  step_completed: z.object({ ...step, grantOf: text.optional() }),
  step_failed: z.object({ ...step, error: text }),
  question_opened: z.object({ questionId: text, prompt: text, deadline: text }),
  question_resolved: z.object({
    questionId: text,
    outcome: z.enum(questionOutcomes),
    actor: actorSchema.nullable(),
    defaultUsed: z.boolean(),
  }),
  approval_given: z.object({
    questionId: text,
    actor: actorSchema,
    given: z.number(),
    needed: z.number(),
    edited: z.boolean(),
    dropped: z.number(),
  }),
  question_seen: z.object({ questionId: text, actor: actorSchema }),
  question_claimed: z.object({
    questionId: text,
    actor: actorSchema,
    until: text,
    takenFrom: actorSchema.nullable(),
  }),
  question_released: z.object({ questionId: text, actor: actorSchema }),
  cancel_requested: z.object({ actor: actorSchema, reason: text.nullable() }),
  task_finished: z.object({
    status: z.enum(["completed", "failed", "cancelled"]),
    error: text.nullable(),
    forced: z.boolean(),
  }),
};

export function toEventRow(event: TaskEvent): Event {
  const { position, taskId, seq, kind, at, ...body } = event;
  return { position, taskId, seq, kind, at, data: JSON.stringify(body) };
}

/** @throws StoreUnavailable naming the row, when it is damaged. */
export function fromEventRow(row: Event): TaskEvent {
  const { position, seq, at } = row;
  const schema = bodySchemas[row.kind as TaskEventKind] as z.ZodType<object> | undefined;
  if (!schema) throw damagedRow("events", position, `it is of the unknown kind "${row.kind}"`);
  const body = checkRow("events", position, schema, fromJsonText("events", position, row.data));
  const taskId = fromColumnText(row.taskId);
  return { position: Number(position), taskId, seq, at, kind: row.kind, ...body } as TaskEvent;
}
