import type { TaskScope } from "../core/access.ts";
import type {
  ApprovalQuery,
  Due,
  EventQuery,
  FeedQuery,
  Page,
  QuestionQuery,
  RunnableQuery,
  RunnableTask,
} from "../core/durable-task-store.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { Sealed } from "../core/secret-box.ts";
import type { TaskPayload, TaskRecord } from "../core/task.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { QuestionData } from "../core/task-question.ts";
import { isTerminal, type TaskStatus, taskStatuses } from "../core/task-status.ts";
import type { Timestamp } from "../core/timestamp.ts";
import { fromColumnText, toColumnText } from "./column-text.ts";
import { fromEventRow } from "./event-row.ts";
import { Prisma, type PrismaClient } from "./generated/client.ts";
import { fromJournalRow } from "./journal-row.ts";
import { decodePageKey, encodePageKey } from "./page-by.ts";
import { pressingQuestions } from "./pressing-questions.ts";
import { fromQuestionRow } from "./question-row.ts";
import { fromPayloadRow, fromTaskRow, textOrNull } from "./task-row.ts";
import { inScope } from "./task-scope.ts";

interface RunnableRow {
  id: string;
  type: string;
  concurrencyKey: string | null;
  holdsKey: number | boolean;
}

// A list of a task's events longer than this is searched by halving when a moment is asked for.
const fewEvents = 1000;

/** Everything read from the tables, but for the list of tasks. Says the same on every database. */
export class PrismaReads {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async getTask(taskId: string): Promise<TaskRecord | null> {
    const row = await this.#prisma.task.findUnique({ where: { id: toColumnText(taskId) } });
    return row && fromTaskRow(row);
  }

  async getPayload(taskId: string): Promise<TaskPayload | null> {
    const where = { taskId: toColumnText(taskId) };
    const row = await this.#prisma.taskPayload.findUnique({ where });
    return row && fromPayloadRow(row);
  }

  async getJournal(taskId: string): Promise<JournalEntry[]> {
    const where = { taskId: toColumnText(taskId) };
    const rows = await this.#prisma.journalRow.findMany({ where, orderBy: { id: "asc" } });
    return rows.map(fromJournalRow);
  }

  async getSealed(taskId: string): Promise<Map<string, Sealed>> {
    const where = { taskId: toColumnText(taskId) };
    const rows = await this.#prisma.sealedValue.findMany({ where });
    return new Map(rows.map(({ place, keyId, text }) => [fromColumnText(place), { keyId, text }]));
  }

