import { type AuditLog, type AuditRecord, auditCaller, auditDetail } from "../core/audit.ts";
import { describeThrown } from "../core/errors.ts";
import { type JsonObject, toJsonValue } from "../core/json.ts";
import { systemClock } from "../core/system-clock.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { EngineLog } from "../engine/engine-log.ts";
import type { IdentityEvent } from "./caller.ts";

/** What happened to an identity, as the audit log keeps it. */
export function toAuditRecord(event: IdentityEvent): AuditRecord {
  const { kind, actor, surface = null, address, details } = event;
  const plain = toJsonValue(details, "details") as JsonObject;
  const shown = Object.entries(plain).map(([name, value]) => [name, auditDetail(value)]);
  return {
    at: toTimestamp(systemClock.now()),
    action: `identity.${kind}`,
    ...(actor === null ? { ...auditCaller(null), surface } : auditCaller(actor)),
    address,
    taskId: null,
    taskType: null,
    questionId: null,
    details: Object.fromEntries(shown),
  };
}

/** Adds an event to the audit log. What cannot be written is in the log of the server all the same. */
export async function noteIdentityEvent(
  audit: AuditLog,
  event: IdentityEvent,
  log: EngineLog,
): Promise<void> {
  try {
    await audit.append(toAuditRecord(event));
  } catch (error) {
    log.error("An entry of the audit log was not written", {
      kind: event.kind,
      error: describeThrown(error),
    });
  }
}
