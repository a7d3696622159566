import type { Period, TaskQuery, WaitsForQuery } from "../core/durable-task-store.ts";
import type { Activity, TaskRecord } from "../core/task.ts";
import type { TaskOrder } from "../core/task-order.ts";
import { isTerminal, type TaskStatus, taskStatuses } from "../core/task-status.ts";
import { toColumnText } from "./column-text.ts";
import { Prisma } from "./generated/client.ts";
import type { PageKey } from "./page-by.ts";

type Sql = Prisma.Sql;

/** A part of a list: what was found of it, and up to where was looked; null when to its end. */
export interface ListStep {
  found: { task: TaskRecord; key: PageKey }[];
  next: PageKey | null;
}

/** How an order is read from the tables. */
export interface Sorting {
  column: Sql;
  descending: boolean;
  keyOf(task: TaskRecord): PageKey;
  /** A page's key as the column has it. */
  toColumn(sortKey: string): string | number;
}

/** Rows that an index gives in the wanted order, and on which equal columns it stands. */
export interface Stream {
  table: "tasks" | "task_labels";
  index: string;
  /** What its rows are ordered by, where that is not the column of the order but the same in them. */
  column?: Sql;
  where: Sql[];
}

/** What to read for a query: streams to merge, and what the index does not decide. */
export interface Plan {
  streams: Stream[];
  /** Conditions on the task `t`. */
  rest: Sql[];
}

// Streams that are merged for one page; more would cost more than they save.
const maxStreams = 24;

const byCreation = {
  column: Prisma.sql`created_at`,
  keyOf: ({ createdAt, taskId }: TaskRecord): PageKey => [createdAt, taskId],
  toColumn: (key: string) => key,
};
const byEnd = {
  column: Prisma.sql`finished_at`,
  keyOf: ({ finishedAt, taskId }: TaskRecord): PageKey => [finishedAt ?? "", taskId],
  toColumn: (key: string) => key,
};
const byUpdate = {
  column: Prisma.sql`last_event_at`,
  keyOf: ({ lastEventAt, taskId }: TaskRecord): PageKey => [lastEventAt, taskId],
  toColumn: (key: string) => key,
};
const byWork = {
  column: Prisma.sql`worked_seconds`,
  keyOf: ({ workedSeconds, taskId }: TaskRecord): PageKey => [workedSeconds, taskId],
  toColumn: Number,
};

export const sortings: Readonly<Record<TaskOrder, Sorting>> = {
  newest: { ...byCreation, descending: true },
  oldest: { ...byCreation, descending: false },
  latest_updated: { ...byUpdate, descending: true },
  earliest_updated: { ...byUpdate, descending: false },
  latest_finished: { ...byEnd, descending: true },
  earliest_finished: { ...byEnd, descending: false },
  longest: { ...byWork, descending: true },
  shortest: { ...byWork, descending: false },
};

const statusesOf: Readonly<Record<Activity, readonly TaskStatus[]>> = {
  queued: ["pending"],
  running: ["running"],
  waiting: ["waiting_for_input"],
  parked: ["running", "waiting_for_input"],
  resuming: ["running", "waiting_for_input"],
  done: taskStatuses.filter(isTerminal),
};

/** The statuses a task of the query can have, by all that it asks for. */
export function possibleStatuses(query: TaskQuery): TaskStatus[] {
  const { statuses, activities, waitsFor } = query;
  const ofActivities = activities && new Set(activities.flatMap((each) => statusesOf[each]));
  return taskStatuses.filter(
    (status) =>
      (!statuses || statuses.includes(status)) &&
      (!ofActivities || ofActivities.has(status)) &&
      (!waitsFor || status === "waiting_for_input"),
  );
}

/** True when the query is about tasks that have not ended, of which there are few. */
export function isAboutLive(query: TaskQuery): boolean {
  return possibleStatuses(query).every((status) => !isTerminal(status));
}

/**
 * How to find the tasks of a query with little to read that is not shown.
 *
 * @param label the one of its labels through which they are found best.
 */
