import type { EventQuery } from "../core/durable-task-store.ts";
import type { TaskPayload, TaskRecord } from "../core/task.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { QuestionData } from "../core/task-question.ts";

/** A task as it is committed, kept in memory because it was written a short while ago. */
export interface HotTask {
  record: TaskRecord;
  /** All open questions, and those of the resolved ones that are known. */
  questions: Map<string, QuestionData>;
  /** Whether `questions` has every question of the task. */
  hasAllQuestions: boolean;
  /** The newest events, without gaps, up to `record.lastSeq`. */
  events: TaskEvent[];
  /** Null when it is not known or too large to keep. */
  payload: TaskPayload | null;
  /** Roughly what it takes in memory. */
  bytes: number;
}

/** What a commit did to one task. */
export interface HotTaskChange {
  record: TaskRecord;
  created: boolean;
  questions: ReadonlyMap<string, QuestionData>;
  events: TaskEvent[];
  /** Null when it did not change. */
  payload: Partial<TaskPayload> | null;
  payloadChars: number;
  /** Characters written besides the payload. */
  chars: number;
}

const maxEvents = 600;
const maxQuestions = 200;
const maxPayloadChars = 64 * 1024;
const maxTaskBytes = 1024 * 1024;
const emptyTaskBytes = 2000;

/**
 * The tasks written last, so that most commands and most reads of running tasks need no query.
 * Possible because one process owns the database. Only commits fill it: what it holds is what the
 * database holds. Least recently used tasks leave when it grows over its limit.
 */
export class HotTasks {
  readonly #tasks = new Map<string, HotTask>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  get(taskId: string): HotTask | undefined {
    const hot = this.#tasks.get(taskId);
    if (hot) {
      // A Map keeps the order of insertion: the first key is the least recently used one.
      this.#tasks.delete(taskId);
      this.#tasks.set(taskId, hot);
    }
    return hot;
  }

  /** Adds a task the writer loaded: its record and its open questions. */
  load(record: TaskRecord, openQuestions: QuestionData[]): HotTask {
    const questions = new Map(openQuestions.map((question) => [question.questionId, question]));
    const bytes = emptyTaskBytes + openQuestions.length * 1000;
    const hot = { record, questions, hasAllQuestions: false, events: [], payload: null, bytes };
    this.#put(record.taskId, hot);
    return hot;
  }

  /** Takes over what was committed. */
  apply(change: HotTaskChange): void {
    const { record, created } = change;
    const hot = this.#tasks.get(record.taskId) ?? (created ? newHotTask(record) : null);
    if (!hot) return;
    const before = hot.bytes;
    hot.record = record;
    for (const [questionId, question] of change.questions) hot.questions.set(questionId, question);
    if (hot.questions.size > maxQuestions) forgetResolved(hot);
    for (const event of change.events) hot.events.push(event);
    hot.bytes += change.chars * 2 + change.events.length * 200;
    if (change.payload) applyPayload(hot, change);
    if (hot.events.length > maxEvents || hot.bytes > maxTaskBytes) shrink(hot);
    this.#bytes -= this.#tasks.has(record.taskId) ? before : 0;
    this.#put(record.taskId, hot, false);
  }

  delete(taskId: string): void {
    this.#bytes -= this.#tasks.get(taskId)?.bytes ?? 0;
    this.#tasks.delete(taskId);
  }

  clear(): void {
    this.#tasks.clear();
    this.#bytes = 0;
  }

  #put(taskId: string, hot: HotTask, isNew = true): void {
    if (isNew) this.#bytes -= this.#tasks.get(taskId)?.bytes ?? 0;
    this.#tasks.delete(taskId);
    this.#tasks.set(taskId, hot);
    this.#bytes += hot.bytes;
    for (const [oldest, { bytes }] of this.#tasks) {
      if (this.#bytes <= this.#maxBytes || oldest === taskId) break;
      this.#tasks.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

/** The answer to a query from the events in memory; null when they do not reach back far enough. */
export function eventsInMemory(hot: HotTask, query: EventQuery): TaskEvent[] | null {
  const { events, record } = hot;
  const { afterSeq = 0, untilSeq = record.lastSeq, afterTimestamp, kinds, limit } = query;
  const firstSeq = events[0]?.seq ?? record.lastSeq + 1;
  const reachesSeq = afterSeq >= firstSeq - 1;
  const reachesTime = afterTimestamp !== undefined && (events[0]?.at ?? "~") <= afterTimestamp;
  if (!reachesSeq && !reachesTime) return null;
  const from = Math.max(0, afterSeq - firstSeq + 1);
  const found: TaskEvent[] = [];
  for (let i = from; i < events.length && (limit === undefined || found.length < limit); i += 1) {
    const event = events[i] as TaskEvent;
    if (event.seq > untilSeq) break;
    if (afterTimestamp !== undefined && event.at <= afterTimestamp) continue;
    if (!kinds || kinds.includes(event.kind)) found.push(event);
  }
  return found;
}

function newHotTask(record: TaskRecord): HotTask {
  return {
    record,
    questions: new Map(),
    hasAllQuestions: true,
    events: [],
    payload: null,
    bytes: emptyTaskBytes,
  };
}

function applyPayload(hot: HotTask, { payload, payloadChars, created }: HotTaskChange): void {
  const known = created ? { params: null, result: null, error: null } : hot.payload;
  hot.payload = known && payloadChars <= maxPayloadChars ? { ...known, ...payload } : null;
  hot.bytes += payloadChars * 2;
}

function forgetResolved(hot: HotTask): void {
  for (const [questionId, { outcome }] of hot.questions) {
    if (outcome !== null) hot.questions.delete(questionId);
  }
  hot.hasAllQuestions = false;
}

/** Keeps the newer half of the events, or less of large ones. */
function shrink(hot: HotTask): void {
  const had = hot.events.length;
  const keep = hot.bytes > maxTaskBytes ? Math.min(50, had >> 1) : maxEvents >> 1;
  hot.events = hot.events.slice(had - keep);
  hot.bytes = emptyTaskBytes + Math.round((hot.bytes * keep) / Math.max(1, had));
}
