import type { Actor } from "@/server/core/actor.ts";
import type { JsonValue } from "@/server/core/json.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { clockText, durationText, millisOf } from "../time/time-text.ts";
import { approvedText, approversText } from "./approval-text.ts";
import type { Said } from "./outbox.ts";

/** Seconds from now to the deadline, 0 once it has passed. Computed, never counted down. */
function secondsLeft(question: Pick<QuestionData, "deadline">, nowMillis: number): number {
  return Math.max(0, (millisOf(question.deadline) - nowMillis) / 1000);
}

/** How pressing a deadline is: `soon` in its last fifth, or its last two minutes if shorter. */
export function urgencyOf(
  question: Pick<QuestionData, "deadline" | "timeout">,
  nowMillis: number,
): "calm" | "soon" | "due" {
  const left = secondsLeft(question, nowMillis);
  if (left === 0) return "due";
  return left < Math.min(question.timeout / 5, 120) ? "soon" : "calm";
}

/** `4 m 12 s left`; once the deadline has passed, `deadline passed`. */
export function countdownText(question: Pick<QuestionData, "deadline">, nowMillis: number): string {
  const left = secondsLeft(question, nowMillis);
  return left === 0 ? "deadline passed" : `${clockText(Math.ceil(left))} left`;
}

/** The same where room is short: `4 m 12 s`, `due`. */
export function leftText(question: Pick<QuestionData, "deadline">, nowMillis: number): string {
  const left = secondsLeft(question, nowMillis);
  return left === 0 ? "due" : clockText(Math.ceil(left));
}

/** How a question ended, in a line of a list: `yes · Ada`. */
export function outcomeInShort(question: QuestionData): string {
  const { outcome, resolvedBy } = question;
  const how =
    outcome === "answered"
      ? (saidText(question) ?? "answered")
      : outcome === "timed_out"
        ? question.defaultUsed
          ? "timed out, the default was used"
          : "timed out"
        : outcome === "declined"
          ? "declined"
          : "closed with its task";
  return resolvedBy === null ? how : `${how} · ${resolvedBy.name}`;
}

/** What the deadline does: the default is used, or the handler gets a timeout. */
export function deadlineConsequence(
  question: Pick<QuestionData, "hasDefault" | "defaultValue" | "choices">,
): string {
  if (!question.hasDefault) return "the task gets a timeout instead of an answer";
  return `the default is used: ${answerText(question, question.defaultValue)}`;
}

/** What somebody has just said, in a few words: `Answer: yes`. */
export function saidInShort(question: QuestionData, said: Said): string {
  if (said.kind === "decline") return "Declined";
  if (question.secret) return "Answer: a secret";
  if (question.approval) return `Approved: ${question.approval.action}`;
  return `Answer: ${answerText(question, said.answer).slice(0, 80)}`;
}

const maxAnswerLength = 200;

/** An answer in one line, with the labels of choices instead of their values. */
export function answerText(question: Pick<QuestionData, "choices">, answer: JsonValue): string {
  const label = (value: JsonValue) =>
    question.choices?.find((choice) => choice.value === value)?.label ?? plain(value);
  const text = Array.isArray(answer) ? answer.map(label).join(", ") || "nothing" : label(answer);
  return text.length > maxAnswerLength ? `${text.slice(0, maxAnswerLength)}…` : text;
}

/** What was said with a question's outcome: the answer, the default, or why it was declined. */
export function saidText(question: QuestionData): string | null {
  const { outcome, approval, answer, defaultUsed, defaultValue, declineReason } = question;
  if (outcome === "answered")
    return approval ? approvedText(approval) : answerText(question, answer);
  return defaultUsed ? answerText(question, defaultValue) : declineReason;
}

function plain(value: JsonValue): string {
  return typeof value === "string" ? value || "(empty text)" : JSON.stringify(value);
}

/** How a question ended, in a few words: `Answered by Ada over dashboard after 42 s`. */
export function outcomeText(question: QuestionData): string {
  const { outcome, resolvedBy } = question;
  switch (outcome) {
    case "answered":
      if (question.approval)
        return `Approved by ${approversText(question.approval)}${afterText(question)}`;
      return `Answered${byText(resolvedBy)}${afterText(question)}`;
    case "declined":
      return `Declined${byText(resolvedBy)}${afterText(question)}`;
    case "timed_out":
      return question.defaultUsed
        ? `Timed out${afterText(question)}; the default was used`
        : `Timed out${afterText(question)}; nobody answered`;
    case "cancelled":
      return `Closed${byText(resolvedBy)}${afterText(question)}, because the task was cancelled or ended`;
    default:
      return "Open";
  }
}

/** Who, and over which surface: ` by the operator over dashboard`. */
function byText(actor: Actor | null): string {
  return actor === null ? "" : ` by ${actorText(actor)}`;
}

const surfaceNames: Partial<Record<Actor["surface"], string>> = {
  dashboard: "in the dashboard",
  trpc: "over tRPC",
  rest: "over REST",
  mcp: "over MCP",
  "agent-tools": "with an agent tool",
  cli: "on the command line",
  library: "in process",
};

/** A name and the surface it came over: `operator in the dashboard`. */
export function actorText(actor: Actor): string {
  const surface = surfaceNames[actor.surface];
  return surface === undefined ? actor.name : `${actor.name} ${surface}`;
}

function afterText({ askedAt, resolvedAt }: QuestionData): string {
  return resolvedAt === null
    ? ""
    : ` after ${durationText((millisOf(resolvedAt) - millisOf(askedAt)) / 1000)}`;
}

/** Who may answer, when not everybody may. */
export function answerableByText(question: Pick<QuestionData, "answerableBy">): string {
  return question.answerableBy === "operator" ? "people only" : "people or agents";
}
