import type { TaskRecord } from "@/server/core/task.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import type { ListedQuestion } from "./merge-pages.ts";

// A response that was under way while the feed told of something newer must not undo it. What the
// feed said is remembered for as long as a request may take.
const keepMillis = 120_000;

interface Remembered<T> {
  value: T;
  /** Milliseconds since 1970. */
  at: number;
}

const tasks = new Map<string, Remembered<TaskRecord>>();
const questions = new Map<string, Remembered<ListedQuestion>>();

/** True when `a` tells a later state of the same task than `b`, or the same. */
export function isTaskCurrent(a: TaskRecord, b: TaskRecord): boolean {
  if (a.lastSeq !== b.lastSeq) return a.lastSeq > b.lastSeq;
  if (a.epoch !== b.epoch) return a.epoch > b.epoch;
  const progressA = a.progress?.at ?? "";
  const progressB = b.progress?.at ?? "";
  if (progressA !== progressB) return progressA > progressB;
  return (a.leaseExpiresAt ?? "") >= (b.leaseExpiresAt ?? "");
}

/** True when `a` tells a later state of the same question than `b`, or the same. */
export function isQuestionCurrent(a: QuestionData, b: QuestionData): boolean {
  return a.lastSeq >= b.lastSeq;
}

/** The later of what a response says and what the feed said meanwhile. */
export const newest = {
  task<T extends TaskRecord>(found: T): T {
    const seen = tasks.get(found.taskId)?.value;
    return seen && !isTaskCurrent(found, seen) ? { ...found, ...seen } : found;
  },
  question<Q extends QuestionData>(found: Q): Q {
    const seen = questions.get(found.questionId)?.value;
    return seen && !isQuestionCurrent(found, seen) ? { ...found, ...seen } : found;
  },
};

/**
 * What the feed has told since a moment. A list that was asked for then may lack it: it was read
 * before, and arrived after.
 */
export function toldSince(millis: number) {
  return { tasks: since(tasks, millis), questions: since(questions, millis) };
}

function since<T>(map: ReadonlyMap<string, Remembered<T>>, millis: number): Map<string, T> {
  return new Map([...map].flatMap(([id, { value, at }]) => (at >= millis ? [[id, value]] : [])));
}

/** `seq` of the newest event of the task that the feed told of lately. */
export function lastSeqSeen(taskId: string): number | null {
  return tasks.get(taskId)?.value.lastSeq ?? null;
}

export function rememberTask(task: TaskRecord, now: number): void {
  // Deleted first, so that the map stays ordered by age.
  tasks.delete(task.taskId);
  tasks.set(task.taskId, { value: task, at: now });
}

export function rememberQuestion(question: ListedQuestion, now: number): void {
  questions.delete(question.questionId);
  questions.set(question.questionId, { value: question, at: now });
}

export function forgetOld(now: number): void {
  for (const map of [tasks, questions]) {
    for (const [id, { at }] of map) {
      if (at + keepMillis > now) break;
      map.delete(id);
    }
  }
}

/** Nothing the feed said holds any more, for example after a reset. */
export function forgetAll(): void {
  tasks.clear();
  questions.clear();
}
