import type { JsonValue } from "./json.ts";
import type { Timestamp } from "./timestamp.ts";

/** What the journal records. Answers are recorded with their questions. */
export type JournalKind = "step" | "sleep";

/**
 * One recorded piece of a handler's work. A resumed handler gets it back instead of doing the work
 * again. Its identity within the task is kind, name and key.
 */
export interface JournalEntry {
  taskId: string;
  kind: JournalKind;
  name: string;
  /** The explicit key, or `#n` for the n-th call of that name without one. */
  key: string;
  /** `pending` is a sleep that has not ended: its deadline is the value. */
  status: "pending" | "ok" | "failed";
  value: JsonValue;
  error: string | null;
  startedAt: Timestamp;
  recordedAt: Timestamp;
  /** `seq` of the newest event when it was recorded: orders it among updates. */
  afterSeq: number;
}
