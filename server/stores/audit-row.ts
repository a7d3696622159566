import { z } from "zod";
import { surfaces } from "../core/actor.ts";
import { type AuditEntry, type AuditRecord, auditActions } from "../core/audit.ts";
import type { JsonValue } from "../core/json.ts";
import type { AuditRow } from "./generated/client.ts";
import { checkRow, fromJsonText } from "./stored-json.ts";
import { textOrNull } from "./task-row.ts";

const partsSchema = z.object({
  action: z.enum(auditActions),
  actor: z
    .object({ kind: z.enum(["operator", "agent", "system"]), id: z.string(), name: z.string() })
    .nullable(),
  surface: z.enum(surfaces).nullable(),
  details: z.record(z.string(), z.custom<JsonValue>()),
});

export function toAuditRow({ actor, details, ...same }: AuditRecord): Omit<AuditRow, "id"> {
  return {
    ...same,
    actorKind: actor?.kind ?? null,
    actorId: actor?.id ?? null,
    actorName: actor?.name ?? null,
    details: JSON.stringify(details),
  };
}

/** @throws StoreUnavailable naming the row, when it is damaged. */
export function fromAuditRow(row: AuditRow): AuditEntry {
  const { id, at } = row;
  const actor = row.actorKind && {
    kind: row.actorKind,
    id: textOrNull(row.actorId),
    name: textOrNull(row.actorName),
  };
  const parts = checkRow("audit", id, partsSchema, {
    action: row.action,
    actor: actor || null,
    surface: row.surface,
    details: fromJsonText("audit", id, row.details),
  });
  return {
    ...parts,
    auditId: Number(id),
    at,
    keyOwnerId: textOrNull(row.keyOwnerId),
    address: textOrNull(row.address),
    taskId: textOrNull(row.taskId),
    taskType: textOrNull(row.taskType),
    questionId: textOrNull(row.questionId),
  };
}
