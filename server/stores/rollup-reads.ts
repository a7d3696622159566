import type { LiveCount, RollupQuery, Rollups, WaitingQuestion } from "../core/overview.ts";
import type { RollupCounts } from "../core/rollup.ts";
import { isTerminal, taskStatuses } from "../core/task-status.ts";
import { fromColumnText, toColumnText } from "./column-text.ts";
import { Prisma, type PrismaClient } from "./generated/client.ts";
import { byTypeAndStatus, toWaitingQuestion } from "./live-work.ts";
import { fromQuestionRow } from "./question-row.ts";

type Sql = Prisma.Sql;

const liveStatuses = taskStatuses.filter((status) => !isTerminal(status));

const sums = Prisma.raw(
  "sum(started) AS started, sum(completed) AS completed, sum(failed) AS failed, " +
    "sum(cancelled) AS cancelled, sum(asked) AS asked, sum(answered) AS answered, " +
    "sum(declined) AS declined, sum(timed_out) AS timedOut, sum(withdrawn) AS withdrawn, " +
    "sum(worked_seconds) AS workedSeconds",
);

type Summed = { key: string | number } & Record<keyof RollupCounts, number | bigint>;
interface Times {
  key: string | number;
  time: number | bigint;
  count: number | bigint;
}

/** What was counted, and what is under way; from tables and indexes that stay small. */
export class RollupReads {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async read({ width, first, last, exceptTypes }: RollupQuery): Promise<Rollups> {
    const where = Prisma.sql`width = ${width} AND slot BETWEEN ${first} AND ${last}
      ${butNot(Prisma.sql`type`, exceptTypes)}`;
    const counts = (key: Sql) => this.#prisma.$queryRaw<Summed[]>`
      SELECT ${key} AS key, ${sums} FROM task_rollups WHERE ${where} GROUP BY ${key}`;
    const times = (key: Sql) => this.#prisma.$queryRaw<Times[]>`
      SELECT ${key} AS key, time_class AS time, sum(count) AS count FROM answer_rollups
      WHERE ${where} GROUP BY ${key}, time_class`;
    const [slot, type] = [Prisma.sql`slot`, Prisma.sql`type`];
    return {
      bySlot: countsBy(await counts(slot), Number),
      byType: countsBy(await counts(type), toType),
      answersBySlot: timesBy(await times(slot), Number),
      answersByType: timesBy(await times(type), toType),
    };
  }

  async countLive(exceptTypes?: readonly string[]): Promise<LiveCount[]> {
    // From one type to the next, and then each by its index: what has ended is not looked at.
    const rows = await this.#prisma.$queryRaw<{ type: string; status: string; count: number }[]>`
      WITH RECURSIVE known(type) AS (
        SELECT min(type) FROM tasks
        UNION ALL
        SELECT (SELECT min(t.type) FROM tasks t WHERE t.type > known.type) FROM known
        WHERE known.type IS NOT NULL
      )
      SELECT known.type AS type, s.value AS status, (
        SELECT count(*) FROM tasks t WHERE t.type = known.type AND t.status = s.value
      ) AS count
      FROM known CROSS JOIN json_each(${JSON.stringify(liveStatuses)}) s
      WHERE known.type IS NOT NULL ${butNot(Prisma.sql`known.type`, exceptTypes)}`;
    return rows
      .map(({ type, status, count }) => ({
        type: fromColumnText(type),
        status: status as LiveCount["status"],
        count: Number(count),
      }))
      .filter(({ count }) => count > 0)
      .sort(byTypeAndStatus);
  }

  async listLongestWaiting(
    limit: number,
    exceptTypes?: readonly string[],
  ): Promise<WaitingQuestion[]> {
    const rows = await this.#prisma.question.findMany({
      where: {
        outcome: null,
        ...(exceptTypes?.length
          ? { task: { type: { notIn: exceptTypes.map(toColumnText) } } }
          : {}),
      },
      orderBy: [{ askedAt: "asc" }, { id: "asc" }],
      take: limit,
      include: { task: { select: { type: true } } },
    });
    return rows.map(({ task, ...row }) =>
      toWaitingQuestion(fromQuestionRow(row), fromColumnText(task.type)),
    );
  }
}

function butNot(column: Sql, types: readonly string[] = []): Sql {
  if (types.length === 0) return Prisma.empty;
  return Prisma.sql`AND ${column} NOT IN (${Prisma.join(types.map(toColumnText))})`;
}

function toType(key: string | number): string {
  return fromColumnText(String(key));
}

function countsBy<K>(rows: Summed[], keyOf: (key: string | number) => K): Map<K, RollupCounts> {
  return new Map(
    rows.map(({ key, ...counts }) => {
      const numbers = Object.entries(counts).map(([field, count]) => [field, Number(count)]);
      return [keyOf(key), Object.fromEntries(numbers) as RollupCounts];
    }),
  );
}

function timesBy<K>(
  rows: Times[],
  keyOf: (key: string | number) => K,
): Map<K, Map<number, number>> {
  const all = new Map<K, Map<number, number>>();
  for (const { key, time, count } of rows) {
    const times = all.get(keyOf(key)) ?? new Map<number, number>();
    all.set(keyOf(key), times.set(Number(time), Number(count)));
  }
  return all;
}
