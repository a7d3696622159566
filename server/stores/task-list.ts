import { setImmediate as nextTurn } from "node:timers/promises";
import type { Page, TaskQuery } from "../core/durable-task-store.ts";
import type { TaskRecord } from "../core/task.ts";
import { toColumnText } from "./column-text.ts";
import { Prisma, type PrismaClient, type Task } from "./generated/client.ts";
import { requireSearchable } from "./in-memory-list.ts";
import { comparePageKeys, decodePageKey, encodePageKey, type PageKey } from "./page-by.ts";
import { selectList, taskColumns } from "./table-columns.ts";
import { fromTaskRow } from "./task-row.ts";
import {
  conditionsOf,
  isAboutLive,
  type ListStep,
  planOf,
  possibleStatuses,
  type Sorting,
  type Stream,
  sortings,
  within,
} from "./task-streams.ts";
import { hasWords, searchedText, wordsOf } from "./task-text.ts";
import { columnsOfText, type RowWithText, TextSearch, textOfRow } from "./text-search.ts";

type Sql = Prisma.Sql;

export interface ListLimits {
  /** Tasks looked at in one go, and how many where the text of each has to be read. */
  step: number;
  textStep: number;
  /** Milliseconds after which a page goes back with what there is. */
  patience: number;
}

const usualLimits: ListLimits = { step: 1500, textStep: 120, patience: 20 };
// Up to so many that ended within a period are read through the index of ends, and sorted.
const fewFinished = 2000;
// By where the newest so many tasks of a label reach, it is seen how rare the label is.
const sampledLabels = 400;

/**
 * The list of tasks, by keyset. Pages read about as many rows as they show, however many there are:
 * several statuses or types are read as one stream each, each in the order of its index, and merged.
 * What no index decides is looked for a step at a time, for a while; then the page goes back with
 * what was found, and says how far was looked.
 */
export class TaskList {
  readonly #prisma: PrismaClient;
  readonly #limits: ListLimits;
  readonly #search: TextSearch;

  constructor(prisma: PrismaClient, limits: Partial<ListLimits> = {}) {
    this.#prisma = prisma;
    this.#limits = { ...usualLimits, ...limits };
    this.#search = new TextSearch(prisma, this.#limits.textStep);
  }

  async page(query: TaskQuery): Promise<Page<TaskRecord>> {
    requireSearchable(query);
    const { limit, text = "" } = query;
    const words = wordsOf(text);
    const wanted = limit + 1;
    const stepper = await this.#stepper(query, words, wanted);
    const found: ListStep["found"] = [];
    const giveUpAt = performance.now() + this.#limits.patience;
    let after: PageKey | null = query.after ? decodePageKey(query.after) : null;
    for (;;) {
      const step = await stepper(after);
      found.push(...step.found);
      after = step.next;
      if (after === null || found.length >= wanted || performance.now() > giveUpAt) break;
      await nextTurn();
    }
    const items = found.slice(0, limit);
    const next = found.length > limit ? (items.at(-1)?.key ?? null) : after;
    return {
      items: items.map(({ task }) => task),
      nextCursor: next && encodePageKey(next),
    };
  }

