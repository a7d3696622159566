import { setImmediate as nextTurn } from "node:timers/promises";
import type { Page, TaskQuery } from "../core/durable-task-store.ts";
import type { TaskRecord } from "../core/task.ts";
import { isTerminal, type TaskStatus, taskStatuses } from "../core/task-status.ts";
import { fromColumnText, toColumnText } from "./column-text.ts";
import { Prisma, type PrismaClient } from "./generated/client.ts";
import { decodePageKey, encodePageKey } from "./page-by.ts";
import { keysetAfter } from "./prisma-reads.ts";
import { fromTaskRow } from "./task-row.ts";
import { inScope } from "./task-scope.ts";

// Streams that are merged for one page; more would cost more than they save.
const maxStreams = 24;
// Ids looked at in one go when searching for a part of one: about 5 ms.
const searchStep = 20_000;
const maxHits = 500;

/**
 * The list of tasks, by keyset. Every page reads about as many rows as it shows, however many there
 * are: several statuses or types are read as one stream each, each in the order of its index, and
 * merged. Only a part of an id is searched for from one end, a step at a time.
 */
export class TaskList {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async page(query: TaskQuery): Promise<Page<TaskRecord>> {
    const { limit } = query;
    const wanted = limit + 1;
    const found = query.text
      ? await this.#search(query, query.text, wanted)
      : await this.#merge(query, wanted);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? encodePageKey([last.createdAt, last.taskId]) : null };
  }

  async #merge(query: TaskQuery, take: number): Promise<TaskRecord[]> {
    const labels = Object.entries(query.labels ?? {});
    // A rare label is found through its own index; among a few live tasks, through theirs.
    const throughLabel = labels.length > 0 && !(query.statuses ?? taskStatuses).every(isLive);
    const streams = throughLabel ? [this.#filter(query)] : this.#streams(query);
    const pages = await Promise.all(
      streams.map((where) =>
        throughLabel ? this.#labelled(query, where, take) : this.#rows(query, where, take),
      ),
    );
    const newestFirst = query.order !== "oldest";
    return pages
      .flat()
      .sort((a, b) => (newestFirst ? compare(b, a) : compare(a, b)))
      .slice(0, take);
  }

  /** One condition for each status and type that can be read in the order of an index. */
  #streams(query: TaskQuery): Prisma.TaskWhereInput[] {
    const { statuses, types, parentTaskId, rerunOf, createdById } = query;
    const rest = this.#filter({ ...query, statuses: undefined, types: undefined });
    const byOther = [parentTaskId, rerunOf, createdById].some((id) => id !== undefined);
    if (byOther || (!statuses && !types)) return [this.#filter(query)];
    const eachStatus = [...new Set(statuses ?? taskStatuses)];
    const eachType = types && [...new Set(types)];
    if (!eachType || eachStatus.length * eachType.length > maxStreams) {
      return eachStatus.map((status) => ({ ...rest, status, ...typesIn(types) }));
    }
    return eachStatus.flatMap((status) =>
      eachType.map((type) => ({ ...rest, status, type: toColumnText(type) })),
    );
  }

