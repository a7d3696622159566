import type { Actor } from "./actor.ts";
import type { ApprovalVote, GrantUse } from "./approval.ts";
import type { JournalEntry } from "./journal.ts";
import type { JsonValue } from "./json.ts";
import type { Sealed } from "./secret-box.ts";
import type { Labels, Progress, TaskRecord } from "./task.ts";
import type { QuestionData, QuestionOutcome } from "./task-question.ts";
import type { TaskStatus, TerminalStatus } from "./task-status.ts";
import type { UpdateLevel } from "./task-update.ts";
import type { EpochMicros, Timestamp } from "./timestamp.ts";

/** A worker's right to run a task until a moment. */
export interface Lease {
  workerId: string;
  expiresAt: Timestamp;
}

/** A write by the attempt that holds `epoch`; null for writes outside any attempt. */
interface ByAttempt {
  epoch: number | null;
}

/** A command's input and what a store answers once it is committed. */
interface Spec<Input, Result> {
  input: Input;
  result: Result;
}

/**
 * Every write there is. A store loads the task, lets the state machine decide, and commits what
 * was decided in one transaction; so all stores obey the same rules.
 */
export interface CommandMap {
  /** Creates a task; with `lease` it is also claimed, in the same transaction. */
  start: Spec<
    {
      type: string;
      /** Secret ones read `•••`. */
      params: JsonValue;
      /** What the secret ones are. */
      sealedParams?: Sealed | null;
      actor: Actor;
      /** Earliest start; now when null. */
      runAt: Timestamp | null;
      priority: number;
      labels: Labels;
      concurrencyKey: string | null;
      parentTaskId: string | null;
      rerunOf: string | null;
      idempotencyKey: string | null;
      requestDigest: string | null;
      /** Other digests of the same request, under older secrets. */
      olderDigests?: readonly string[];
      lease: Lease | null;
      /** Its lease is a driver's: a program outside runs it. */
      driven?: boolean;
    },
    /** `created` is false when the idempotency key had started a task before: that one is given. */
    { task: TaskRecord; created: boolean }
  >;
  /** Takes a task to run it; null when it is not to be run now, or somebody else has it. */
  claim: Spec<{ lease: Lease }, TaskRecord | null>;
  /** Extends a lease; false when it is no longer held. */
  renew: Spec<{ epoch: number; expiresAt: Timestamp }, boolean>;
  /**
   * Gives a task back unfinished, for another worker to resume. One that waits for an answer is
   * resumed by that, or at `wakeAt`, the end of a sleep it is in besides.
   */
  release: Spec<{ epoch: number; wakeAt?: Timestamp | null }, boolean>;
  /**
   * Takes the lease from a worker that vanished. `deadWorkerId` names one known to be gone, whose
   * lease need not have run out. With `fail` the task ends failed instead of being resumed, which
   * else comes about as after a release.
   */
  expire: Spec<
    {
      deadWorkerId: string | null;
      reason: string;
      fail: string | null;
      wakeAt?: Timestamp | null;
    },
    boolean
  >;
  post_update: Spec<
    ByAttempt & {
      updateId: string;
      level: UpdateLevel;
      message: string;
      timestamp?: Timestamp;
      /** A driver's count of its updates: one that is not above the last was posted before. */
      sequence?: number;
    },
    { seq: number; at: Timestamp }
  >;
  set_progress: Spec<ByAttempt & { progress: Progress }, void>;
  /** With `grant` the entry is a step that needs it: the same write uses it up, or is refused. */
  record: Spec<
    ByAttempt & {
      /** A secret value reads `•••`. */
      entry: Omit<JournalEntry, "recordedAt" | "afterSeq">;
      /** What the secret value is. */
      sealedValue?: Sealed;
      grant?: GrantUse;
    },
    void
  >;
  /** With `once` a question that was asked before under the same id is given as it is. */
  ask: Spec<ByAttempt & { question: QuestionData; once?: boolean }, QuestionData>;
  /** Answers, declines or times out one question: exactly one such command wins. */
  resolve: Spec<
    {
      questionId: string;
      outcome: Exclude<QuestionOutcome, "cancelled">;
      answer: JsonValue;
      /** Needed to answer a secret question: what the answer is. */
      sealedAnswer?: Sealed;
      declineReason: string | null;
      actor: Actor | null;
      /** Needed to answer an approval: what the answer says. */
      approval?: ApprovalVote;
    },
    /**
     * `won`: this command decided the outcome, or repeats, by the same actor, the one that did. For an
     * approval that needs more people also: it counts, and the question is still open.
     */
    { won: boolean; question: QuestionData }
  >;
  /**
   * Lets go of a task whose attempt does nothing but wait, for a wake to resume it; false when one
   * of the `openQuestions` it waits for was resolved meanwhile.
   */
  park: Spec<{ epoch: number; openQuestions: number; wakeAt: Timestamp | null }, boolean>;
  /** Makes a task without a worker due now. */
  wake: Spec<object, boolean>;
  /** A step begins or ends while a question is open: then working time passes all the same. */
  set_clock: Spec<{ epoch: number; clock: "working" | "waiting" }, void>;
  /** Gives up a concurrency key for the time of a wait, or takes it again. */
  set_key: Spec<{ epoch: number; holdsKey: boolean }, void>;
  mark_seen: Spec<{ questionId: string; actor: Actor }, void>;
  /**
   * Somebody says that they are seeing to a question. `claimed` is false when somebody else is, unless
   * `takeOver` is set, and when the question is closed.
   */
  claim_question: Spec<
    { questionId: string; actor: Actor; takeOver: boolean },
    { claimed: boolean; question: QuestionData }
  >;
  /** Takes such a word back; `released` is false when it is somebody else's. */
  release_question: Spec<
    { questionId: string; actor: Actor },
    { released: boolean; question: QuestionData }
  >;
  /** `force` ends the task at once and fences its handler off. False when already terminal. */
  request_cancel: Spec<{ actor: Actor; reason: string | null; force: boolean }, boolean>;
  finish: Spec<
    ByAttempt & { status: TerminalStatus; result: JsonValue; error: string | null },
    TaskRecord
  >;
  /** Ends an attempt that failed; the task is pending until `retryAt`. */
  retry: Spec<{ epoch: number; error: string; retryAt: Timestamp }, TaskRecord>;
  /** The seed protocol's unguarded status write; only leaving a terminal status is refused. */
  set_status: Spec<{ status: TaskStatus }, void>;
}

export type CommandKind = keyof CommandMap;

/** One write to one task. `at` is the engine's time, the same for all that one write does. */
export type Command<K extends CommandKind = CommandKind> = {
  [Kind in K]: { kind: Kind; taskId: string; at: EpochMicros } & CommandMap[Kind]["input"];
}[K];

export type CommandResult<K extends CommandKind> = CommandMap[K]["result"];
