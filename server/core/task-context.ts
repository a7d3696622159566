import type { z } from "zod";
import type { Actor } from "./actor.ts";
import type { GivenApproval } from "./approval.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Labels } from "./task.ts";
import type {
  AnswerableBy,
  Choice,
  QuestionOutcome,
  TaskQuestion,
  Urgency,
} from "./task-question.ts";
import type { RetryPolicy } from "./task-type.ts";
import type { UpdateLevel } from "./task-update.ts";
import type { Timestamp } from "./timestamp.ts";

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
  /** How much it presses: what the inbox shows first, and who is notified. `normal` when not given. */
  urgency?: Urgency;
  /**
   * The answer is a secret: only operators may answer, it is stored encrypted, and only the handler
   * ever sees it. Also so when `schema` marks any part as secret. Goes with neither choices nor a
   * default.
   */
  secret?: boolean;
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
  /**
   * The value is a secret, or has one in it: it is stored encrypted, and known as a secret from then
   * on. Without this a step whose value contains a secret of the task fails.
   */
  secret?: boolean;
  /** Run again when it fails; only the last failure is recorded. */
  retries?: RetryPolicy;
}

/** How an action is to be approved. */
export interface ApproveOptions {
  /** What people read above the action; `Approve ACTION?` when not given. Markdown. */
  prompt?: string;
  /** Seconds until the question times out; 300 when not given. */
  timeout?: number;
  /** Seconds the grant can be used once it is given; 900 when not given. */
  expiresIn?: number;
  /** How many different people have to approve; 1 when not given, at most 20. */
  approvals?: number;
  /** Lets the person who approves change the arguments; `grant.args` then has theirs. */
  allowEdit?: boolean;
  /** What the arguments must look like, also once they are edited. */
  schema?: z.ZodType | JsonObject;
  /** How much it presses: what the inbox shows first, and who is notified. `normal` when not given. */
  urgency?: Urgency;
  /** Tells two questions of one handler apart on a replay; the n-th call when not given. */
  key?: string;
  /** Data shown beside the action. */
  context?: unknown;
}

/** Leave to do one action once, with exactly these arguments. */
export interface Grant<Args = JsonValue> {
  /** The question that was approved. */
  readonly questionId: string;
  readonly action: string;
  /** What was approved: what was asked for, unless somebody edited it. */
  readonly args: Args;
  /** SHA-256 of the canonical JSON of `args`, in hex. */
  readonly argsDigest: string;
  readonly isEdited: boolean;
  readonly approvedBy: readonly GivenApproval[];
  /** From then on it cannot be used. */
  readonly expiresAt: Timestamp;
}

/** What a step needs leave for: the grant, and the arguments it is about to act on. */
export interface GrantedArgs<Args = JsonValue> {
  grant: Grant<Args>;
  args: Args;
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
  /**
   * Says how far the work is. Only the latest is kept; a changed message is posted as an update.
   *
   * @param options.unit what is counted; `bytes` are shown as kB, MB and so on.
   */
  progress(
    done: number,
    total?: number | null,
    message?: string,
    options?: { unit?: string },
  ): Promise<void>;
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
   * Runs a step that uses up a grant: `fn` gets the arguments, and the write that records its value
   * also marks the grant as used. A step that fails, or whose process dies before that write, leaves
   * the grant as it was.
   *
   * @throws GrantRefused, before `fn` runs, for a grant that was used, has expired, is for other
   *   arguments or comes from another task.
   * @throws TaskCancelled when the task was cancelled, unless `evenIfCancelled`.
   */
  step<T, Args>(
    name: string,
    granted: GrantedArgs<Args>,
    fn: (args: Args) => T | Promise<T>,
    options?: StepOptions,
  ): Promise<T>;
  /**
   * Asks operators for leave to do an action with exactly these arguments, which must be JSON, and
   * waits for it. No agent can give it. Pass the grant to {@link step}.
   *
   * @throws QuestionDeclined when somebody says no.
   * @throws TaskTimeout at the deadline.
   * @throws TaskCancelled when the task is cancelled meanwhile.
   */
  approve<Args>(action: string, args: Args, options?: ApproveOptions): Promise<Grant<Args>>;
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
