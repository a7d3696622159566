// biome-ignore-all lint/suspicious/noUnsafeDeclarationMerging: TaskQuestion's constructor assigns every field of QuestionData
import type { Actor } from "./actor.ts";
import type { Approval } from "./approval.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { randomId, systemClock } from "./system-clock.ts";
import { addSeconds, type Timestamp, toTimestamp } from "./timestamp.ts";

export const questionOutcomes = ["answered", "declined", "timed_out", "cancelled"] as const;
/** How a question ended. It ends once, and never changes after. */
export type QuestionOutcome = (typeof questionOutcomes)[number];

/** One of the answers a question offers. */
export interface Choice {
  /** What the handler receives. */
  value: string;
  /** What people see. */
  label: string;
  description?: string;
}

/** Whether agents may answer, or only a signed-in human. */
export type AnswerableBy = "anyone" | "operator";

export const urgencies = ["low", "normal", "high"] as const;
/** How much a question presses: what the inbox shows first, and who is disturbed for it. */
export type Urgency = (typeof urgencies)[number];

/** Whether this actor may answer or decline the question at all. */
export function mayAnswer(
  { answerableBy }: Pick<QuestionData, "answerableBy">,
  actor: Actor | null,
): boolean {
  return answerableBy === "anyone" || actor?.kind === "operator";
}

/** Seconds a question stays open when the handler names no timeout. */
export const defaultQuestionTimeout = 300;

/** Everything stored about a question: plain data, the same in every store. */
export interface QuestionData {
  questionId: string;
  taskId: string;
  /** Which call of the handler asked: its explicit key, or `#n` for the n-th call without one. */
  key: string;
  prompt: string;
  /** Seconds from `askedAt` to `deadline`. */
  timeout: number;
  askedAt: Timestamp;
  /** An answer counts only before this moment. */
  deadline: Timestamp;
  choices: Choice[] | null;
  /** With `choices`: the answer is a list of values. */
  multiple: boolean;
  /** JSON Schema the answer must fit; null means any text, or one of the choices. */
  schema: JsonObject | null;
  answerableBy: AnswerableBy;
  urgency: Urgency;
  /** The answer is a secret: it reads `•••` here and everywhere but in the handler. */
  secret: boolean;
  /** Whether a timeout yields `defaultValue` instead of failing. */
  hasDefault: boolean;
  defaultValue: JsonValue;
  /** Free data of the handler's for whoever shows the question. */
  context: JsonValue;
  outcome: QuestionOutcome | null;
  /** The answer, `•••` for a secret one; null unless the outcome is `answered`. */
  answer: JsonValue;
  answeredAt: Timestamp | null;
  /** When the outcome was decided, whichever it is. */
  resolvedAt: Timestamp | null;
  /** Who answered or declined; null for a timeout. */
  resolvedBy: Actor | null;
  declineReason: string | null;
  /** True when a timeout yielded the default. */
  defaultUsed: boolean;
  /** When a human first had it on a screen. */
  firstSeenAt: Timestamp | null;
  firstSeenBy: Actor | null;
  /** Who said that they are seeing to it; it counts until `claimedUntil` and holds nobody else off. */
  claimedBy: Actor | null;
  claimedUntil: Timestamp | null;
  /** `seq` of the event that changed it last: of two states of a question the higher is the later. */
  lastSeq: number;
  /** Set by a retry: this outcome no longer answers a call of the handler. */
  forgotten: boolean;
  /** What is to be approved, and by whom it is so far; null for any other question. */
  approval: Approval | null;
}

export type QuestionFields = Pick<QuestionData, "taskId" | "prompt"> & Partial<QuestionData>;

/** Fills in what is not given: id, time asked, timeout of 300 s, deadline; unresolved. */
export function newQuestionData(fields: QuestionFields): QuestionData {
  const askedAt = fields.askedAt ?? toTimestamp(systemClock.now());
  const timeout = fields.timeout ?? defaultQuestionTimeout;
  const data: QuestionData = {
    taskId: fields.taskId,
    prompt: fields.prompt,
    questionId: fields.questionId ?? randomId("q"),
    key: "#1",
    timeout,
    askedAt,
    deadline: fields.deadline ?? addSeconds(askedAt, timeout),
    choices: null,
    multiple: false,
    schema: null,
    answerableBy: "anyone",
    urgency: "normal",
    secret: false,
    hasDefault: false,
    defaultValue: null,
    context: null,
    outcome: null,
    answer: null,
    answeredAt: null,
    resolvedAt: null,
    resolvedBy: null,
    declineReason: null,
    defaultUsed: false,
    firstSeenAt: null,
    firstSeenBy: null,
    claimedBy: null,
    claimedUntil: null,
    lastSeq: 0,
    forgotten: false,
    approval: null,
  };
  // Only what is stored: the JSON form, which a store may read a question from, says more.
  const given = Object.entries(fields).filter(([key, value]) => key in data && value !== undefined);
  return Object.assign(data, Object.fromEntries(given));
}

export interface TaskQuestion extends Readonly<QuestionData> {}

/** Something a handler asks a human, as callers see it. */
export class TaskQuestion {
  constructor(fields: QuestionFields) {
    Object.assign(this, newQuestionData(fields));
  }

  /** A human or an agent gave an answer. */
  get isAnswered(): boolean {
    return this.outcome === "answered" || (this.outcome === null && this.answeredAt !== null);
  }

  /** It has any outcome and can no longer be answered. */
  get isResolved(): boolean {
    return this.outcome !== null || this.isAnswered;
  }

  /** Its deadline passed without an answer. */
  get timedOut(): boolean {
    return this.outcome === "timed_out";
  }

  toJSON(): QuestionData & { isAnswered: boolean; isResolved: boolean; timedOut: boolean } {
    const { isAnswered, isResolved, timedOut } = this;
    return { ...(this as QuestionData), isAnswered, isResolved, timedOut };
  }
}
