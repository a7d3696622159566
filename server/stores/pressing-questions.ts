import { maxLeadSeconds, maxTasksBehind, patienceSeconds } from "../core/answer-by.ts";
import type { Page, QuestionQuery } from "../core/durable-task-store.ts";
import type { QuestionData } from "../core/task-question.ts";
import { isTerminal, taskStatuses } from "../core/task-status.ts";
import { toColumnText } from "./column-text.ts";
import { Prisma, type PrismaClient } from "./generated/client.ts";
import { decodePageKey, encodePageKey } from "./page-by.ts";
import { fromQuestionRow } from "./question-row.ts";

/**
 * Open questions by when they should be answered. There are never very many open at once, so this is
 * reckoned for each of them; only those of the page are read whole.
 */
export async function pressingQuestions(
  prisma: PrismaClient,
  { taskId, createdById, exceptTypes, limit, after }: QuestionQuery,
): Promise<Page<QuestionData>> {
  const where = [
    Prisma.sql`q.outcome IS NULL`,
    ...(taskId === undefined ? [] : [Prisma.sql`q.task_id = ${toColumnText(taskId)}`]),
    ...(createdById === undefined
      ? []
      : [Prisma.sql`t.created_by_id = ${toColumnText(createdById)}`]),
    ...(exceptTypes?.length
      ? [Prisma.sql`t.type NOT IN (${Prisma.join(exceptTypes.map(toColumnText))})`]
      : []),
  ];
  const [by, id] = after ? decodePageKey(after) : [null, ""];
  const beyond =
    by === null
      ? Prisma.sql`true`
      : Prisma.sql`(by > ${Number(by)} OR (by = ${Number(by)} AND id > ${toColumnText(id)}))`;
  const keys = await prisma.$queryRaw<{ id: string; by: number | bigint }[]>`
    SELECT id, by FROM (
      SELECT q.id AS id, ${answerBySql} AS by
      FROM questions q JOIN tasks t ON t.id = q.task_id WHERE ${Prisma.join(where, " AND ")})
    WHERE ${beyond} ORDER BY by, id LIMIT ${limit + 1}`;
  const shown = keys.slice(0, limit);
  const rows = await prisma.question.findMany({
    where: { id: { in: shown.map((key) => key.id) } },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const last = keys.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.flatMap((key) => {
      const row = byId.get(key.id);
      return row ? [fromQuestionRow(row)] : [];
    }),
    nextCursor: last ? encodePageKey([Number(last.by), last.id]) : null,
  };
}

const ended = Prisma.join(taskStatuses.filter(isTerminal));
const [low, normal, high] = [patienceSeconds.low, patienceSeconds.normal, patienceSeconds.high];

// How many tasks wait for the task `t`: those that started it, one above the other.
const tasksBehind = Prisma.sql`CASE WHEN t.parent_task_id IS NULL THEN 0 ELSE (
  WITH RECURSIVE above(parent, n) AS (
    SELECT t.parent_task_id, 0
    UNION ALL
    SELECT p.parent_task_id, above.n + 1 FROM above JOIN tasks p ON p.id = above.parent
    WHERE p.status NOT IN (${ended}) AND above.n < ${maxTasksBehind})
  SELECT max(n) FROM above) END`;

// The same as `answerBy` says of a question, in SQL.
const answerBySql = Prisma.sql`CAST(round(min(
  unixepoch(q.asked_at, 'subsec') * 1000
    + CASE q.urgency WHEN 'low' THEN ${low * 1000} WHEN 'high' THEN ${high * 1000}
      ELSE ${normal * 1000} END / (1.0 + ${tasksBehind}),
  unixepoch(q.deadline, 'subsec') * 1000
    - CASE WHEN q.has_default THEN 0 ELSE min(q.timeout / 5.0, ${maxLeadSeconds}) * 1000 END
)) AS INTEGER)`;
