import type { TaskScope } from "../core/access.ts";
import type { Period, TaskQuery } from "../core/durable-task-store.ts";
import { InvalidInput } from "../core/errors.ts";
import { activityOf, type TaskPayload, type TaskRecord } from "../core/task.ts";
import { isOrderOfEnded } from "../core/task-order.ts";
import type { QuestionData } from "../core/task-question.ts";
import type { Timestamp } from "../core/timestamp.ts";
import { waitsFor } from "../core/waits-for.ts";
import type { PageKey } from "./page-by.ts";
import { hasWords, taskText, wordsOf } from "./task-text.ts";

interface Listed {
  record: TaskRecord;
  payload: TaskPayload;
  questions: ReadonlyMap<string, QuestionData>;
}

/** Whether a task in memory is one that a query asks for. */
export function matchesQuery(query: TaskQuery): (task: Listed) => boolean {
  const { statuses, activities, now = "", types, labels, parentTaskId, rerunOf } = query;
  const { created, finished } = query;
  const words = wordsOf(query.text ?? "");
  const inScope = isIn(query);
  const byEnd = query.order !== undefined && isOrderOfEnded(query.order);
  return ({ record, payload, questions }) =>
    (!statuses || statuses.includes(record.status)) &&
    (!activities || activities.includes(activityOf(record, now))) &&
    (!types || types.includes(record.type)) &&
    (!labels || Object.entries(labels).every(([key, value]) => record.labels[key] === value)) &&
    (parentTaskId === undefined || record.parentTaskId === parentTaskId) &&
    (rerunOf === undefined || record.rerunOf === rerunOf) &&
    (!byEnd || record.finishedAt !== null) &&
    isWithin(record.createdAt, created) &&
    isWithin(record.finishedAt, finished) &&
    inScope(record) &&
    isWaitedFor(record, questions, query) &&
    (words.length === 0 || hasWords(taskText(record, payload), words));
}

/** The key by which the tasks of a query are sorted. @throws InvalidInput */
export function sortingOf(query: TaskQuery): {
  keyOf: (task: TaskRecord) => PageKey;
  descending: boolean;
} {
  requireSearchable(query);
  const { order = "newest" } = query;
  const descending = order === "newest" || order === "longest" || order.startsWith("latest");
  return {
    descending,
    keyOf(task) {
      if (isByCreation(query)) return [task.createdAt, task.taskId];
      if (order.endsWith("updated")) return [task.lastEventAt, task.taskId];
      if (order.endsWith("finished")) return [task.finishedAt ?? "", task.taskId];
      return [task.workedSeconds, task.taskId];
    },
  };
}

/** @throws InvalidInput for a search in another order than by creation. */
export function requireSearchable(query: TaskQuery): void {
  if (wordsOf(query.text ?? "").length === 0 || isByCreation(query)) return;
  throw new InvalidInput(
    "A search lists tasks by their creation: leave `order` out, or say newest or oldest.",
  );
}

/** Whether a task is within a scope. */
export function isIn(scope: TaskScope | null = null): (task: TaskRecord) => boolean {
  const { createdById, exceptTypes } = scope ?? {};
  return (task) =>
    (createdById === undefined || task.createdBy.id === createdById) &&
    !exceptTypes?.includes(task.type);
}

function isByCreation({ order = "newest" }: TaskQuery): boolean {
  return order === "newest" || order === "oldest";
}

function isWithin(moment: Timestamp | null, { from, until }: Period = {}): boolean {
  if (from === undefined && until === undefined) return true;
  if (moment === null) return false;
  return (from === undefined || moment >= from) && (until === undefined || moment < until);
}

function isWaitedFor(
  task: TaskRecord,
  questions: ReadonlyMap<string, QuestionData>,
  { waitsFor: by, now = "" }: TaskQuery,
): boolean {
  if (!by) return true;
  if (task.openQuestions === 0 || by.exceptTypes.includes(task.type)) return false;
  return [...questions.values()].some((question) => waitsFor(question, task, by.actor, now));
}
