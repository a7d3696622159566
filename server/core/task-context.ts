import type { z } from "zod";
import type { Actor } from "./actor.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Labels } from "./task.ts";
import type { AnswerableBy, Choice, QuestionOutcome, TaskQuestion } from "./task-question.ts";
import type { RetryPolicy } from "./task-type.ts";
import type { UpdateLevel } from "./task-update.ts";

/** What a handler may ask, besides the prompt. */
export interface QuestionOptions {
  /** Seconds until the question times out; 300 when not given. */
  timeout?: number;
  /** The answers to choose from. */
  choices?: readonly (string | Choice)[];
  /** With `choices`: any number of them may be chosen, and the answer is a list. */
  multiple?: boolean;
  /** What the answer must look like; people get a form for it. */
  schema?: z.ZodType | JsonObject;
  /** The value a timeout yields instead of failing. */
  default?: unknown;
  /** Tells two questions of one handler apart on a replay; the n-th call when not given. */
  key?: string;
  /** `operator`: only a signed-in human may answer, never an agent. `anyone` when not given. */
  answerableBy?: AnswerableBy;
  /** Data shown beside the question. */
  context?: unknown;
}

export interface QuestionRequest extends QuestionOptions {
  prompt: string;
}

/** How a question ended. */
export interface Outcome<Answer = JsonValue> {
  outcome: QuestionOutcome;
  /** null unless answered. */
  answer: Answer | null;
  /** True when a timeout yielded the default, which then is `defaultValue`. */
  defaultUsed: boolean;
  defaultValue: Answer | null;
  declineReason: string | null;
  /** Who answered, declined or cancelled, and over which surface; null for a timeout. */
  by: Actor | null;
  question: TaskQuestion;
}

/** The answer's type, from the question's `choices` or `schema`; text otherwise. */
export type AnswerOf<Options> = Options extends { schema: infer S }
  ? S extends z.ZodType<infer T>
    ? T
    : JsonValue
  : Options extends { choices: readonly (infer C)[]; multiple: true }
    ? ChoiceValue<C>[]
    : Options extends { choices: readonly (infer C)[] }
      ? ChoiceValue<C>
      : string;

type ChoiceValue<C> = C extends string ? C : C extends { value: infer V } ? V : string;

export interface StepOptions {
  /** Tells two steps of one name apart; the n-th call when not given. */
  key?: string;
  /** Run also when the task was cancelled: for clean-up. */
  evenIfCancelled?: boolean;
  /** Run again when it fails; only the last failure is recorded. */
  retries?: RetryPolicy;
}

export interface ChildOptions {
  /** Tells two children of one type apart; the n-th start when not given. */
  key?: string;
  priority?: number;
  labels?: Labels;
}

/** A task started by a handler. */
export interface ChildTask {
  readonly taskId: string;
  /**
   * Waits for its end and resolves to what its handler returned.
   *
   * @throws ChildTaskFailed when it failed or was cancelled.
   * @throws TaskCancelled when the waiting task is cancelled meanwhile.
   */
  result(): Promise<JsonValue>;
}

/**
 * A handler's entire API. Every promise it returns may be ignored: an ignored one never crashes
 * the process, and if it fails, the attempt fails.
 */
export interface TaskContext {
  readonly taskId: string;
  /** 1 for the first execution of this handler for this task. */
  readonly attempt: number;
  /** Whether cancellation was requested. */
  readonly isCancelled: boolean;
  /** Aborts, with a `TaskCancelled` as its reason, when cancellation is requested. */
  readonly signal: AbortSignal;

  /** Posts a progress message; they keep the order of the calls. Works after a cancel too. */
  update(message: string, level?: UpdateLevel): Promise<void>;
  /** Says how far the work is. Only the latest is kept; a changed message is posted as an update. */
  progress(done: number, total?: number | null, message?: string): Promise<void>;
  /**
   * Asks and waits for the answer.
   *
   * @throws TaskTimeout at the deadline, unless there is a `default`.
   * @throws TaskCancelled when the task is cancelled meanwhile.
   * @throws QuestionDeclined when a human refuses to answer.
   */
  askCustomer<const Options extends QuestionOptions = QuestionOptions>(
    prompt: string,
    options?: Options,
  ): Promise<AnswerOf<Options>>;
  /** Asks and waits for the outcome, whichever it is. */
  ask<const Request extends QuestionRequest>(request: Request): Promise<Outcome<AnswerOf<Request>>>;
  /**
   * Runs `fn` once for this task and records its value, which must be JSON: a resumed handler gets
   * the value back instead.
   *
   * @throws TaskCancelled when the task was cancelled, unless `evenIfCancelled`.
   */
  step<T>(name: string, fn: () => T | Promise<T>, options?: StepOptions): Promise<T>;
  /**
   * Starts a child task: once, also when the handler is resumed. A cancel of this task cancels it.
   *
   * @throws UnknownTaskType, InvalidParams, TaskCancelled
   */
  startTask(type: string, params?: unknown, options?: ChildOptions): Promise<ChildTask>;
  /** Waits. The end is fixed at the first call and outlasts restarts. @throws TaskCancelled */
  sleep(seconds: number, options?: { key?: string }): Promise<void>;
  /** @throws TaskCancelled if cancellation was requested. */
  checkCancelled(): void;
}
