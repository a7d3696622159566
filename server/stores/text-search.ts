import { Prisma, type PrismaClient, type Task } from "./generated/client.ts";
import { noCursor, type PageKey } from "./page-by.ts";
import { selectList, taskColumns } from "./table-columns.ts";
import { fromTaskRow } from "./task-row.ts";
import type { ListStep } from "./task-streams.ts";
import { hasWords, searchedChars, searchedText } from "./task-text.ts";

type Sql = Prisma.Sql;

/** A task's row with what is searched of its payload. */
export type RowWithText = Task & { params: string; result: string | null; error: string | null };

// Numbers within which one query looks; so a search for what is nowhere is cut into pieces too.
const numbersAtOnce = 80_000;
// Letters that are common in all tasks take long to compare, and more of them find little more.
const maxTrigrams = 8;

/** The columns beside a task's that its text is made of; the payload is `p`. */
export const columnsOfText: Sql = Prisma.raw(
  `, substr(p.params, 1, ${searchedChars}) AS "params", substr(p.result, 1, ${searchedChars}) AS "result", ` +
    `substr(p.error, 1, ${searchedChars}) AS "error"`,
);

const columns = Prisma.raw(selectList(taskColumns, "t"));

export function textOfRow({ id, labels, params, result, error }: RowWithText): string[] {
  return [id, labels, params, result ?? "", error ?? ""];
}

/**
 * Tasks with words in them, through the full-text index, by their numbers. The index says which
 * tasks have all of the words' letters, three at a time; whether they have the words is seen in
 * their text.
 */
export class TextSearch {
  readonly #prisma: PrismaClient;
  readonly #atOnce: number;

  constructor(prisma: PrismaClient, atOnce: number) {
    this.#prisma = prisma;
    this.#atOnce = atOnce;
  }

  /** @param conditions of the task `t`, besides the words. */
  async step(
    words: readonly string[],
    conditions: Sql[],
    descending: boolean,
    after: PageKey | null,
  ): Promise<ListStep> {
    const last = await this.#lastNumber();
    const start = after ? Number(after[0]) : descending ? last + 1 : 0;
    if (!Number.isInteger(start)) throw noCursor(String(after?.[0]));
    const end = descending ? start - numbersAtOnce : start + numbersAtOnce;
    const numbers = await this.#candidates(words, start, end, descending);
    const found = numbers.length > 0 ? await this.#found(words, numbers, conditions) : [];
    const lastSeen = numbers.at(-1);
    const upTo = numbers.length === this.#atOnce && lastSeen !== undefined ? lastSeen : end;
    const isDone = descending ? upTo <= 1 : upTo >= last;
    return { found, next: isDone ? null : [upTo, ""] };
  }

  async #lastNumber(): Promise<number> {
    const [row] = await this.#prisma.$queryRaw<{ last: number | null }[]>`
      SELECT max(number) AS last FROM task_search`;
    return Number(row?.last ?? 0);
  }

  /** Numbers strictly between two, nearest to `start` first. */
  async #candidates(
    words: readonly string[],
    start: number,
    end: number,
    descending: boolean,
  ): Promise<number[]> {
    const match = trigramQuery(words);
    const [low, high] = descending ? [end - 1, start] : [start, end + 1];
    const inOrder = Prisma.raw(`ORDER BY number ${descending ? "DESC" : "ASC"}`);
    const rows =
      match === ""
        ? await this.#prisma.$queryRaw<{ number: number }[]>`
            SELECT number FROM task_search WHERE number > ${low} AND number < ${high}
            ${inOrder} LIMIT ${this.#atOnce}`
        : await this.#prisma.$queryRaw<{ number: number }[]>`
            SELECT rowid AS number FROM task_text
            WHERE task_text MATCH ${match} AND rowid > ${low} AND rowid < ${high}
            ${inOrder} LIMIT ${this.#atOnce}`;
    return rows.map(({ number }) => Number(number));
  }

  async #found(
    words: readonly string[],
    numbers: number[],
    conditions: Sql[],
  ): Promise<ListStep["found"]> {
    const where = conditions.length > 0 ? Prisma.join(conditions, " AND ") : Prisma.sql`true`;
    const rows = await this.#prisma.$queryRaw<(RowWithText & { number: number })[]>`
      SELECT s.number AS "number", ${columns}${columnsOfText}
      FROM json_each(${JSON.stringify(numbers)}) j
      CROSS JOIN task_search s ON s.number = j.value
      CROSS JOIN tasks t ON t.id = s.task_id
      CROSS JOIN task_payloads p ON p.task_id = t.id
      WHERE ${where}`;
    return rows
      .filter((row) => hasWords(searchedText(textOfRow(row)), words))
      .map((row) => ({ task: fromTaskRow(row), key: [Number(row.number), ""] as const }));
  }
}

/** The full-text query for the letters of words, three at a time; empty when all are shorter. */
function trigramQuery(words: readonly string[]): string {
  const trigrams = new Set<string>();
  for (const word of words) {
    const letters = [...word];
    for (let i = 0; i + 3 <= letters.length; i += 1) trigrams.add(letters.slice(i, i + 3).join(""));
  }
  const quoted = [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
  const every = Math.max(1, Math.ceil(quoted.length / maxTrigrams));
  return quoted.filter((_, i) => i % every === 0).join(" AND ");
}
