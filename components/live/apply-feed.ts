import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { TaskRecord } from "@/server/core/task.ts";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import type { TaskFilters } from "../tasks/task-filters.ts";
import { addEvents, hasGap, type LoadedEvents, loadLater } from "../timeline/timeline-events.ts";
import { applyToRelatives } from "./apply-relatives.ts";
import type { FeedMessage } from "./feed-message.ts";
import {
  type ListedQuestion,
  mergeQuestionPages,
  mergeTaskPages,
  putQuestion,
} from "./merge-pages.ts";
import { forgetAll, forgetOld, isTaskCurrent, rememberQuestion, rememberTask } from "./newest.ts";

/** The latest of every record in one batch of messages. */
export interface FeedBatch {
  tasks: Map<string, TaskRecord>;
  questions: Map<string, ListedQuestion>;
  events: Map<string, TaskEvent[]>;
  /** Tasks whose params, result or error have to be fetched. */
  finished: Set<string>;
}

type Pages<Item> = InfiniteData<{ items: Item[]; nextCursor: string | null }, string | null>;
type TaskDetail = { task: TaskRecord; questions: QuestionData[] };

/**
 * Brings every cached query to what the feed said, in one go, so that a page renders once per
 * batch however many events it held.
 */
export function applyFeed(
  client: QueryClient,
  messages: readonly FeedMessage[],
  onCountsChanged: () => void,
): void {
  const lastReset = messages.findLastIndex(({ kind }) => kind === "reset");
  if (lastReset >= 0) {
    forgetAll();
    void client.invalidateQueries();
  }
  const batch = gather(messages.slice(lastReset + 1));
  const now = Date.now();
  for (const task of batch.tasks.values()) rememberTask(task, now);
  for (const question of batch.questions.values()) rememberQuestion(question, now);
  forgetOld(now);
  updateLists(client, batch);
  applyToRelatives(client, batch.tasks);
  if (changesCounts(batch)) onCountsChanged();
  for (const task of batch.tasks.values()) updateTask(client, batch, task);
}

function gather(messages: readonly FeedMessage[]): FeedBatch {
  const batch: FeedBatch = {
    tasks: new Map(),
    questions: new Map(),
    events: new Map(),
    finished: new Set(),
  };
  for (const message of messages) {
    if (message.kind === "reset") continue;
    const { task } = message;
    const known = batch.tasks.get(task.taskId);
    if (!known || isTaskCurrent(task, known)) batch.tasks.set(task.taskId, task);
    if (message.kind !== "event") continue;
    const { event, question } = message;
    const events = batch.events.get(task.taskId);
    if (events) events.push(event);
    else batch.events.set(task.taskId, [event]);
    if (event.kind === "task_finished") batch.finished.add(task.taskId);
    if (question) {
      const { type, status } = task;
      batch.questions.set(question.questionId, { ...question, taskType: type, taskStatus: status });
    }
  }
  return batch;
}

function updateLists(client: QueryClient, batch: FeedBatch): void {
  for (const [key, pages] of client.getQueriesData<Pages<TaskRecord>>({ queryKey: ["tasks"] })) {
    if (!pages) continue;
    const filters = key[1] as TaskFilters;
    const merged = mergeTaskPages(pages.pages, filters, batch.tasks);
    if (merged !== pages.pages) client.setQueryData(key, { ...pages, pages: merged });
  }
  if (batch.questions.size > 0) {
    client.setQueryData<Pages<ListedQuestion>>(["questions", "open"], (pages) => {
      if (!pages) return pages;
      const merged = mergeQuestionPages(pages.pages, batch.questions);
      return merged === pages.pages ? pages : { ...pages, pages: merged };
    });
    for (const question of batch.questions.values()) {
      const key = ["question", question.questionId];
      client.setQueryData(key, (old: object | undefined) => old && { ...old, ...question });
    }
  }
}

// What the counts show; an update or a progress changes none of them.
const counted: ReadonlySet<TaskEvent["kind"]> = new Set([
  "task_created",
  "attempt_started",
  "attempt_failed",
  "question_opened",
  "question_resolved",
  "task_finished",
]);

function changesCounts(batch: FeedBatch): boolean {
  for (const events of batch.events.values()) {
    if (events.some(({ kind }) => counted.has(kind))) return true;
  }
  return false;
}

function updateTask(client: QueryClient, batch: FeedBatch, task: TaskRecord): void {
  const { taskId } = task;
  const changed = [...batch.questions.values()].filter((question) => question.taskId === taskId);
  client.setQueryData<TaskDetail>(["task", taskId], (detail) => {
    if (!detail) return detail;
    const questions = changed.reduce(putQuestion, detail.questions);
    if (!isTaskCurrent(task, detail.task)) return { ...detail, questions };
    return { ...detail, task, questions };
  });
  if (batch.finished.has(taskId)) void client.invalidateQueries({ queryKey: ["task", taskId] });

  const added = batch.events.get(taskId);
  const loaded = client.getQueryData<LoadedEvents>(["events", taskId]);
  if (!added || !loaded) return;
  const next = addEvents(loaded, added);
  if (next !== loaded) client.setQueryData(["events", taskId], next);
  if (hasGap(next, added)) {
    void loadLater(taskId, next).then((all) =>
      client.setQueryData<LoadedEvents>(["events", taskId], (now) =>
        now ? addEvents(now, all.events) : now,
      ),
    );
  }
}
