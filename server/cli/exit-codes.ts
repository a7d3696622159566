/** What the command line exits with; documented in docs/shell.md. */
export const exitCodes = {
  ok: 0,
  /** Something went wrong, or the task failed. */
  failed: 1,
  /** The command was not written as it must be. */
  usage: 2,
  /** Somebody refused to answer. */
  declined: 3,
  /** Nobody answered in time. */
  timedOut: 4,
  /** The task was cancelled. */
  cancelled: 5,
} as const;

/** Ends the program with this code and these words on standard error. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
