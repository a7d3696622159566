/**
 * Every error toolthread raises on purpose. The `code` is stable and is what callers and surfaces
 * decide by; the message is for people and says what to do.
 */
export type ErrorCode =
  | "task_cancelled"
  | "task_timeout"
  | "task_not_found"
  | "question_declined"
  | "unknown_task_type"
  | "invalid_input"
  | "invalid_params"
  | "invalid_answer"
  | "invalid_cursor"
  | "conflict"
  | "idempotency_conflict"
  | "forbidden"
  | "unauthorized"
  | "too_many_attempts"
  | "too_many_calls"
  | "grant_refused"
  | "secret_unreadable"
  | "child_task_failed"
  | "lease_lost"
  | "ambiguous_step"
  | "replay_mismatch"
  | "non_retryable"
  | "shutting_down"
  | "store_unavailable"
  | "store_locked"
  | "migration_refused"
  | "server_unreachable";

/** What stands beside a message for programs: a field path, the statuses involved, an outcome. */
export type ErrorDetails = Record<string, unknown>;

// A symbol from the global registry, because the same class can exist twice in one process: the
// server bundle and the Next bundle each have their copy, and `instanceof` fails across them.
const marker = Symbol.for("toolthread.error");

export abstract class ToolthreadError extends Error {
  abstract readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
    Object.defineProperty(this, marker, { value: true });
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true });
  }
}

/** True for any toolthread error, also one made by another copy of this module. */
export function isToolthreadError(error: unknown): error is ToolthreadError {
  return typeof error === "object" && error !== null && marker in error;
}

/** Makes an error that came from another thread or process a toolthread error again. */
export function markToolthreadError(error: Error, code: string, details: ErrorDetails): Error {
  Object.defineProperty(error, marker, { value: true });
  return Object.assign(error, { code, details });
}

/** True for a toolthread error with exactly this code. */
export function hasErrorCode<C extends ErrorCode>(
  error: unknown,
  code: C,
): error is ToolthreadError & { code: C } {
  return isToolthreadError(error) && error.code === code;
}

// Names are set by hand below, not taken from the class, because bundlers rename classes.
function define<C extends ErrorCode>(code: C, name: string) {
  return class extends ToolthreadError {
    readonly code = code;
    constructor(message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
      super(message, details, options);
      Object.defineProperty(this, "name", { value: name, configurable: true });
    }
  };
}

/** Thrown inside a handler, by the calls that wait or check, once its task was cancelled. */
export class TaskCancelled extends define("task_cancelled", "TaskCancelled") {}
/** A question, a handler or a wait ran out of time. */
export class TaskTimeout extends define("task_timeout", "TaskTimeout") {}
/** No task has this id, or the caller may not know of it. */
export class TaskNotFound extends define("task_not_found", "TaskNotFound") {}
/** A human refused to answer; `details.reason` holds their words. */
export class QuestionDeclined extends define("question_declined", "QuestionDeclined") {}
/** No handler is registered under this name; the message lists those that are. */
export class UnknownTaskType extends define("unknown_task_type", "UnknownTaskType") {}
/** A value that cannot be used; the message says which and why. */
export class InvalidInput extends define("invalid_input", "InvalidInput") {}
/** Parameters that do not fit the task type's schema; `details.issues` has one entry a field. */
export class InvalidParams extends define("invalid_params", "InvalidParams") {}
/** An answer that does not fit the question, which stays open. */
export class InvalidAnswer extends define("invalid_answer", "InvalidAnswer") {}
/** A `since` that is neither a cursor of this task nor a timestamp. */
export class InvalidCursor extends define("invalid_cursor", "InvalidCursor") {}
/** The state machine does not allow this from the present status. */
export class Conflict extends define("conflict", "Conflict") {}
/** An idempotency key was used before with another request. */
export class IdempotencyConflict extends define("idempotency_conflict", "IdempotencyConflict") {}
/** The actor is known and may not do this. */
export class Forbidden extends define("forbidden", "Forbidden") {}
/** A grant that does not cover what a step is about to do; `details.reason` says why. */
export class GrantRefused extends define("grant_refused", "GrantRefused") {}
/** A secret value cannot be decrypted: it was sealed with a secret that is not there any more. */
export class SecretUnreadable extends define("secret_unreadable", "SecretUnreadable") {}
/** Nobody we know calls: no key or session, or one that no longer counts. */
export class Unauthorized extends define("unauthorized", "Unauthorized") {}
/** Too many attempts failed; `details.retryAfterSeconds` says when the next one is looked at. */
export class TooManyAttempts extends define("too_many_attempts", "TooManyAttempts") {}
/** One caller makes too many calls, or has too many open; `details.retryAfterSeconds` says how long to wait. */
export class TooManyCalls extends define("too_many_calls", "TooManyCalls") {}
/** A child task failed or was cancelled; `details.status` and `details.error` say how. */
export class ChildTaskFailed extends define("child_task_failed", "ChildTaskFailed") {}
/** This attempt no longer owns its task: its lease ran out or the task was ended. */
export class LeaseLost extends define("lease_lost", "LeaseLost") {}
/** Two unsettled calls of one name cannot be told apart on a replay: add a `key`. */
export class AmbiguousStep extends define("ambiguous_step", "AmbiguousStep") {}
/** The handler no longer does what its journal recorded. */
export class ReplayMismatch extends define("replay_mismatch", "ReplayMismatch") {}
/** Throw this (or a subclass) from a handler or step to fail without further retries. */
export class NonRetryableError extends define("non_retryable", "NonRetryableError") {}
/** The process is shutting down and takes no new work. */
export class ShuttingDown extends define("shutting_down", "ShuttingDown") {}
/** The store cannot be reached or written now; nothing was changed. Try again. */
export class StoreUnavailable extends define("store_unavailable", "StoreUnavailable") {}
/** Another process has this database open. */
export class StoreLocked extends define("store_locked", "StoreLocked") {}
/** Said by a client: no server of toolthread answers at this address. */
export class ServerUnreachable extends define("server_unreachable", "ServerUnreachable") {}
/** The database is newer than the program, or not what its history says. */
export class MigrationRefused extends define("migration_refused", "MigrationRefused") {}

/**
 * How a thrown value reads in `result.error`: `Name: message`, as in
 * `RangeError: something went wrong`. A thrown non-error is shown as `Error: <it>`.
 */
export function describeThrown(thrown: unknown): string {
  if (thrown instanceof Error || isToolthreadError(thrown)) {
    return `${thrown.name || "Error"}: ${thrown.message}`;
  }
  if (typeof thrown !== "object" || thrown === null) return `Error: ${String(thrown)}`;
  try {
    return `Error: ${JSON.stringify(thrown)}`;
  } catch {
    // Cyclic, or with a toJSON that throws; its own toString may throw as well.
    return `Error: ${Object.prototype.toString.call(thrown)}`;
  }
}
