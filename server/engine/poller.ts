import { withoutOldClaim } from "../core/claim.ts";
import type { Clock } from "../core/clock.ts";
import { formatCursor, parseSince, type Since } from "../core/cursor.ts";
import type { DurableTaskStore, EventQuery } from "../core/durable-task-store.ts";
import { InvalidCursor, InvalidInput, TaskNotFound } from "../core/errors.ts";
import { PollResponse } from "../core/poll-response.ts";
import type { Progress, TaskRecord } from "../core/task.ts";
import { newsKinds, type TaskEvent, type TaskEventKind } from "../core/task-event.ts";
import { type QuestionData, TaskQuestion } from "../core/task-question.ts";
import { isTerminal } from "../core/task-status.ts";
import { toTaskResult, toTaskUpdate } from "../core/task-views.ts";
import {
  type EpochMicros,
  microsPerSecond,
  parseTimestamp,
  toTimestamp,
} from "../core/timestamp.ts";
import type { ChangeHub } from "./change-hub.ts";

/** What a poll waits for. */
export type WaitFor = "news" | "input_or_result";

export interface PollOptions {
  /** A cursor of an earlier response, or an ISO timestamp; the beginning when not given. */
  since?: string | null;
  /** Seconds to wait for news at most; 30 when not given. */
  timeout?: number;
  /** `input_or_result` sleeps through updates, and returns them with what it waited for. */
  waitFor?: WaitFor;
  /** The most events in a response; all when not given. */
  limit?: number;
  /** Ends the wait: the poll then rejects with the signal's reason. */
  signal?: AbortSignal;
  notice?: string | null;
}

// A burst of updates is gathered into one response: until the newest is this old, and no longer
// in all than the second figure.
const gatherQuietSeconds = 0.005;
const gatherMostSeconds = 0.025;

// When a question or the end is being committed already, a response that waits for it, for at most
// so long, has that as well: a slow disk must not cost the caller another poll.
const gatherDecisionSeconds = 1;

// A question that has been open for longer than the first is held back for at most the second, so
// that a caller who polls without a cursor while somebody else answers does not spin.
const freshQuestionSeconds = 1;
const heldQuestionSeconds = 2;

const closingSeconds = 0.5;

const inputKinds: readonly TaskEventKind[] = [
  "question_opened",
  "question_resolved",
  "task_finished",
];

type Verdict = "nothing" | "old_question" | "news" | "decisive";

/** What one look at the store found. */
interface Look {
  task: TaskRecord;
  openQuestions: QuestionData[];
  /** Events after `since` that belong into the response; null when they were not needed yet. */
  events: TaskEvent[] | null;
  verdict: Verdict;
}

/** Answers long polls. */
export class Poller {
  readonly #store: DurableTaskStore;
  readonly #clock: Clock;
  readonly #hub: ChangeHub;
  readonly #progressOf: (taskId: string) => Progress | null;
  readonly #isDecisionUnderWay: (taskId: string) => boolean;
  readonly #waiting = new Set<() => void>();
  #closedAt: EpochMicros | null = null;
  #answersWaiting = false;

