import type { Actor } from "@/server/core/actor.ts";
import { type Activity, activityOf, type TaskRecord } from "@/server/core/task.ts";
import type { AttemptReason, TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData, QuestionOutcome } from "@/server/core/task-question.ts";
import { isTerminal, type TerminalStatus } from "@/server/core/task-status.ts";
import type { UpdateLevel } from "@/server/core/task-update.ts";
import { secondsBetween, type Timestamp } from "@/server/core/timestamp.ts";

/**
 * What the task did between a row and the next: the thread of the timeline is drawn by it. `idle`:
 * no worker had it. `none`: it has ended.
 */
export type Rail = "idle" | "working" | "waiting" | "none";

type RowBody =
  | { kind: "created"; actor: Actor }
  | { kind: "attempt_started"; attempt: number; reason: AttemptReason }
  | { kind: "attempt_ended"; attempt: number; how: "failed"; error: string; retryAt: Timestamp }
  | { kind: "attempt_ended"; attempt: number; how: "interrupted"; error: string; retryAt: null }
  | {
      kind: "attempt_ended";
      attempt: number;
      how: "released" | "parked";
      error: null;
      retryAt: null;
    }
  | { kind: "update"; level: UpdateLevel; message: string }
  | { kind: "step"; name: string; seconds: number; error: string | null }
  | { kind: "asked"; questionId: string; prompt: string; question: QuestionData | null }
  | {
      kind: "resolved";
      questionId: string;
      outcome: QuestionOutcome;
      actor: Actor | null;
      defaultUsed: boolean;
      question: QuestionData | null;
      /** Seconds the question was open; null when it was asked before the loaded events. */
      afterSeconds: number | null;
    }
  | {
      kind: "approved";
      questionId: string;
      actor: Actor;
      given: number;
      needed: number;
      edited: boolean;
      dropped: number;
    }
  | { kind: "cancel_requested"; actor: Actor; reason: string | null }
  | { kind: "ended"; status: TerminalStatus; error: string | null; forced: boolean }
  /** The last row of a task that has not ended: what it is doing, and for how long by now. */
  | { kind: "now"; activity: Activity; seconds: number };

export type TimelineRow = RowBody & {
  /** The same for the same row at every call. */
  key: string;
  at: Timestamp;
  rail: Rail;
};

/** What a task's timeline shows: one row for every event that people need to see, then the present. */
export function timelineRows(
  task: TaskRecord,
  events: readonly TaskEvent[],
  questions: readonly QuestionData[],
  now: Timestamp,
): TimelineRow[] {
  const rows = pastRows(events, questions);
  const present = presentRow(task, now);
  return present === null ? rows : [...rows, present];
}

/** The rows of what has happened; they depend on no clock. */
export function pastRows(
  events: readonly TaskEvent[],
  questions: readonly QuestionData[],
): TimelineRow[] {
  const byId = new Map(questions.map((question) => [question.questionId, question]));
  const state = stateBefore(events[0], questions);
  const rows: TimelineRow[] = [];
  for (const event of events) {
    follow(state, event);
    const body = bodyOf(event, byId);
    if (body !== null)
      rows.push({ ...body, key: `e${event.seq}`, at: event.at, rail: railOf(state) });
    else {
      // An event without a row of its own still changes how the thread goes on from the row before.
      const last = rows.at(-1);
      if (last) last.rail = railOf(state);
    }
  }
  return rows;
}

/** The row of the present; null for a task that has ended. */
export function presentRow(task: TaskRecord, now: Timestamp): TimelineRow | null {
  if (isTerminal(task.status)) return null;
  const since = task.clockSince ?? task.lastEventAt;
  return {
    kind: "now",
    key: "now",
    at: since,
    rail: "none",
    activity: activityOf(task, now),
    seconds: Math.max(0, secondsBetween(since, now)),
  };
}

interface ThreadState {
  isHeld: boolean;
  open: Set<string>;
  hasEnded: boolean;
}

// The loaded events may begin in the middle of a task's life.
function stateBefore(
  first: TaskEvent | undefined,
  questions: readonly QuestionData[],
): ThreadState {
  const open = questions.filter(
    ({ askedAt, resolvedAt }) =>
      first !== undefined && askedAt < first.at && (resolvedAt === null || resolvedAt >= first.at),
  );
  return {
    isHeld: first !== undefined && first.seq > 1,
    open: new Set(open.map(({ questionId }) => questionId)),
    hasEnded: false,
  };
}

function follow(state: ThreadState, event: TaskEvent): void {
  switch (event.kind) {
    case "attempt_started":
      state.isHeld = true;
      break;
    case "attempt_failed":
    case "attempt_interrupted":
    case "attempt_released":
    case "attempt_parked":
      state.isHeld = false;
      break;
    case "question_opened":
      state.open.add(event.questionId);
      break;
    case "question_resolved":
      state.open.delete(event.questionId);
      break;
    case "task_finished":
      state.hasEnded = true;
      break;
  }
}

function railOf({ hasEnded, open, isHeld }: ThreadState): Rail {
  if (hasEnded) return "none";
  if (open.size > 0) return "waiting";
  return isHeld ? "working" : "idle";
}

function bodyOf(event: TaskEvent, questions: ReadonlyMap<string, QuestionData>): RowBody | null {
  switch (event.kind) {
    case "task_created":
      return { kind: "created", actor: event.actor };
    case "attempt_started":
      return { kind: "attempt_started", attempt: event.attempt, reason: event.reason };
    case "attempt_failed": {
      const { attempt, error, retryAt } = event;
      return { kind: "attempt_ended", attempt, how: "failed", error, retryAt };
    }
    case "attempt_interrupted": {
      const { attempt, reason } = event;
      return { kind: "attempt_ended", attempt, how: "interrupted", error: reason, retryAt: null };
    }
    case "attempt_released":
    case "attempt_parked": {
      const { kind, attempt } = event;
      const how = kind === "attempt_parked" ? "parked" : "released";
      return { kind: "attempt_ended", attempt, how, error: null, retryAt: null };
    }
    case "update":
      return { kind: "update", level: event.level, message: event.message };
    case "step_completed":
    case "step_failed":
      return {
        kind: "step",
        name: event.name,
        seconds: Math.max(0, secondsBetween(event.startedAt, event.at)),
        error: event.kind === "step_failed" ? event.error : null,
      };
    case "question_opened": {
      const question = questions.get(event.questionId) ?? null;
      return {
        kind: "asked",
        questionId: event.questionId,
        // The event holds the beginning only.
        prompt: question?.prompt ?? event.prompt,
        question,
      };
    }
    case "question_resolved": {
      const { questionId, outcome, actor, defaultUsed } = event;
      const question = questions.get(questionId) ?? null;
      const afterSeconds = question === null ? null : secondsBetween(question.askedAt, event.at);
      return { kind: "resolved", questionId, outcome, actor, defaultUsed, question, afterSeconds };
    }
    case "approval_given": {
      const { questionId, actor, given, needed, edited, dropped } = event;
      return { kind: "approved", questionId, actor, given, needed, edited, dropped };
    }
    case "question_seen":
    case "question_claimed":
    case "question_released":
      return null;
    case "cancel_requested":
      return { kind: "cancel_requested", actor: event.actor, reason: event.reason };
    case "task_finished": {
      const { status, error, forced } = event;
      return { kind: "ended", status, error, forced };
    }
  }
}
