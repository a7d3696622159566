import type { Actor } from "./actor.ts";
import { isDriverWorker } from "./driver.ts";
import type { TaskEvent } from "./task-event.ts";
import type { QuestionData } from "./task-question.ts";
import { type UpdateLevel, updateLevels } from "./task-update.ts";
import { secondsBetween, type Timestamp } from "./timestamp.ts";

/** How much an entry of a timeline matters, by the levels of updates. */
function eventLevel(event: TaskEvent): UpdateLevel {
  switch (event.kind) {
    case "update":
      return event.level;
    case "question_seen":
    case "question_claimed":
    case "question_released":
      return "debug";
    case "attempt_interrupted":
    case "cancel_requested":
      return "warning";
    case "step_failed":
    case "attempt_failed":
      return "error";
    case "question_resolved":
      if (event.outcome === "declined") return "warning";
      if (event.outcome === "timed_out") return event.defaultUsed ? "warning" : "error";
      return "info";
    case "task_finished":
      return event.status === "failed" ? "error" : "info";
    default:
      return "info";
  }
}

/** True for what matters at least as much as a level. */
export function isAtLeast(event: TaskEvent, least: UpdateLevel): boolean {
  return updateLevels.indexOf(eventLevel(event)) >= updateLevels.indexOf(least);
}

/**
 * An entry of a timeline in plain text, whole: for files, the clipboard, and finding it.
 *
 * @param question the one the entry is about, which has the whole prompt and the answer.
 */
export function eventText(event: TaskEvent, question: QuestionData | null = null): string {
  switch (event.kind) {
    case "task_created":
      return `Started by ${byText(event.actor)}`;
    case "attempt_started":
      if (isDriverWorker(event.workerId)) return "A program outside drives it";
      if (event.reason === "start") return "A worker took it";
      return `${event.reason === "retry" ? "Tried again" : "Resumed"}: attempt ${event.attempt}`;
    case "attempt_interrupted":
      return `Attempt ${event.attempt} was interrupted: ${event.reason}`;
    case "attempt_released":
      return `Attempt ${event.attempt} was released by its worker`;
    case "attempt_parked":
      return "Parked: no worker is held while it waits";
    case "attempt_failed":
      return `Attempt ${event.attempt} failed, next try at ${event.retryAt}: ${event.error}`;
    case "update":
      return event.message;
    case "step_completed":
      return `Step ${event.name} done in ${secondsText(event.startedAt, event.at)}`;
    case "step_failed":
      return `Step ${event.name} failed after ${secondsText(event.startedAt, event.at)}: ${event.error}`;
    case "question_opened":
      return `Asked: ${question?.prompt ?? event.prompt}`;
    case "question_resolved":
      return resolvedText(event, question);
    case "approval_given":
      return (
        `${event.edited ? "Edited and approved" : "Approved"} by ${byText(event.actor)}: ` +
        `${event.given} of ${event.needed}`
      );
    case "question_seen":
      return `Seen by ${byText(event.actor)}`;
    case "question_claimed":
      return event.takenFrom === null
        ? `${event.actor.name} is on it`
        : `${event.actor.name} took it over from ${event.takenFrom.name}`;
    case "question_released":
      return `${event.actor.name} is no longer on it`;
    case "cancel_requested":
      return `Cancel requested by ${byText(event.actor)}${suffix(event.reason)}`;
    case "task_finished":
      return `${outcomeNames[event.status]}${event.forced ? " by force" : ""}${suffix(event.error)}`;
  }
}

const outcomeNames = { completed: "Completed", failed: "Failed", cancelled: "Cancelled" } as const;

const resolutions = {
  answered: "Answered",
  declined: "Declined",
  timed_out: "Timed out",
  cancelled: "Question closed",
} as const;

function resolvedText(
  { outcome, actor, defaultUsed, at }: Extract<TaskEvent, { kind: "question_resolved" }>,
  question: QuestionData | null,
): string {
  const by = actor === null ? "" : ` by ${byText(actor)}`;
  const after = question === null ? "" : ` after ${secondsText(question.askedAt, at)}`;
  return `${resolutions[outcome]}${by}${after}${suffix(saidOf(question, defaultUsed))}`;
}

function saidOf(question: QuestionData | null, defaultUsed: boolean): string | null {
  if (question === null) return null;
  if (defaultUsed) return `the default ${valueText(question.defaultValue)}`;
  return question.outcome === "answered" ? valueText(question.answer) : question.declineReason;
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function byText({ name, surface }: Actor): string {
  return `${name} over ${surface}`;
}

function suffix(text: string | null): string {
  return text === null || text === "" ? "" : `: ${text}`;
}

function secondsText(from: Timestamp, to: Timestamp): string {
  return `${Math.max(0, secondsBetween(from, to)).toFixed(3)} s`;
}

/** A line (or more, indented) of a timeline as a text file: moment, level, text. */
export function eventLine(event: TaskEvent, question: QuestionData | null): string {
  const level = eventLevel(event).toUpperCase().padEnd(7);
  const text = eventText(event, question).replace(/\r\n?|\n/g, "\n    ");
  return `${event.at} #${event.seq} ${level} ${text}\n`;
}

/** Whether the text is in what an entry says, in upper or lower case. */
export function hasText(
  event: TaskEvent,
  questions: ReadonlyMap<string, QuestionData>,
  text: string,
): boolean {
  const question = "questionId" in event ? (questions.get(event.questionId) ?? null) : null;
  return eventText(event, question).toLowerCase().includes(text.toLowerCase());
}

export function questionsById(questions: readonly QuestionData[]): Map<string, QuestionData> {
  return new Map(questions.map((question) => [question.questionId, question]));
}
