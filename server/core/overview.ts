import {
  type AnswerTimes,
  answerQuantile,
  noCounts,
  type RollupCounts,
  type RollupWidth,
  rollupFields,
} from "./rollup.ts";
import type { TaskStatus } from "./task-status.ts";
import { type Timestamp, toTimestamp } from "./timestamp.ts";

/** How far back an overview looks. */
export const overviewRanges = ["1h", "24h", "7d", "30d"] as const;
export type OverviewRange = (typeof overviewRanges)[number];

/** How many slots of which width a range has. */
export const rangeSlots: Readonly<Record<OverviewRange, { width: RollupWidth; slots: number }>> = {
  "1h": { width: 60, slots: 60 },
  "24h": { width: 900, slots: 96 },
  "7d": { width: 21_600, slots: 28 },
  "30d": { width: 21_600, slots: 120 },
};

/** Which slots to read, the last one included; not of these types. */
export interface RollupQuery {
  width: RollupWidth;
  first: number;
  last: number;
  exceptTypes?: readonly string[];
}

/** The counts of slots, added up both ways. Slots and types without any are left out. */
export interface Rollups {
  bySlot: ReadonlyMap<number, RollupCounts>;
  byType: ReadonlyMap<string, RollupCounts>;
  answersBySlot: ReadonlyMap<number, AnswerTimes>;
  answersByType: ReadonlyMap<string, AnswerTimes>;
}

/** What is under way, by type. */
export interface LiveCount {
  type: string;
  status: TaskStatus;
  count: number;
}

/** A question that is open for long. */
export interface WaitingQuestion {
  questionId: string;
  taskId: string;
  taskType: string;
  prompt: string;
  askedAt: Timestamp;
  deadline: Timestamp;
}

/** Rates and times beside the counts. */
export interface Measures extends RollupCounts {
  /** Of what completed or failed, the part that failed; null when nothing did either. */
  failureRate: number | null;
  /** Seconds that half of the answers came within, and 95 % of them; null without answers. */
  answerP50: number | null;
  answerP95: number | null;
}

export interface Overview {
  range: OverviewRange;
  from: Timestamp;
  slotSeconds: number;
  live: { pending: number; running: number; waiting: number; byType: LiveCount[] };
  /** Open the longest first. */
  longestWaiting: WaitingQuestion[];
  total: Measures;
  /** Slot by slot, the last one still going on. */
  slots: ({ at: Timestamp } & Measures)[];
  /** Those with most tasks first. */
  types: ({ type: string } & Measures)[];
}

/** The counts with what follows from them. */
function measuresOf(counts: RollupCounts, times: AnswerTimes): Measures {
  const decided = counts.completed + counts.failed;
  return {
    ...counts,
    failureRate: decided === 0 ? null : counts.failed / decided,
    answerP50: answerQuantile(times, 0.5),
    answerP95: answerQuantile(times, 0.95),
  };
}

/** The sum of counts. */
export function addCounts(all: Iterable<Partial<RollupCounts>>): RollupCounts {
  const sum = { ...noCounts };
  for (const counts of all) {
    for (const field of rollupFields) sum[field] += counts[field] ?? 0;
  }
  return sum;
}

/** The sum of times to answer. */
export function addTimes(all: Iterable<AnswerTimes>): AnswerTimes {
  const sum = new Map<number, number>();
  for (const times of all) {
    for (const [each, count] of times) sum.set(each, (sum.get(each) ?? 0) + count);
  }
  return sum;
}

/** Puts an overview together. */
export function overviewOf(
  range: OverviewRange,
  { width, first, last }: RollupQuery,
  rollups: Rollups,
  { live, longestWaiting }: { live: LiveCount[]; longestWaiting: WaitingQuestion[] },
): Overview {
  const none: AnswerTimes = new Map();
  const liveOf = (status: TaskStatus) =>
    live.reduce((sum, each) => sum + (each.status === status ? each.count : 0), 0);
  const slots = Array.from({ length: last - first + 1 }, (_, i) => {
    const slot = first + i;
    const counts = rollups.bySlot.get(slot) ?? noCounts;
    const measures = measuresOf(counts, rollups.answersBySlot.get(slot) ?? none);
    return { at: toTimestamp(slot * width * 1e6), ...measures };
  });
  const types = [...rollups.byType]
    .map(([type, counts]) => ({
      type,
      ...measuresOf(counts, rollups.answersByType.get(type) ?? none),
    }))
    .sort((a, b) => b.started - a.started || (a.type < b.type ? -1 : 1));
  return {
    range,
    from: toTimestamp(first * width * 1e6),
    slotSeconds: width,
    live: {
      pending: liveOf("pending"),
      running: liveOf("running"),
      waiting: liveOf("waiting_for_input"),
      byType: live,
    },
    longestWaiting,
    total: measuresOf(addCounts(rollups.byType.values()), addTimes(rollups.answersByType.values())),
    slots,
    types,
  };
}