  async #stepper(
    query: TaskQuery,
    words: string[],
    wanted: number,
  ): Promise<(after: PageKey | null) => Promise<ListStep>> {
    const nothing = possibleStatuses(query).length === 0 || query.types?.length === 0;
    if (nothing) return async () => ({ found: [], next: null });
    const sorting = sortings[query.order ?? "newest"];
    const [word = ""] = words;
    if (words.length === 1 && /^task_[0-9a-z]{20,}$/.test(word)) {
      return (after) => this.#all(query, sorting, [Prisma.sql`t.id = ${word}`], after);
    }
    const throughText =
      words.length > 0 &&
      !isAboutLive(query) &&
      query.parentTaskId === undefined &&
      query.rerunOf === undefined;
    if (throughText) {
      const conditions = conditionsOf(query);
      return (after) => this.#search.step(words, conditions, sorting.descending, after);
    }
    if (words.length === 0 && query.finished && (await this.#areFew(query.finished))) {
      const ended = within(Prisma.sql`t.finished_at`, query.finished);
      return (after) => this.#all(query, sorting, ended, after);
    }
    return (after) => this.#merge(query, words, sorting, after, wanted);
  }

  async #areFew(period: NonNullable<TaskQuery["finished"]>): Promise<boolean> {
    const where = [Prisma.sql`finished_at IS NOT NULL`, ...within(Prisma.sql`finished_at`, period)];
    const [row] = await this.#prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*) AS count FROM (
        SELECT 1 FROM tasks WHERE ${and(where)} LIMIT ${fewFinished + 1})`;
    return Number(row?.count) <= fewFinished;
  }

  /** All tasks that are few by `few`, in one step. */
  async #all(
    query: TaskQuery,
    sorting: Sorting,
    few: Sql[],
    after: PageKey | null,
  ): Promise<ListStep> {
    const rows = await this.#prisma.$queryRaw<Task[]>`
      SELECT ${columns} FROM tasks t WHERE ${and([...few, ...conditionsOf(query)])}`;
    const found = rows.map((row) => foundOf(fromTaskRow(row), sorting));
    return {
      found: sorted(found, sorting).filter(
        ({ key }) => after === null || isBeyond(key, after, sorting),
      ),
      next: null,
    };
  }

  async #merge(
    query: TaskQuery,
    words: string[],
    sorting: Sorting,
    after: PageKey | null,
    wanted: number,
  ): Promise<ListStep> {
    const { streams, rest } = planOf(query, await this.#rarestLabel(query));
    if (rest.length === 0 && words.length === 0) {
      return this.#readExactly(streams, query, sorting, after, wanted);
    }
    const parts = await Promise.all(
      streams.map((stream) => this.#read(stream, { query, words, sorting, rest, after, wanted })),
    );
    // Behind the nearest place up to which a stream was read, another may have nearer ones.
    const [horizon] = parts
      .flatMap(({ next }) => (next ? [next] : []))
      .sort((a, b) => comparePageKeys(a, b) * (sorting.descending ? -1 : 1));
    const found = sorted(
      parts.flatMap((part) => part.found),
      sorting,
    );
    return {
      found: horizon ? found.filter(({ key }) => !isBeyond(key, horizon, sorting)) : found,
      next: horizon ?? null,
    };
  }

  /**
   * The label through which a query with several is read: of tasks that have the rarest one the fewest
   * have to be looked at. How rare one is shows by how far back its newest tasks reach.
   */
  async #rarestLabel({ labels = {} }: TaskQuery): Promise<readonly [string, string] | undefined> {
    const all = Object.entries(labels);
    if (all.length < 2) return all[0];
    const reach = await Promise.all(
      all.map(async ([key, value]) => {
        const [row] = await this.#prisma.$queryRaw<{ at: string }[]>`
          SELECT created_at AS at FROM task_labels
          WHERE key = ${toColumnText(key)} AND value = ${toColumnText(value)}
          ORDER BY created_at DESC, task_id DESC LIMIT 1 OFFSET ${sampledLabels}`;
        return row?.at ?? "";
      }),
    );
    const oldest = reach.toSorted()[0] ?? "";
    return all[reach.indexOf(oldest)];
  }

  /** The next tasks of streams that have nothing else in them: their places first, all in one query. */
  async #readExactly(
    streams: readonly Stream[],
    query: TaskQuery,
    sorting: Sorting,
    after: PageKey | null,
    wanted: number,
  ): Promise<ListStep> {
    const parts = streams.map((stream) => {
      const { column, id, place, from } = sourceOf(stream, query, sorting, after);
      return Prisma.sql`SELECT * FROM
        (SELECT ${place} AS place, ${column} AS sort_key, ${id} AS id ${from} LIMIT ${wanted})`;
    });
    const direction = Prisma.raw(sorting.descending ? "DESC" : "ASC");
    const rows = await this.#prisma.$queryRaw<Task[]>`
      SELECT ${columns} FROM (
        SELECT place FROM (${Prisma.join(parts, " UNION ALL ")})
        ORDER BY sort_key ${direction}, id ${direction} LIMIT ${wanted}) AS c
      CROSS JOIN tasks t ON ${streams[0]?.table === "task_labels" ? Prisma.sql`t.id` : Prisma.sql`t.rowid`} = c.place`;
    const found = sorted(
      rows.map((row) => foundOf(fromTaskRow(row), sorting)),
      sorting,
    );
    return { found, next: found.length < wanted ? null : (found.at(-1)?.key ?? null) };
  }

  async #read(
    stream: Stream,
    asked: {
      query: TaskQuery;
      words: string[];
      sorting: Sorting;
      rest: Sql[];
      after: PageKey | null;
      wanted: number;
    },
  ): Promise<ListStep> {
    const { query, words, sorting, rest, after, wanted } = asked;
    const { column, id, place, from } = sourceOf(stream, query, sorting, after);
    const { step, textStep } = this.#limits;
    const look = words.length > 0 ? textStep : step;
    const rows = await this.#prisma.$queryRaw<RowWithText[]>`
      SELECT ${columns}${words.length > 0 ? columnsOfText : Prisma.empty}
      FROM (SELECT ${place} AS place ${from} LIMIT ${look}) AS c
      CROSS JOIN tasks t ON ${stream.table === "task_labels" ? Prisma.sql`t.id` : Prisma.sql`t.rowid`} = c.place
      ${words.length > 0 ? Prisma.sql`JOIN task_payloads p ON p.task_id = t.id` : Prisma.empty}
      WHERE ${and(rest)} LIMIT ${words.length > 0 ? look : wanted}`;
    const found = rows
      .filter((row) => words.length === 0 || hasWords(searchedText(textOfRow(row)), words))
      .map((row) => foundOf(fromTaskRow(row), sorting));
    // Enough, or all that there is: then nobody needs to know how far was looked.
    const last = found.at(-1);
    if (rows.length >= wanted && words.length === 0 && last) return { found, next: last.key };
    const [limit] = await this.#prisma.$queryRaw<{ key: string | number; id: string }[]>`
      SELECT ${column} AS key, ${id} AS id ${from} LIMIT 1 OFFSET ${look - 1}`;
    return { found, next: limit ? [limit.key, limit.id] : null };
  }
}

const columns = Prisma.raw(selectList(taskColumns, "t"));

/** A stream in SQL, from a place on: its rows in order, the column that orders them, and their places. */
function sourceOf(stream: Stream, query: TaskQuery, sorting: Sorting, after: PageKey | null) {
  const { descending } = sorting;
  const column = stream.column ?? sorting.column;
  const isLabel = stream.table === "task_labels";
  const id = isLabel ? Prisma.sql`task_id` : Prisma.sql`id`;
  const beyond = Prisma.raw(descending ? "<" : ">");
  const direction = Prisma.raw(descending ? "DESC" : "ASC");
  const where = [
    ...stream.where,
    ...(column.sql === "finished_at" ? within(column, query.finished) : []),
    ...(column.sql === "created_at" ? within(column, query.created) : []),
    // Whatever ended before a moment was created before it: no need to look at anything newer.
    ...(column.sql === "created_at" ? within(column, { until: query.finished?.until }) : []),
    ...(after ? [keyset({ ...sorting, column }, id, beyond, after)] : []),
  ];
  const from = Prisma.sql`FROM ${Prisma.raw(stream.table)} INDEXED BY ${Prisma.raw(stream.index)}
    WHERE ${and(where)} ORDER BY ${column} ${direction}, ${id} ${direction}`;
  return { column, id, place: isLabel ? id : Prisma.sql`rowid`, from };
}

function and(conditions: Sql[]): Sql {
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " AND ");
}

// The first condition alone would do in words, but only a plain comparison lets the database begin at
// that place in the index.
function keyset({ column, toColumn }: Sorting, id: Sql, beyond: Sql, after: PageKey): Sql {
  const value = toColumn(String(after[0]));
  return Prisma.sql`${column} ${beyond}= ${value}
    AND (${column} ${beyond} ${value} OR ${id} ${beyond} ${toColumnText(after[1])})`;
}

function foundOf(task: TaskRecord, { keyOf }: Sorting): ListStep["found"][number] {
  return { task, key: keyOf(task) };
}

function sorted(found: ListStep["found"], { descending }: Sorting): ListStep["found"] {
  return found.sort((a, b) => comparePageKeys(a.key, b.key) * (descending ? -1 : 1));
}

function isBeyond(key: PageKey, other: PageKey, { descending }: Sorting): boolean {
  return comparePageKeys(key, other) * (descending ? -1 : 1) > 0;
}
