import type { Actor, Surface } from "./actor.ts";
import { beginningOf } from "./beginning-of.ts";
import type { Page } from "./durable-task-store.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Timestamp } from "./timestamp.ts";

/** What is recorded of tasks and questions, and of people, keys and rules. */
export const auditActions = [
  "task.started",
  "task.rerun",
  "task.cancelled",
  "question.answered",
  "question.declined",
  "question.seen",
  "question.claimed",
  "question.released",
  "question.refused",
  "approval.given",
  "identity.signed_in",
  "identity.sign_in_failed",
  "identity.signed_out",
  "identity.sessions_ended",
  "identity.password_changed",
  "identity.set_up",
  "identity.invite_made",
  "identity.invite_withdrawn",
  "identity.invite_accepted",
  "identity.person_changed",
  "identity.person_entered",
  "identity.admin_ensured",
  "identity.sign_on_connected",
  "identity.sign_on_disconnected",
  "identity.passkey_added",
  "identity.passkey_renamed",
  "identity.passkey_removed",
  "identity.key_made",
  "identity.key_revoked",
  "identity.key_refused",
  "identity.attempts_blocked",
  "identity.type_rule_changed",
  "audit.exported",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** One entry of the audit log, as it is written. */
export interface AuditRecord {
  at: Timestamp;
  action: AuditAction;
  /** Who did it; null when nobody was identified. */
  actor: Pick<Actor, "kind" | "id" | "name"> | null;
  /** Of an agent: the operator who owns its key. */
  keyOwnerId: string | null;
  surface: Surface | null;
  /** The remote address of the call; null when it is not known. */
  address: string | null;
  taskId: string | null;
  taskType: string | null;
  questionId: string | null;
  /** What changed. Secrets read `•••`, and what is long is cut. */
  details: JsonObject;
}

/** One entry of the audit log. It never changes, and outlives what it is about. */
export interface AuditEntry extends AuditRecord {
  /** Its place in the log; later ones are higher. */
  auditId: number;
}

export interface AuditQuery {
  /** Somebody's id, or a part of their name. */
  actor?: string;
  actions?: readonly AuditAction[];
  taskId?: string;
  /** From this moment on. */
  from?: Timestamp;
  /** Before this moment. */
  until?: Timestamp;
  /** 1 to 500. */
  limit: number;
  after?: string | null;
}

/**
 * Who did what, when and from where. Entries are added and never changed or removed, also not when
 * the task they are about is. What changes a task adds its entry in the same transaction.
 */
export interface AuditLog {
  /** Adds an entry about something else than a task. @throws StoreUnavailable */
  append(record: AuditRecord): Promise<void>;
  /** Newest first. @throws InvalidInput for a page cursor that is none. */
  list(query: AuditQuery): Promise<Page<AuditEntry>>;
}

const maxDetailChars = 2000;

/** A value as the audit log keeps it: as it is, or, when it is long, the beginning of its JSON. */
export function auditDetail(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  if (text.length <= maxDetailChars) return value;
  return `${beginningOf(text, maxDetailChars)}…`;
}

/** Who calls and from where, as the audit log keeps it. */
export function auditCaller(
  actor: Actor | null,
): Pick<AuditRecord, "actor" | "keyOwnerId" | "surface" | "address"> {
  if (actor === null) return { actor: null, keyOwnerId: null, surface: null, address: null };
  const { kind, id, name, surface, address = null, keyOwnerId = null } = actor;
  return { actor: { kind, id, name }, keyOwnerId, surface, address };
}