export function planOf(query: TaskQuery, label?: readonly [string, string]): Plan {
  const { order = "newest", parentTaskId, rerunOf, createdById, types } = query;
  const statuses = possibleStatuses(query);
  const allStatuses = statuses.length === taskStatuses.length;
  const rest = restOf(query);
  const ofStatus = allStatuses ? [] : [Prisma.sql`t.status IN (${Prisma.join(statuses)})`];
  const ofType = types ? [Prisma.sql`t.type IN (${texts(types)})`] : [];
  const whole = [...rest, ...ofStatus, ...ofType];
  const one = (index: string, where: Sql[] = []): Plan => ({
    streams: [{ table: "tasks", index, where }],
    rest: whole,
  });
  if (order === "latest_finished" || order === "earliest_finished") {
    return one("tasks_finished_at_id_idx", [Prisma.sql`finished_at IS NOT NULL`]);
  }
  if (order === "latest_updated" || order === "earliest_updated") {
    return { streams: updateStreams(statuses), rest: [...rest, ...ofStatus, ...ofType] };
  }
  if (order === "longest" || order === "shortest") {
    return one("tasks_worked_seconds_id_idx", [Prisma.sql`finished_at IS NOT NULL`]);
  }
  if (parentTaskId !== undefined) {
    const ofParent = Prisma.sql`parent_task_id = ${toColumnText(parentTaskId)}`;
    return one("tasks_parent_task_id_created_at_id_idx", [ofParent]);
  }
  if (rerunOf !== undefined) {
    const ofTask = Prisma.sql`rerun_of = ${toColumnText(rerunOf)}`;
    return one("tasks_rerun_of_created_at_id_idx", [ofTask]);
  }
  // A rare label is found through its own index; among a few live tasks, through theirs.
  if (label && !isAboutLive(query)) {
    const [key, value] = label.map(toColumnText) as [string, string];
    const index = "task_labels_key_value_created_at_task_id_idx";
    const where = [Prisma.sql`key = ${key} AND value = ${value}`];
    return { streams: [{ table: "task_labels", index, where }], rest: whole };
  }
  if (createdById !== undefined && !isAboutLive(query)) {
    const ofCreator = Prisma.sql`created_by_id = ${toColumnText(createdById)}`;
    return one("tasks_created_by_id_created_at_id_idx", [ofCreator]);
  }
  if (allStatuses && !types) return one("tasks_created_at_id_idx");
  const eachType = types && [...new Set(types)];
  if (!eachType || statuses.length * eachType.length > maxStreams) {
    const streams = statuses.map((status) => ofStatuses(status));
    return { streams, rest: [...rest, ...ofType] };
  }
  const streams = statuses.flatMap((status) => eachType.map((type) => ofStatuses(status, type)));
  return { streams, rest };
}

/**
 * Nothing happens to a task after its end, so that those that ended stand in the index of ends as they
 * do by their newest event. The others are few, and sorted: an index of what changes with every event
 * would make every event dearer.
 */
function updateStreams(statuses: readonly TaskStatus[]): Stream[] {
  const live = statuses.filter((status) => !isTerminal(status));
  const ended: Stream = {
    table: "tasks",
    index: "tasks_finished_at_id_idx",
    where: [Prisma.sql`finished_at IS NOT NULL`],
    column: Prisma.sql`finished_at`,
  };
  return [
    ...(live.length < statuses.length ? [ended] : []),
    ...live.map((status) => ofStatuses(status)),
  ];
}

function ofStatuses(status: TaskStatus, type?: string): Stream {
  if (type === undefined) {
    const index = "tasks_status_created_at_id_idx";
    return { table: "tasks", index, where: [Prisma.sql`status = ${status}`] };
  }
  const where = [Prisma.sql`type = ${toColumnText(type)} AND status = ${status}`];
  return { table: "tasks", index: "tasks_type_status_created_at_id_idx", where };
}

/** All conditions but those on status and type; of a text, none. */
function restOf(query: TaskQuery): Sql[] {
  const { labels = {}, parentTaskId, rerunOf, createdById, exceptTypes, now = "" } = query;
  return [
    ...Object.entries(labels).map(
      ([key, value]) => Prisma.sql`EXISTS (SELECT 1 FROM task_labels l WHERE l.task_id = t.id
        AND l.key = ${toColumnText(key)} AND l.value = ${toColumnText(value)})`,
    ),
    ...(parentTaskId === undefined
      ? []
      : [Prisma.sql`t.parent_task_id = ${toColumnText(parentTaskId)}`]),
    ...(rerunOf === undefined ? [] : [Prisma.sql`t.rerun_of = ${toColumnText(rerunOf)}`]),
    ...(createdById === undefined
      ? []
      : [Prisma.sql`t.created_by_id = ${toColumnText(createdById)}`]),
    ...(exceptTypes?.length ? [Prisma.sql`t.type NOT IN (${texts(exceptTypes)})`] : []),
    ...within(Prisma.sql`t.created_at`, query.created),
    ...within(Prisma.sql`t.finished_at`, query.finished),
    ...(query.activities ? [anyActivity(query.activities, now)] : []),
    ...(query.waitsFor ? [waitsForSql(query.waitsFor, now)] : []),
  ];
}

