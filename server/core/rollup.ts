import type { TaskRecord } from "./task.ts";
import type { TaskEvent } from "./task-event.ts";
import type { QuestionData } from "./task-question.ts";
import { microsPerSecond, parseTimestamp, secondsBetween, type Timestamp } from "./timestamp.ts";

/**
 * What is counted as it happens, so that how it went over a month is read without looking at the
 * month's tasks: in slots of these many seconds, by task type.
 */
export const rollupWidths = [60, 900, 21_600] as const;
export type RollupWidth = (typeof rollupWidths)[number];

/** For how many seconds slots of a width are kept; null for ever. */
const rollupKept: Readonly<Record<RollupWidth, number | null>> = {
  60: 2 * 86_400,
  900: 9 * 86_400,
  21600: null,
};

export const rollupFields = [
  "started",
  "completed",
  "failed",
  "cancelled",
  "asked",
  "answered",
  "declined",
  "timedOut",
  "withdrawn",
  "workedSeconds",
] as const;

/** How often each thing happened; `workedSeconds` is the sum of the working time of what ended. */
export type RollupCounts = Record<(typeof rollupFields)[number], number>;

export const noCounts: Readonly<RollupCounts> = {
  started: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  asked: 0,
  answered: 0,
  declined: 0,
  timedOut: 0,
  withdrawn: 0,
  workedSeconds: 0,
};

/** One event's share in the counts. */
export interface RollupEntry {
  type: string;
  at: Timestamp;
  counts: Partial<RollupCounts>;
  /** Seconds from the question to its answer or refusal; null for anything else. */
  answerSeconds: number | null;
}

/** @param question the one that the event is about, as it is after it. */
export function rollupEntryOf(
  event: TaskEvent,
  task: Pick<TaskRecord, "type" | "workedSeconds">,
  question: QuestionData | null,
): RollupEntry | null {
  const { type, workedSeconds } = task;
  const entry = (counts: Partial<RollupCounts>, answerSeconds: number | null = null) => ({
    type,
    at: event.at,
    counts,
    answerSeconds,
  });
  switch (event.kind) {
    case "task_created":
      return entry({ started: 1 });
    case "task_finished":
      return entry({ [event.status]: 1, workedSeconds });
    case "question_opened":
      return entry({ asked: 1 });
    case "question_resolved": {
      const { outcome, at } = event;
      if (outcome === "timed_out") return entry({ timedOut: 1 });
      if (outcome === "cancelled") return entry({ withdrawn: 1 });
      const took = question ? Math.max(0, secondsBetween(question.askedAt, at)) : null;
      return entry({ [outcome]: 1 }, took);
    }
    default:
      return null;
  }
}

/** The number of the slot that a moment is in. */
export function slotOf(at: Timestamp, width: RollupWidth): number {
  return Math.floor(parseTimestamp(at) / microsPerSecond / width);
}

/**
 * The slots of a width that are kept no longer are those below this number; null where all are kept.
 * They are taken away by what happens in the first minute of an hour, so that it costs next to nothing.
 */
export function firstKeptSlot(width: RollupWidth, minute: number): number | null {
  const kept = rollupKept[width];
  return kept === null ? null : Math.floor((minute * 60 - kept) / width);
}

// Times to answer are counted by size: each class reaches 20 % further than the one before. So they
// can be added up over any time, and a quantile is never off by more than that.
const smallest = 0.1;
const growth = 1.2;
const lastClass = 110;

/** The class of a time to answer. */
export function answerClass(seconds: number): number {
  if (seconds < smallest) return 0;
  return Math.min(lastClass, 1 + Math.floor(Math.log(seconds / smallest) / Math.log(growth)));
}

/** How many answers took how long: counts by class. */
export type AnswerTimes = ReadonlyMap<number, number>;

/** The seconds within which a part of the answers came, for example 0.95; null when there are none. */
export function answerQuantile(times: AnswerTimes, part: number): number | null {
  const total = [...times.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = part * total;
  for (const [each, count] of [...times].sort(([a], [b]) => a - b)) {
    if (left <= count) {
      const low = each === 0 ? 0 : smallest * growth ** (each - 1);
      const high = smallest * growth ** each;
      return low + (high - low) * (left / count);
    }
    left -= count;
  }
  return smallest * growth ** lastClass;
}