  async listSealingKeys(): Promise<string[]> {
    const rows = await this.#prisma.sealedValue.findMany({
      where: { task: { status: { in: taskStatuses.filter((status) => !isTerminal(status)) } } },
      distinct: ["keyId"],
      select: { keyId: true },
    });
    return rows.map(({ keyId }) => keyId);
  }

  async getQuestion(questionId: string): Promise<QuestionData | null> {
    const where = { id: toColumnText(questionId) };
    const row = await this.#prisma.question.findUnique({ where });
    return row && fromQuestionRow(row);
  }

  async getQuestions(taskId: string, onlyOpen: boolean): Promise<QuestionData[]> {
    const rows = await this.#prisma.question.findMany({
      where: { taskId: toColumnText(taskId), ...(onlyOpen ? { outcome: null } : {}) },
      orderBy: [{ askedAt: "asc" }, { id: "asc" }],
    });
    return rows.map(fromQuestionRow);
  }

  async findLastApproval(query: ApprovalQuery): Promise<QuestionData | null> {
    const { action, before, taskId, taskType } = query;
    const row = await this.#prisma.question.findFirst({
      where: {
        approvalAction: toColumnText(action),
        askedAt: { lt: before },
        forgotten: false,
        ...(taskId === undefined
          ? { task: { type: toColumnText(taskType) } }
          : { taskId: toColumnText(taskId) }),
      },
      orderBy: [{ askedAt: "desc" }, { id: "desc" }],
    });
    return row && fromQuestionRow(row);
  }

  async readEvents(taskId: string, query: EventQuery): Promise<TaskEvent[]> {
    const { afterTimestamp, untilSeq, kinds, limit } = query;
    const id = toColumnText(taskId);
    let afterSeq = query.afterSeq ?? 0;
    if (afterTimestamp !== undefined) {
      afterSeq = Math.max(afterSeq, await this.#lastSeqUntil(id, afterTimestamp));
    }
    const rows = await this.#prisma.event.findMany({
      where: {
        taskId: id,
        seq: { gt: afterSeq, ...(untilSeq === undefined ? {} : { lte: untilSeq }) },
        ...(kinds ? { kind: { in: [...kinds] } } : {}),
        ...(afterTimestamp === undefined ? {} : { at: { gt: afterTimestamp } }),
      },
      orderBy: { seq: "asc" },
      ...(limit === undefined ? {} : { take: limit }),
    });
    return rows.map(fromEventRow);
  }

  /** The last event not after a moment, or one before it: `at` rises with `seq`. */
  async #lastSeqUntil(id: string, moment: Timestamp): Promise<number> {
    const task = await this.#prisma.task.findUnique({ where: { id }, select: { lastSeq: true } });
    let low = 0;
    let high = task?.lastSeq ?? 0;
    while (high - low > fewEvents) {
      const seq = (low + high) >> 1;
      const where = { taskId_seq: { taskId: id, seq } };
      const event = await this.#prisma.event.findUnique({ where, select: { at: true } });
      if (event && event.at <= moment) low = seq;
      else high = seq;
    }
    return low;
  }

  async readFeed({ afterPosition, taskId, limit }: FeedQuery): Promise<TaskEvent[]> {
    const ofTask = taskId === undefined ? {} : { taskId: toColumnText(taskId) };
    const rows = await this.#prisma.event.findMany({
      where: { position: { gt: afterPosition }, ...ofTask },
      // Within a task both orders are the same, and by seq there is an index.
      orderBy: taskId === undefined ? { position: "asc" } : { seq: "asc" },
      take: limit,
    });
    return rows.map(fromEventRow);
  }

  async listQuestions(query: QuestionQuery): Promise<Page<QuestionData>> {
    const { state, order, taskId, limit, after, createdById, exceptTypes } = query;
    if (state === "open" && order === "pressing") return pressingQuestions(this.#prisma, query);
    const isScoped = createdById !== undefined || exceptTypes !== undefined;
    const isOpen = state === "open";
    const sortBy = isOpen ? "deadline" : "resolvedAt";
    const rows = await this.#prisma.question.findMany({
      where: {
        outcome: isOpen ? null : { not: null },
        ...(taskId === undefined ? {} : { taskId: toColumnText(taskId) }),
        ...(isScoped ? { task: inScope(query) } : {}),
        ...(after ? keysetAfter(sortBy, after, isOpen ? "gt" : "lt") : {}),
      },
      orderBy: [{ [sortBy]: isOpen ? "asc" : "desc" }, { id: isOpen ? "asc" : "desc" }],
      take: limit + 1,
    });
    const items = rows.slice(0, limit).map(fromQuestionRow);
    const last = rows.length > limit ? items.at(-1) : undefined;
    const nextCursor = last ? encodePageKey([last[sortBy] ?? "", last.questionId]) : null;
    return { items, nextCursor };
  }

  async findRunnable({ now, limit, types, fullKeys }: RunnableQuery): Promise<RunnableTask[]> {
    const found: RunnableTask[] = [];
    if (types.length === 0) return found;
    const wanted = Prisma.join(types.map(toColumnText));
    const full = JSON.stringify(fullKeys.map(toColumnText));
    // Priority by priority, so that each is a search in the index and nothing is sorted.
    let priority = await this.#nextPriority(null);
    while (priority !== null && found.length < limit) {
      const rows = await this.#prisma.$queryRaw<RunnableRow[]>`
        SELECT id, type, concurrency_key AS concurrencyKey, holds_key AS holdsKey FROM tasks
        WHERE priority = ${priority} AND wake_at <= ${now}
          AND (lease_expires_at IS NULL OR lease_expires_at <= ${now}) AND type IN (${wanted})
          AND (concurrency_key IS NULL OR holds_key
            OR concurrency_key NOT IN (SELECT value FROM json_each(${full})))
        ORDER BY wake_at LIMIT ${limit - found.length}`;
      for (const { id, type, concurrencyKey, holdsKey } of rows) {
        found.push({
          taskId: fromColumnText(id),
          type: fromColumnText(type),
          concurrencyKey: textOrNull(concurrencyKey),
          holdsKey: Boolean(holdsKey),
        });
      }
      priority = await this.#nextPriority(priority);
    }
    return found;
  }

  async listKeyHolders(): Promise<{ key: string; holders: string[] }[]> {
    // In these words, not `holds_key = true`, the condition is that of the partial index.
    const rows = await this.#prisma.$queryRaw<{ id: string; concurrencyKey: string }[]>`
      SELECT id, concurrency_key AS "concurrencyKey" FROM tasks
      WHERE holds_key AND concurrency_key IS NOT NULL`;
    const holdersOf = new Map<string, string[]>();
    for (const { id, concurrencyKey } of rows) {
      const key = fromColumnText(concurrencyKey);
      holdersOf.set(key, [...(holdersOf.get(key) ?? []), fromColumnText(id)]);
    }
    return [...holdersOf].map(([key, holders]) => ({ key, holders }));
  }

  /** The highest priority of waiting tasks below one; null when there is none. */
  async #nextPriority(below: number | null): Promise<number | null> {
    const [row] = await this.#prisma.$queryRaw<{ priority: number | null }[]>`
      SELECT max(priority) AS priority FROM tasks
      WHERE wake_at IS NOT NULL AND priority < ${below ?? Number.MAX_SAFE_INTEGER}`;
    return row?.priority === null || row === undefined ? null : Number(row.priority);
  }

  async findDue(now: Timestamp, limit: number): Promise<Due> {
    const leases = await this.#prisma.task.findMany({
      where: { leaseExpiresAt: { lte: now } },
      select: { id: true, type: true, status: true, workerId: true, interrupts: true },
      orderBy: { leaseExpiresAt: "asc" },
      take: limit,
    });
    const questions = await this.#prisma.question.findMany({
      where: { outcome: null, deadline: { lte: now } },
      select: { id: true, taskId: true },
      orderBy: { deadline: "asc" },
      take: limit,
    });
    return {
      expiredLeases: leases.map(({ id, type, status, workerId, interrupts }) => ({
        taskId: fromColumnText(id),
        type: fromColumnText(type),
        workerId: fromColumnText(workerId ?? ""),
        interrupts,
        status: status as TaskStatus,
      })),
      questions: questions.map(({ id, taskId }) => ({
        taskId: fromColumnText(taskId),
        questionId: fromColumnText(id),
      })),
    };
  }

  async listWorkers(): Promise<string[]> {
    const rows = await this.#prisma.$queryRaw<{ workerId: string }[]>`
      SELECT DISTINCT worker_id AS "workerId" FROM tasks
      WHERE lease_expires_at IS NOT NULL AND worker_id IS NOT NULL`;
    return rows.map(({ workerId }) => fromColumnText(workerId));
  }

  async nextDueAt(): Promise<Timestamp | null> {
    const [row] = await this.#prisma.$queryRaw<{ lease: string | null; deadline: string | null }[]>`
      SELECT (SELECT min(lease_expires_at) FROM tasks WHERE lease_expires_at IS NOT NULL) AS lease,
        (SELECT min(deadline) FROM questions WHERE outcome IS NULL) AS deadline`;
    let next = earlier(row?.lease ?? null, row?.deadline ?? null);
    for (let at = await this.#nextPriority(null); at !== null; at = await this.#nextPriority(at)) {
      const [first] = await this.#prisma.$queryRaw<{ wakeAt: string | null }[]>`
        SELECT min(wake_at) AS "wakeAt" FROM tasks
        WHERE wake_at IS NOT NULL AND priority = ${at}`;
      next = earlier(next, first?.wakeAt ?? null);
    }
    return next;
  }

  /** Counts within a scope, of which there is no running count. */
  async countByStatus(scope: TaskScope): Promise<Record<TaskStatus, number>> {
    const where = inScope(scope);
    const rows = await this.#prisma.task.groupBy({ by: ["status"], where, _count: true });
    const counts = Object.fromEntries(taskStatuses.map((status) => [status, 0]));
    for (const { status, _count } of rows) counts[status] = _count;
    return counts as Record<TaskStatus, number>;
  }

  async countOpenQuestions(scope: TaskScope): Promise<number> {
    return this.#prisma.question.count({ where: { outcome: null, task: inScope(scope) } });
  }

  async ping(): Promise<void> {
    await this.#prisma.$queryRaw`SELECT 1 FROM tasks LIMIT 1`;
  }
}

/**
 * What comes after a page. The first condition alone would do in words, but only a plain comparison
 * lets the database begin at that place in the index.
 */
function keysetAfter(
  sortBy: string,
  cursor: string,
  direction: "gt" | "lt",
  idField = "id",
): Record<string, unknown> {
  const [key, id] = decodePageKey(cursor);
  return {
    [sortBy]: { [`${direction}e`]: key },
    OR: [{ [sortBy]: { [direction]: key } }, { [idField]: { [direction]: toColumnText(id) } }],
  };
}

function earlier(a: Timestamp | null, b: Timestamp | null): Timestamp | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