  #filter(query: TaskQuery): Prisma.TaskWhereInput {
    const { statuses, types, labels, parentTaskId, rerunOf } = query;
    const every = Object.entries(labels ?? {}).map(([key, value]) => ({
      labelRows: { some: { key: toColumnText(key), value: toColumnText(value) } },
    }));
    return {
      ...(statuses ? { status: { in: statuses } } : {}),
      ...typesIn(types),
      ...(parentTaskId === undefined ? {} : { parentTaskId: toColumnText(parentTaskId) }),
      ...(rerunOf === undefined ? {} : { rerunOf: toColumnText(rerunOf) }),
      AND: [inScope(query), ...every],
    };
  }

  async #rows(
    { order, after }: TaskQuery,
    where: Prisma.TaskWhereInput,
    take: number,
  ): Promise<TaskRecord[]> {
    const direction = order === "oldest" ? "asc" : "desc";
    const rows = await this.#prisma.task.findMany({
      where: { ...where, ...afterPage(after, direction, "id") },
      orderBy: [{ createdAt: direction }, { id: direction }],
      take,
    });
    return rows.map(fromTaskRow);
  }

  async #labelled(
    { labels, order, after }: TaskQuery,
    where: Prisma.TaskWhereInput,
    take: number,
  ): Promise<TaskRecord[]> {
    const [first = ["", ""]] = Object.entries(labels ?? {});
    const direction = order === "oldest" ? "asc" : "desc";
    const rows = await this.#prisma.taskLabel.findMany({
      where: {
        key: toColumnText(first[0]),
        value: toColumnText(first[1]),
        ...afterPage(after, direction, "taskId"),
        task: where,
      },
      orderBy: [{ createdAt: direction }, { taskId: direction }],
      take,
      select: { task: true },
    });
    return rows.map(({ task }) => fromTaskRow(task));
  }

  async #search(query: TaskQuery, text: string, wanted: number): Promise<TaskRecord[]> {
    const whole = /^task_[0-9a-z]{20,}$/.test(text);
    if (whole && !query.after) {
      const where = { AND: [this.#filter(query), { id: text }] };
      return this.#rows(query, where, wanted);
    }
    const found: TaskRecord[] = [];
    const filter = this.#filter(query);
    let after = query.after ?? null;
    do {
      const step = await this.#searchStep(toColumnText(text), query.order, after);
      if (step.ids.length > 0) {
        const where = { AND: [filter, { id: { in: step.ids } }] };
        found.push(...(await this.#rows({ ...query, after: null }, where, step.ids.length)));
      }
      after = step.next;
      await nextTurn();
    } while (after !== null && found.length < wanted);
    return found.slice(0, wanted);
  }

  /** The ids with the text in them among the next of all ids, in order. */
  async #searchStep(
    text: string,
    order: TaskQuery["order"],
    after: string | null,
  ): Promise<{ ids: string[]; next: string | null }> {
    const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
    const direction = Prisma.raw(order === "oldest" ? "ASC" : "DESC");
    const beyond = Prisma.raw(order === "oldest" ? ">" : "<");
    const [key, id] = after === null ? [] : decodePageKey(after);
    const from =
      key === undefined || id === undefined
        ? Prisma.empty
        : Prisma.sql`WHERE created_at ${beyond}= ${key}
            AND (created_at ${beyond} ${key} OR id ${beyond} ${toColumnText(id)})`;
    const inOrder = Prisma.sql`ORDER BY created_at ${direction}, id ${direction}`;
    const hits = await this.#prisma.$queryRaw<PlaceInList[]>`
      SELECT id, "createdAt" FROM (
        SELECT id, created_at AS "createdAt" FROM tasks ${from} ${inOrder} LIMIT ${searchStep}
      ) AS part WHERE id LIKE ${pattern} ESCAPE '\\' LIMIT ${maxHits}`;
    // LIKE does not mind upper and lower case; ids do.
    const ids = hits.map((hit) => hit.id).filter((hit) => hit.includes(text));
    if (hits.length === maxHits) return { ids, next: toCursor(hits.at(-1)) };
    const [last] = await this.#prisma.$queryRaw<PlaceInList[]>`
      SELECT id, created_at AS "createdAt" FROM tasks ${from} ${inOrder}
      LIMIT 1 OFFSET ${searchStep - 1}`;
    return { ids, next: toCursor(last) };
  }
}

interface PlaceInList {
  id: string;
  createdAt: string;
}

function toCursor(place: PlaceInList | undefined): string | null {
  return place ? encodePageKey([place.createdAt, fromColumnText(place.id)]) : null;
}

function afterPage(
  after: string | null | undefined,
  direction: "asc" | "desc",
  idField: string,
): Record<string, unknown> {
  return after ? keysetAfter("createdAt", after, direction === "asc" ? "gt" : "lt", idField) : {};
}

function typesIn(types: readonly string[] | undefined): Prisma.TaskWhereInput {
  return types ? { type: { in: types.map(toColumnText) } } : {};
}

function isLive(status: TaskStatus): boolean {
  return !isTerminal(status);
}

function compare(a: TaskRecord, b: TaskRecord): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.taskId === b.taskId ? 0 : a.taskId < b.taskId ? -1 : 1;
}
