import type { TaskRecord } from "@/server/core/task.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import type { TaskStatus } from "@/server/core/task-status.ts";
import { fitsFilters } from "../tasks/fits-filters.ts";
import type { TaskFilters } from "../tasks/task-filters.ts";
import { serverNow, timestampOf } from "../time/server-clock.ts";
import { isQuestionCurrent, isTaskCurrent } from "./newest.ts";

export type ListedQuestion = QuestionData & {
  taskType: string;
  taskStatus: TaskStatus;
  /** How many tasks cannot go on before its task does; unknown of one that the feed has just told of. */
  tasksBehind?: number;
};

interface PageOf<Item> {
  items: Item[];
  nextCursor: string | null;
}

/**
 * The pages of a task list after some tasks changed: changed rows in place, rows that no longer
 * fit the filters gone, tasks that are new to a list by creation, newest first, at their place.
 * Returns the same array when nothing changes, so that nothing renders.
 */
export function mergeTaskPages(
  pages: PageOf<TaskRecord>[],
  filters: TaskFilters,
  changed: ReadonlyMap<string, TaskRecord>,
): PageOf<TaskRecord>[] {
  const now = timestampOf(serverNow());
  const missing = new Map(changed);
  let isSame = true;
  const merged = pages.map((page) => {
    const items = page.items.flatMap((item) => {
      const task = missing.get(item.taskId);
      if (!task) return [item];
      missing.delete(item.taskId);
      if (!isTaskCurrent(task, item)) return [item];
      isSame = false;
      return fitsFilters(task, filters, now) === false ? [] : [task];
    });
    return items.every((item, i) => item === page.items[i]) && items.length === page.items.length
      ? page
      : { ...page, items };
  });
  for (const task of missing.values()) {
    // In another order it may belong anywhere; such lists are read anew.
    if (filters.order !== "newest" || fitsFilters(task, filters, now) !== true) continue;
    if (insert(merged, task)) isSame = false;
  }
  return isSame ? pages : merged;
}

// Into the page whose range holds it; a task older than everything loaded comes with its own page.
function insert(pages: PageOf<TaskRecord>[], task: TaskRecord): boolean {
  for (const [i, page] of pages.entries()) {
    const at = page.items.findIndex((item) => isNewer(task, item));
    if (at >= 0) {
      pages[i] = { ...page, items: page.items.toSpliced(at, 0, task) };
      return true;
    }
  }
  const last = pages.at(-1);
  if (!last || last.nextCursor !== null) return false;
  pages[pages.length - 1] = { ...last, items: [...last.items, task] };
  return true;
}

function isNewer(a: TaskRecord, b: TaskRecord): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.taskId > b.taskId);
}

/**
 * The pages of open questions after some changed. A resolved one stays, with its outcome, so that
 * the page can say who was first; the next fetch leaves it out.
 */
export function mergeQuestionPages(
  pages: PageOf<ListedQuestion>[],
  changed: ReadonlyMap<string, ListedQuestion>,
): PageOf<ListedQuestion>[] {
  const missing = new Map(changed);
  let isSame = true;
  const merged = pages.map((page) => {
    const items = page.items.map((item) => {
      const question = missing.get(item.questionId);
      if (!question) return item;
      missing.delete(item.questionId);
      if (!isQuestionCurrent(question, item)) return item;
      isSame = false;
      return { ...item, ...question };
    });
    return { ...page, items };
  });
  const opened = [...missing.values()].filter(({ outcome }) => outcome === null);
  const [first, ...others] = merged;
  if (opened.length === 0 || !first) return isSame ? pages : merged;
  return [{ ...first, items: [...first.items, ...opened] }, ...others];
}

/** The questions of a task with one of them as it is now, or added. */
export function putQuestion(questions: QuestionData[], question: QuestionData): QuestionData[] {
  const at = questions.findIndex(({ questionId }) => questionId === question.questionId);
  const known = questions[at];
  if (!known) return [...questions, question];
  return isQuestionCurrent(question, known) ? questions.with(at, question) : questions;
}
