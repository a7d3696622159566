import { hasErrorCode } from "../core/errors.ts";

/** Errors that say nothing about the step itself and so are not its recorded outcome. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return (
    hasErrorCode(error, "task_cancelled") ||
    hasErrorCode(error, "lease_lost") ||
    (signal.aborted && error === signal.reason)
  );
}