  constructor(options: {
    store: DurableTaskStore;
    clock: Clock;
    hub: ChangeHub;
    progressOf: (taskId: string) => Progress | null;
    isDecisionUnderWay?: (taskId: string) => boolean;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#hub = options.hub;
    this.#progressOf = options.progressOf;
    this.#isDecisionUnderWay = options.isDecisionUnderWay ?? (() => false);
  }

  /** Polls that wait now. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * From now on no poll waits for longer than half a second: those that wait see the end of their
   * task if it comes soon, and a caller that polls in a loop does not spin. With `atOnce` those that
   * wait now are answered now.
   */
  close({ atOnce }: { atOnce: boolean }): void {
    this.#closedAt ??= this.#clock.now();
    this.#answersWaiting = atOnce;
    for (const wake of [...this.#waiting]) wake();
  }

  async poll(taskId: string, options: PollOptions): Promise<PollResponse> {
    const { timeout = 30, signal } = options;
    if (!(timeout >= 0)) {
      throw new InvalidInput(`timeout is in seconds and at least 0, but this is ${timeout}.`);
    }
    if (options.limit !== undefined && !(Number.isInteger(options.limit) && options.limit > 0)) {
      throw new InvalidInput(`limit is a whole number from 1 on, but this is ${options.limit}.`);
    }
    const since = parseSince(taskId, options.since);
    const began = this.#clock.now();
    const holdUntil = began + heldQuestionSeconds * microsPerSecond;
    const bell = new Bell();
    // Listening starts before the first look, so that nothing falls in between. What changes
    // without an event, such as progress, wakes nobody.
    const endWatch = this.#hub.watchTask(taskId, (change) => {
      if (change.events.length === 0) return;
      bell.hasNews = true;
      bell.ring();
    });
    let changed = false;
    let isTimeUp = false;
    let stopTimer: (() => void) | null = null;
    // Its own timer and not the clock's difference: a clock that is set back makes no poll longer.
    const startTimer = () =>
      this.#clock.after(timeout, () => {
        isTimeUp = true;
        bell.ring();
      });
    try {
      for (;;) {
        signal?.throwIfAborted();
        bell.reset();
        const look = await this.#look(taskId, since, options);
        requireReached(look.task, since);
        const now = this.#clock.now();
        const deadline = this.#deadline(began, timeout);
        if (look.verdict === "decisive" || isTimeUp || now >= deadline) {
          return await this.#respond(look, since, options);
        }
        if (look.verdict === "news") {
          await this.#gather(look, deadline, bell, signal);
          return await this.#respond(await this.#look(taskId, since, options), since, options);
        }
        const isHeld = look.verdict === "old_question";
        if (isHeld && (changed || now >= holdUntil)) {
          return await this.#respond(look, since, options);
        }
        const until = isHeld ? Math.min(holdUntil, deadline) : deadline;
        // A poll may wait for ever (Infinity); such a wait has no timer.
        if (Number.isFinite(timeout)) stopTimer ??= startTimer();
        const isWhole = until === began + timeout * microsPerSecond;
        await this.#wait(bell, isWhole ? Number.POSITIVE_INFINITY : until, signal);
        if (this.#answersWaiting && !bell.hasNews) {
          // Thousands may be answered together now, so none looks again for what did not change.
          return await this.#respond(look, since, options);
        }
        changed ||= isHeld;
      }
    } finally {
      stopTimer?.();
      endWatch();
    }
  }

  async #look(taskId: string, since: Since, options: PollOptions): Promise<Look> {
    const task = await this.#store.getTask(taskId);
    if (!task) throw new TaskNotFound(`There is no task ${taskId}.`);
    const openQuestions = task.openQuestions > 0 ? await this.#store.getOpenQuestions(taskId) : [];
    if (options.waitFor === "input_or_result") {
      // Updates are read once there is something to answer with, however many pass by meanwhile.
      const verdict = await this.#judgeInput(task, since, openQuestions);
      return { task, openQuestions, events: null, verdict };
    }
    const events = await this.#readNews(task, since, options.limit);
    return {
      task,
      openQuestions,
      events,
      // A full page gains nothing from waiting for more.
      verdict:
        events.length > (options.limit ?? Number.POSITIVE_INFINITY)
          ? "decisive"
          : this.#judge(task, since, events, openQuestions),
    };
  }

  #deadline(began: EpochMicros, timeoutSeconds: number): EpochMicros {
    const asked = began + timeoutSeconds * microsPerSecond;
    if (this.#closedAt === null) return asked;
    return Math.min(asked, Math.max(this.#closedAt, began) + closingSeconds * microsPerSecond);
  }

  /** News after `since`, one more than `limit` when there are more. */
  async #readNews(task: TaskRecord, since: Since, limit?: number): Promise<TaskEvent[]> {
    const query: EventQuery = { untilSeq: task.lastSeq, kinds: newsKinds };
    if (since.kind === "cursor") {
      if (since.seq >= task.lastSeq) return [];
      query.afterSeq = since.seq;
    }
    if (since.kind === "timestamp") {
      query.afterTimestamp = since.at;
      query.kinds = ["update"];
    }
    if (limit !== undefined) query.limit = limit + 1;
    return await this.#store.readEvents(task.taskId, query);
  }

  async #judgeInput(
    task: TaskRecord,
    since: Since,
    openQuestions: QuestionData[],
  ): Promise<Verdict> {
    if (isTerminal(task.status)) return "decisive";
    if (since.kind !== "cursor") return this.#judgeQuestions(openQuestions);
    if (since.seq >= task.lastSeq) return "nothing";
    const query = { afterSeq: since.seq, untilSeq: task.lastSeq, kinds: inputKinds, limit: 1 };
    const found = await this.#store.readEvents(task.taskId, query);
    return found.length > 0 ? "decisive" : "nothing";
  }

  #judge(
    task: TaskRecord,
    since: Since,
    events: TaskEvent[],
    openQuestions: QuestionData[],
  ): Verdict {
    if (isTerminal(task.status)) return "decisive";
    if (since.kind === "cursor") {
      if (events.length === 0) return "nothing";
      return events.some((event) => event.kind !== "update") ? "decisive" : "news";
    }
    const questions = this.#judgeQuestions(openQuestions);
    if (questions === "decisive") return "decisive";
    return events.some((event) => event.kind === "update") ? "news" : questions;
  }

  #judgeQuestions(openQuestions: QuestionData[]): "decisive" | "old_question" | "nothing" {
    const newest = openQuestions.at(-1);
    if (!newest) return "nothing";
    const age = (this.#clock.now() - parseTimestamp(newest.askedAt)) / microsPerSecond;
    // Much younger than nothing: the clock was set back since, and will call it fresh for long.
    return Math.abs(age) <= freshQuestionSeconds ? "decisive" : "old_question";
  }

  /** Waits for the rest of a burst; a question or the end closes it at once. */
  async #gather(look: Look, deadline: number, bell: Bell, signal?: AbortSignal): Promise<void> {
    const began = this.#clock.now();
    const most = Math.min(deadline, began + gatherMostSeconds * microsPerSecond);
    const mostForDecision = Math.min(deadline, began + gatherDecisionSeconds * microsPerSecond);
    for (;;) {
      // Reset before the look, so that what happens after it rings; what happened since the
      // caller's own look is seen here.
      bell.reset();
      const task = await this.#store.getTask(look.task.taskId);
      if (!task || isTerminal(task.status) || task.openQuestions !== look.task.openQuestions)
        return;
      const now = this.#clock.now();
      const newest = parseTimestamp(task.lastEventAt);
      const quietFrom = Math.min(newest, now) + gatherQuietSeconds * microsPerSecond;
      const isDecisionUnderWay = this.#isDecisionUnderWay(look.task.taskId);
      const until = isDecisionUnderWay ? mostForDecision : Math.min(quietFrom, most);
      if (now >= until) return;
      await this.#wait(bell, until, signal);
    }
  }

  /** Until something rings the bell, or the time is up. */
  async #wait(bell: Bell, until: number, signal?: AbortSignal): Promise<void> {
    // It may have aborted during the look before, and does not say so twice.
    signal?.throwIfAborted();
    const ring = () => bell.ring();
    const left = (until - this.#clock.now()) / microsPerSecond;
    const stopTimer = Number.isFinite(left) ? this.#clock.after(Math.max(0, left), ring) : () => {};
    this.#waiting.add(ring);
    signal?.addEventListener("abort", ring, { once: true });
    try {
      await bell.rung();
      signal?.throwIfAborted();
    } finally {
      stopTimer();
      this.#waiting.delete(ring);
      signal?.removeEventListener("abort", ring);
    }
  }

  /** What this process knows is newer than what is stored; the pace is reckoned by the store. */
  #latestProgress({ taskId, progress }: TaskRecord): Progress | null {
    const unsaved = this.#progressOf(taskId);
    return unsaved && progress?.pace ? { ...unsaved, pace: progress.pace } : (unsaved ?? progress);
  }

  async #respond(look: Look, since: Since, options: PollOptions): Promise<PollResponse> {
    const { task, openQuestions } = look;
    const { taskId, status, lastSeq } = task;
    const { limit = Number.POSITIVE_INFINITY } = options;
    const found = look.events ?? (await this.#readNews(task, since, options.limit));
    const events = found.length > limit ? found.slice(0, limit) : found;
    const hasMore = found.length > limit;
    const now = toTimestamp(this.#clock.now());
    const open = openQuestions.map((data) => new TaskQuestion(withoutOldClaim(data, now)));
    const ended = isTerminal(status) && !hasMore;
    const payload = ended ? await this.#store.getPayload(taskId) : null;
    return new PollResponse({
      taskId,
      status,
      updates: events.flatMap(toTaskUpdate),
      pendingQuestions: hasMore ? [] : open,
      result: ended ? toTaskResult(task, payload) : null,
      cursor: formatCursor(taskId, hasMore ? (events.at(-1)?.seq ?? lastSeq) : lastSeq),
      hasMore,
      progress: this.#latestProgress(task),
      cancelRequested: task.cancelRequestedAt !== null,
      notice: options.notice ?? null,
    });
  }
}

/** @throws InvalidCursor for one that is ahead of the task: no response of it gave that. */
function requireReached({ taskId, lastSeq }: TaskRecord, since: Since): void {
  if (since.kind !== "cursor" || since.seq <= lastSeq) return;
  throw new InvalidCursor(
    `The cursor is ahead of ${taskId}, so no response of this task gave it. ` +
      "Pass the cursor of an earlier response, or leave since out.",
  );
}

/** Remembers a ring until somebody waits for it. */
class Bell {
  /** Whether something changed since the last reset. */
  hasNews = false;
  #rang = false;
  #onRing: (() => void) | null = null;

  ring(): void {
    this.#rang = true;
    this.#onRing?.();
  }

  reset(): void {
    this.hasNews = false;
    this.#rang = false;
  }

  rung(): Promise<void> {
    if (this.#rang) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onRing = () => {
        this.#onRing = null;
        resolve();
      };
    });
  }
}
