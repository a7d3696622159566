import { z } from "zod";
import { type Actor, surfaces } from "../core/actor.ts";
import type { Labels, Progress, TaskPayload, TaskRecord } from "../core/task.ts";
import { taskStatuses } from "../core/task-status.ts";
import { fromColumnText } from "./column-text.ts";
import type { Task, TaskLabel, TaskPayload as TaskPayloadRow } from "./generated/client.ts";
import { checkRow, fromJsonText, toJsonText } from "./stored-json.ts";

export const actorSchema: z.ZodType<Actor> = z.object({
  kind: z.enum(["operator", "agent", "system"]),
  id: z.string(),
  name: z.string(),
  surface: z.enum(surfaces),
  address: z.string().nullish(),
  keyOwnerId: z.string().nullish(),
});

const progressSchema: z.ZodType<Progress> = z.object({
  done: z.number(),
  total: z.number().nullable(),
  message: z.string().nullable(),
  at: z.string(),
  unit: z.string().optional(),
  pace: z
    .object({
      done: z.number(),
      workedSeconds: z.number(),
      perSecond: z.number().nullable(),
    })
    .optional(),
});

const labelsSchema: z.ZodType<Labels> = z.record(z.string(), z.string());

// What a column's type does not already promise.
const partsSchema = z.object({
  status: z.enum(taskStatuses),
  createdBy: actorSchema,
  labels: labelsSchema,
  cancelledBy: actorSchema.nullable(),
  progress: progressSchema.nullable(),
  clock: z.enum(["working", "waiting"]).nullable(),
});

export function toTaskRow(task: TaskRecord): Task {
  const { taskId, createdBy, labels, cancelledBy, progress, ...same } = task;
  return {
    ...same,
    id: taskId,
    createdByKind: createdBy.kind,
    createdById: createdBy.id,
    createdByName: createdBy.name,
    createdBySurface: createdBy.surface,
    createdByKeyOwner: createdBy.keyOwnerId ?? null,
    labels: JSON.stringify(labels),
    cancelledBy: toJsonText(cancelledBy),
    progress: toJsonText(progress),
  };
}

/** @throws StoreUnavailable naming the row, when it is damaged. */
export function fromTaskRow(row: Task): TaskRecord {
  const { id, createdByKind, createdById, createdByName, createdBySurface, ...rest } = row;
  const { createdByKeyOwner, ...same } = rest;
  const parts = checkRow("tasks", id, partsSchema, {
    status: row.status,
    createdBy: {
      kind: createdByKind,
      id: fromColumnText(createdById),
      name: fromColumnText(createdByName),
      surface: createdBySurface,
      ...(createdByKeyOwner !== null && { keyOwnerId: fromColumnText(createdByKeyOwner) }),
    },
    labels: row.labels === "{}" ? {} : fromJsonText("tasks", id, row.labels),
    cancelledBy: fromJsonText("tasks", id, row.cancelledBy),
    progress: fromJsonText("tasks", id, row.progress),
    clock: row.clock,
  });
  return {
    ...same,
    ...parts,
    taskId: fromColumnText(id),
    type: fromColumnText(row.type),
    workerId: textOrNull(row.workerId),
    cancelReason: textOrNull(row.cancelReason),
    parentTaskId: textOrNull(row.parentTaskId),
    rerunOf: textOrNull(row.rerunOf),
    idempotencyKey: textOrNull(row.idempotencyKey),
    requestDigest: textOrNull(row.requestDigest),
    concurrencyKey: textOrNull(row.concurrencyKey),
    holdsKey: Boolean(row.holdsKey),
    errorSummary: textOrNull(row.errorSummary),
  };
}

export function toLabelRows({ taskId, createdAt, labels }: TaskRecord): TaskLabel[] {
  return Object.entries(labels).map(([key, value]) => ({ taskId, key, value, createdAt }));
}

export function toPayloadRow(taskId: string, payload: TaskPayload): TaskPayloadRow {
  return {
    taskId,
    params: JSON.stringify(payload.params),
    result: toJsonText(payload.result),
    error: payload.error,
  };
}

export function fromPayloadRow(row: TaskPayloadRow): TaskPayload {
  return {
    params: fromJsonText("task_payloads", row.taskId, row.params),
    result: fromJsonText("task_payloads", row.taskId, row.result),
    error: textOrNull(row.error),
  };
}

export function textOrNull(text: string | null): string | null {
  return text === null ? null : fromColumnText(text);
}