/** The conditions of all of a query but its text, for where another index leads to the tasks. */
export function conditionsOf(query: TaskQuery): Sql[] {
  const statuses = possibleStatuses(query);
  return [
    ...restOf(query),
    ...(statuses.length === taskStatuses.length
      ? []
      : [Prisma.sql`t.status IN (${Prisma.join(statuses.length > 0 ? statuses : [""])})`]),
    ...(query.types ? [Prisma.sql`t.type IN (${texts(query.types)})`] : []),
  ];
}

/** The conditions that a column is within a period. */
export function within(column: Sql, { from, until }: Period = {}): Sql[] {
  return [
    ...(from === undefined ? [] : [Prisma.sql`${column} >= ${from}`]),
    ...(until === undefined ? [] : [Prisma.sql`${column} < ${until}`]),
  ];
}

function texts(list: readonly string[]): Sql {
  return Prisma.join(list.length > 0 ? list.map(toColumnText) : [""]);
}

// The same as `activityOf` says of a task, in SQL.
function anyActivity(activities: readonly Activity[], now: string): Sql {
  const held = Prisma.sql`(t.lease_expires_at IS NOT NULL AND t.lease_expires_at > ${now})`;
  const underWay = Prisma.sql`t.status IN ('running', 'waiting_for_input') AND NOT ${held}`;
  const due = Prisma.sql`CASE WHEN t.wake_at IS NOT NULL THEN t.wake_at <= ${now}
    ELSE t.worker_id IS NOT NULL AND t.status = 'running' END`;
  const conditions: Record<Activity, Sql> = {
    queued: Prisma.sql`t.status = 'pending'`,
    running: Prisma.sql`(t.status = 'running' AND ${held})`,
    waiting: Prisma.sql`(t.status = 'waiting_for_input' AND ${held})`,
    resuming: Prisma.sql`(${underWay} AND ${due})`,
    parked: Prisma.sql`(${underWay} AND NOT ${due})`,
    done: Prisma.sql`t.status IN ('completed', 'failed', 'cancelled')`,
  };
  if (activities.length === 0) return Prisma.sql`false`;
  return Prisma.sql`(${Prisma.join(
    activities.map((each) => conditions[each]),
    " OR ",
  )})`;
}

// The same as `waitsFor` says of a question, in SQL.
function waitsForSql({ actor, exceptTypes }: WaitsForQuery, now: string): Sql {
  const id = toColumnText(actor.id);
  const isOperator = actor.kind === "operator" ? 1 : 0;
  const started = Prisma.sql`((t.created_by_kind = ${actor.kind} AND t.created_by_id = ${id})
    OR (${isOperator} AND t.created_by_key_owner IS ${id}))`;
  const ofType =
    exceptTypes.length > 0 ? Prisma.sql`t.type NOT IN (${texts(exceptTypes)}) AND` : Prisma.empty;
  return Prisma.sql`${ofType} EXISTS (SELECT 1 FROM questions q
    WHERE q.task_id = t.id AND q.outcome IS NULL AND (q.answerable_by = 'anyone' OR ${isOperator})
      AND (q.claimed_until IS NULL OR q.claimed_until <= ${now} OR (
        q.claimed_by ->> '$.kind' = ${actor.kind} AND q.claimed_by ->> '$.id' = ${actor.id}))
      AND (q.approval IS NULL OR ((q.approval ->> '$.selfApproval' OR NOT ${started})
        AND NOT EXISTS (SELECT 1 FROM json_each(q.approval, '$.given') g
          WHERE g.value ->> '$.by.kind' = ${actor.kind} AND g.value ->> '$.by.id' = ${actor.id}))))`;
}
