import { z } from "zod";
import type { Approval } from "../core/approval.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import {
  type Choice,
  type QuestionData,
  questionOutcomes,
  urgencies,
} from "../core/task-question.ts";
import { fromColumnText } from "./column-text.ts";
import type { Question } from "./generated/client.ts";
import { checkRow, fromJsonText, toJsonText } from "./stored-json.ts";
import { actorSchema, textOrNull } from "./task-row.ts";

const choicesSchema: z.ZodType<Choice[]> = z.array(
  z.object({ value: z.string(), label: z.string(), description: z.string().optional() }),
);

const jsonSchema = z.custom<JsonValue>((value) => value !== undefined);

const approvalSchema: z.ZodType<Approval> = z.object({
  action: z.string(),
  args: jsonSchema,
  argsDigest: z.string(),
  askedDigest: z.string(),
  argsSchema: z.record(z.string(), jsonSchema).nullable(),
  allowEdit: z.boolean(),
  edited: z.object({ by: actorSchema, at: z.string(), askedArgs: jsonSchema }).nullable(),
  needed: z.number(),
  given: z.array(z.object({ by: actorSchema, at: z.string() })),
  selfApproval: z.boolean(),
  expiresIn: z.number(),
  expiresAt: z.string().nullable(),
  usedBy: z.object({ name: z.string(), key: z.string(), at: z.string() }).nullable(),
});

const partsSchema = z.object({
  choices: choicesSchema.nullable(),
  schema: z.record(z.string(), z.custom<JsonValue>()).nullable() as z.ZodType<JsonObject | null>,
  answerableBy: z.enum(["anyone", "operator"]),
  urgency: z.enum(urgencies),
  outcome: z.enum(questionOutcomes).nullable(),
  resolvedBy: actorSchema.nullable(),
  firstSeenBy: actorSchema.nullable(),
  claimedBy: actorSchema.nullable(),
  approval: approvalSchema.nullable(),
});

export function toQuestionRow(question: QuestionData): Question {
  const { questionId, choices, schema, defaultValue, context, answer, ...rest } = question;
  const { resolvedBy, firstSeenBy, claimedBy, approval, ...same } = rest;
  return {
    ...same,
    id: questionId,
    choices: toJsonText(choices),
    schema: toJsonText(schema),
    defaultValue: toJsonText(defaultValue),
    context: toJsonText(context),
    answer: toJsonText(answer),
    resolvedBy: toJsonText(resolvedBy),
    firstSeenBy: toJsonText(firstSeenBy),
    claimedBy: toJsonText(claimedBy),
    approval: toJsonText(approval as JsonValue),
    approvalAction: approval?.action ?? null,
  };
}

/** @throws StoreUnavailable naming the row, when it is damaged. */
export function fromQuestionRow(row: Question): QuestionData {
  const { id, approvalAction: _, ...same } = row;
  const json = (text: string | null) => fromJsonText("questions", id, text);
  const parts = checkRow("questions", id, partsSchema, {
    choices: json(row.choices),
    schema: json(row.schema),
    answerableBy: row.answerableBy,
    urgency: row.urgency,
    outcome: row.outcome,
    resolvedBy: json(row.resolvedBy),
    firstSeenBy: json(row.firstSeenBy),
    claimedBy: json(row.claimedBy),
    approval: json(row.approval),
  });
  return {
    ...same,
    ...parts,
    questionId: fromColumnText(id),
    taskId: fromColumnText(row.taskId),
    key: fromColumnText(row.key),
    prompt: fromColumnText(row.prompt),
    defaultValue: json(row.defaultValue),
    context: json(row.context),
    answer: json(row.answer),
    declineReason: textOrNull(row.declineReason),
    // SQLite has no booleans: read through plain SQL they are 0 and 1.
    multiple: Boolean(row.multiple),
    secret: Boolean(row.secret),
    hasDefault: Boolean(row.hasDefault),
    defaultUsed: Boolean(row.defaultUsed),
    forgotten: Boolean(row.forgotten),
  };
}
