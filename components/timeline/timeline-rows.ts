import type { Actor } from "@/server/core/actor.ts";
import { isDriverWorker } from "@/server/core/driver.ts";
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
  | {
      kind: "attempt_started";
      attempt: number;
      reason: AttemptReason;
      /** A program outside runs it, and no worker. */
      isDriven: boolean;
    }
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
  /** Somebody saw the question, is seeing to it, or no longer is. */
  | { kind: "seen" | "released"; actor: Actor }
  | { kind: "claimed"; actor: Actor; takenFrom: Actor | null }
  | { kind: "cancel_requested"; actor: Actor; reason: string | null }
  | { kind: "ended"; status: TerminalStatus; error: string | null; forced: boolean }
  /** The last row of a task that has not ended: what it is doing, and for how long by now. */
  | { kind: "now"; activity: Activity; seconds: number };

export type TimelineRow = RowBody & { at: Timestamp; rail: Rail };
export type PastRow = Exclude<TimelineRow, { kind: "now" }>;

/**
 * What the timeline shows of an event.
 *
 * @param question the one the event is about, if it is about one that is known.
 */
export function rowOf(event: TaskEvent, question: QuestionData | null, rail: Rail): PastRow {
  return { ...bodyOf(event, question), at: event.at, rail };
}

/** The row of the present; null for a task that has ended. */
export function presentRow(task: TaskRecord, now: Timestamp): TimelineRow | null {
  if (isTerminal(task.status)) return null;
  const since = task.clockSince ?? task.lastEventAt;
  return {
    kind: "now",
    at: since,
    rail: "none",
    activity: activityOf(task, now),
    seconds: Math.max(0, secondsBetween(since, now)),
  };
}

function bodyOf(
  event: TaskEvent,
  question: QuestionData | null,
): Exclude<RowBody, { kind: "now" }> {
  switch (event.kind) {
    case "task_created":
      return { kind: "created", actor: event.actor };
    case "attempt_started": {
      const { attempt, reason, workerId } = event;
      return { kind: "attempt_started", attempt, reason, isDriven: isDriverWorker(workerId) };
    }
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
    case "question_opened":
      return {
        kind: "asked",
        questionId: event.questionId,
        // The event holds the beginning only.
        prompt: question?.prompt ?? event.prompt,
        question,
      };
    case "question_resolved": {
      const { questionId, outcome, actor, defaultUsed } = event;
      const afterSeconds = question === null ? null : secondsBetween(question.askedAt, event.at);
      return { kind: "resolved", questionId, outcome, actor, defaultUsed, question, afterSeconds };
    }
    case "approval_given": {
      const { questionId, actor, given, needed, edited, dropped } = event;
      return { kind: "approved", questionId, actor, given, needed, edited, dropped };
    }
    case "question_seen":
      return { kind: "seen", actor: event.actor };
    case "question_claimed":
      return { kind: "claimed", actor: event.actor, takenFrom: event.takenFrom };
    case "question_released":
      return { kind: "released", actor: event.actor };
    case "cancel_requested":
      return { kind: "cancel_requested", actor: event.actor, reason: event.reason };
    case "task_finished": {
      const { status, error, forced } = event;
      return { kind: "ended", status, error, forced };
    }
  }
}
