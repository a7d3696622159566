import { InvalidCursor } from "./errors.ts";
import { parseTimestamp, type Timestamp, toTimestamp } from "./timestamp.ts";

/**
 * Where a poll continues: after event number `seq` of the task (an exact cursor), after a moment
 * (the seed's way), or from the beginning.
 */
export type Since =
  | { kind: "cursor"; seq: number }
  | { kind: "timestamp"; at: Timestamp }
  | { kind: "start" };

// The tail of the task id is part of a cursor, so that another task's is noticed.
const tailLength = 8;

/** The cursor that continues after event `seq` of the task; it starts with `c_`. */
export function formatCursor(taskId: string, seq: number): string {
  return `c_${seq.toString(36)}_${taskId.slice(-tailLength)}`;
}

/**
 * Reads what a caller passed as `since`; null, undefined and "" mean the beginning.
 *
 * @throws InvalidCursor for another task's cursor, and for text that is neither a cursor nor an
 *   ISO 8601 timestamp.
 */
export function parseSince(taskId: string, since: string | null | undefined): Since {
  if (since === null || since === undefined || since === "") return { kind: "start" };
  if (since.startsWith("c_")) return { kind: "cursor", seq: parseCursor(taskId, since) };
  try {
    return { kind: "timestamp", at: toTimestamp(parseTimestamp(since)) };
  } catch {
    throw new InvalidCursor(
      `since is "${since.slice(0, 80)}", which is neither a cursor (starts with c_) nor an ISO 8601 ` +
        "timestamp. Pass the cursor of an earlier response of this task, or leave it out.",
    );
  }
}

function parseCursor(taskId: string, cursor: string): number {
  const match = /^c_([0-9a-z]{1,10})_(.+)$/.exec(cursor);
  if (!match) {
    throw new InvalidCursor(
      `since is "${cursor.slice(0, 80)}", which is not a cursor this server made. ` +
        "Pass one exactly as an earlier response gave it, or leave it out.",
    );
  }
  if (match[2] !== taskId.slice(-tailLength)) {
    throw new InvalidCursor(
      `The cursor "${cursor.slice(0, 80)}" belongs to another task. Pass one from a response of ${taskId}.`,
    );
  }
  return Number.parseInt(match[1] as string, 36);
}
