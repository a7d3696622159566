import { hasErrorCode, InvalidInput, isToolthreadError, StoreUnavailable } from "../core/errors.ts";

/** What SQLite calls a failure: `SQLITE_BUSY`, `SQLITE_FULL` …; null for any other error. */
export function sqliteCodeOf(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; isObject(at) && depth < 6; depth += 1) {
    for (const name of [at.originalCode, at.code]) {
      if (typeof name === "string" && /^(UNKNOWN_)?SQLITE_/.test(name)) return name;
    }
    // The adapter wraps the driver's error, and the client the adapter's.
    at = at.driverAdapterError ?? at.cause ?? at.meta;
  }
  return null;
}

const faults: [code: RegExp, says: string][] = [
  [/BUSY|LOCKED/, "another program holds a lock on it; close that program or wait for it"],
  [/FULL/, "the disk is full; make room"],
  [/READONLY/, "it is read-only; give this user the right to write to the file and its folder"],
  [/IOERR/, "the disk reports an input/output error; check the disk and the room left on it"],
  [/CANTOPEN/, "it cannot be opened; check that its folder exists and may be written to"],
  [/CORRUPT|NOTADB/, "the file is damaged; restore a backup"],
  [/NOMEM/, "there is not enough memory"],
  [/PERM|AUTH/, "access to it is denied"],
];

/**
 * True when the database itself could not do its part, whatever the write was: the disk is full, a
 * lock is held, the file is gone. False when the write was at fault.
 */
export function isInfrastructureFault(error: unknown): boolean {
  if (hasErrorCode(error, "store_unavailable")) return true;
  const code = sqliteCodeOf(error);
  return code !== null && faults.some(([pattern]) => pattern.test(code));
}

export function isBusy(error: unknown): boolean {
  return /BUSY|LOCKED/.test(sqliteCodeOf(error) ?? "");
}

/** The error to give a caller: toolthread's own as they are, a fault in words that say what is wrong. */
export function toStoreError(error: unknown, file: string): Error {
  if (isToolthreadError(error)) return error;
  const code = sqliteCodeOf(error);
  if (code?.includes("TOOBIG")) {
    return new InvalidInput("The value is too large to be stored: over 1,000,000,000 bytes.");
  }
  const fault = code === null ? undefined : faults.find(([pattern]) => pattern.test(code));
  const says = fault?.[1] ?? messageOf(error);
  return new StoreUnavailable(
    `The database ${file} cannot be used now: ${says}${code === null ? "" : ` (${code})`}. ` +
      "What was acknowledged before is safe.",
    { file, reason: says, ...(code === null ? {} : { sqliteCode: code }) },
    { cause: error },
  );
}

/** What the driver said, where the adapter kept it. */
function messageOf(error: unknown): string {
  const cause = isObject(error) ? error.cause : undefined;
  if (isObject(cause) && typeof cause.originalMessage === "string") return cause.originalMessage;
  return error instanceof Error ? error.message : String(error);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Whether Prisma says that a unique value is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "P2002";
}
