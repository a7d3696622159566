import type { AuditAction, AuditEntry } from "@/server/core/audit.ts";
import type { JsonValue } from "@/server/core/json.ts";

/** What was done, in words that follow a name. */
export const actionTexts: Readonly<Record<AuditAction, string>> = {
  "task.started": "started a task",
  "task.rerun": "reran a task",
  "task.cancelled": "cancelled a task",
  "question.answered": "answered a question",
  "question.declined": "declined a question",
  "question.seen": "saw a question",
  "question.claimed": "took on a question",
  "question.released": "let go of a question",
  "question.refused": "was refused an answer",
  "approval.given": "approved an action",
  "identity.signed_in": "signed in",
  "identity.sign_in_failed": "failed to sign in",
  "identity.signed_out": "signed out",
  "identity.sessions_ended": "ended sessions",
  "identity.password_changed": "changed a password",
  "identity.set_up": "set the server up",
  "identity.invite_made": "made an invite",
  "identity.invite_withdrawn": "withdrew an invite",
  "identity.invite_accepted": "accepted an invite",
  "identity.person_changed": "changed a person",
  "identity.person_entered": "came in by single sign-on",
  "identity.admin_ensured": "made the admin of the settings",
  "identity.sign_on_connected": "connected single sign-on",
  "identity.sign_on_disconnected": "disconnected single sign-on",
  "identity.passkey_added": "added a passkey",
  "identity.passkey_renamed": "renamed a passkey",
  "identity.passkey_removed": "removed a passkey",
  "identity.key_made": "made a key",
  "identity.key_revoked": "revoked a key",
  "identity.key_refused": "was refused with a key",
  "identity.attempts_blocked": "was blocked after too many attempts",
  "identity.type_rule_changed": "changed a rule",
  "audit.exported": "exported this log",
};

/** Who did it. */
export function actorText({ actor, keyOwnerId }: AuditEntry): { name: string; kind: string } {
  if (actor === null) return { name: "Somebody", kind: "not identified" };
  const kinds = { operator: "person", agent: "agent", system: "toolthread itself" };
  const owner = keyOwnerId === null ? "" : `, key of ${keyOwnerId}`;
  return { name: actor.name, kind: `${kinds[actor.kind]}${owner}, ${actor.id}` };
}

/** What changed, in one line; empty where the action says it all. */
export function changeText({ details }: AuditEntry): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name} ${shortJson(value)}`)
    .join(" · ");
}

function shortJson(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, " ");
  return line.length > 160 ? `${line.slice(0, 160).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}

/** Over what and from where it came. */
export function originText({ surface, address }: AuditEntry): string {
  return [surface, address].filter((part) => part !== null).join(" · ");
}
