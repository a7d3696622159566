import type { AuditEntry, AuditLog, AuditQuery, AuditRecord } from "../core/audit.ts";
import type { Page } from "../core/durable-task-store.ts";
import { pageBy } from "./page-by.ts";

const maxEntries = 10_000;

/** The audit log of a store that is gone with its process: it keeps the newest 10,000 entries. */
export class MemoryAuditLog implements AuditLog {
  #entries: AuditEntry[] = [];
  #lastId = 0;

  async append(record: AuditRecord): Promise<void> {
    this.add([record]);
  }

  add(records: readonly AuditRecord[]): void {
    for (const record of records) {
      this.#lastId += 1;
      this.#entries.push({ ...record, auditId: this.#lastId });
    }
    if (this.#entries.length > maxEntries * 1.1) this.#entries = this.#entries.slice(-maxEntries);
  }

  async list(query: AuditQuery): Promise<Page<AuditEntry>> {
    const { actor, actions, taskId, from, until } = query;
    const matching = this.#entries.filter(
      (entry) =>
        (actor === undefined || isBy(entry, actor)) &&
        (!actions || actions.includes(entry.action)) &&
        (taskId === undefined || entry.taskId === taskId) &&
        (from === undefined || entry.at >= from) &&
        (until === undefined || entry.at < until),
    );
    // Numbers of one length compare as text as they do as numbers.
    const keyOf = ({ at, auditId }: AuditEntry) => [at, String(auditId).padStart(16, "0")] as const;
    return pageBy(matching, keyOf, { ...query, descending: true });
  }
}

function isBy({ actor }: AuditEntry, text: string): boolean {
  if (actor === null) return false;
  return actor.id === text || actor.name.toLowerCase().includes(text.toLowerCase());
}
