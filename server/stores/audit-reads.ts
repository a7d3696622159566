import type { AuditEntry, AuditQuery } from "../core/audit.ts";
import type { Page } from "../core/durable-task-store.ts";
import { fromAuditRow } from "./audit-row.ts";
import { toColumnText } from "./column-text.ts";
import type { Prisma, PrismaClient } from "./generated/client.ts";
import { decodePageKey, encodePageKey } from "./page-by.ts";

/** Reads the audit log. */
export class AuditReads {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async list(query: AuditQuery): Promise<Page<AuditEntry>> {
    const { limit } = query;
    const rows = await this.#prisma.auditRow.findMany({
      where: { AND: conditions(query) },
      orderBy: [{ at: "desc" }, { id: "desc" }],
      take: limit + 1,
    });
    const items = rows.slice(0, limit).map(fromAuditRow);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? encodePageKey([last.at, String(last.auditId)]) : null };
  }
}

function conditions(query: AuditQuery): Prisma.AuditRowWhereInput[] {
  const { actor, actions, taskId, from, until, after } = query;
  const found: Prisma.AuditRowWhereInput[] = [];
  if (actor !== undefined) {
    const text = toColumnText(actor);
    found.push({ OR: [{ actorId: text }, { actorName: { contains: text } }] });
  }
  if (actions) found.push({ action: { in: [...actions] } });
  if (taskId !== undefined) found.push({ taskId: toColumnText(taskId) });
  if (from !== undefined) found.push({ at: { gte: from } });
  if (until !== undefined) found.push({ at: { lt: until } });
  if (after) {
    const [at, id] = decodePageKey(after);
    found.push({ at: { lte: at } }, { OR: [{ at: { lt: at } }, { id: { lt: Number(id) || 0 } }] });
  }
  return found;
}
