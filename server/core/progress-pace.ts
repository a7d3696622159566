import { clocksOf, type Progress, type TaskRecord } from "./task.ts";
import type { Timestamp } from "./timestamp.ts";

/** How fast work goes on, by the working clock: the time a task waits for people is left out. */
export interface ProgressPace {
  /** What was done when the pace was last measured. */
  done: number;
  /** The task's working clock at that moment. */
  workedSeconds: number;
  /** Of what is counted; null until two reports are far enough apart. */
  perSecond: number | null;
}

/** Reports closer together are taken as one: the pace between them would be noise. */
const leastSeconds = 0.5;
/** Seconds of work after which a change of pace is told for the greater part. */
const smoothSeconds = 20;

/** The pace of a task with one report more. Work that was taken up anew is measured anew. */
export function paceAfter(
  task: Pick<TaskRecord, "progress" | "workedSeconds" | "waitedSeconds" | "clock" | "clockSince">,
  { done }: Pick<Progress, "done">,
  now: Timestamp,
): ProgressPace {
  const { worked } = clocksOf(task, now);
  const before = task.progress?.pace;
  if (!before || done < before.done) return { done, workedSeconds: worked, perSecond: null };
  const seconds = worked - before.workedSeconds;
  if (seconds < leastSeconds) return before;
  const measured = (done - before.done) / seconds;
  const weight = 1 - Math.exp(-seconds / smoothSeconds);
  const perSecond =
    before.perSecond === null
      ? measured
      : before.perSecond + weight * (measured - before.perSecond);
  return { done, workedSeconds: worked, perSecond };
}

/**
 * Seconds of work left at the present pace; null when that is not known. Stays the same while the
 * task waits for people.
 */
export function workLeft(
  task: Pick<TaskRecord, "progress" | "workedSeconds" | "waitedSeconds" | "clock" | "clockSince">,
  now: Timestamp,
): number | null {
  const { pace, total = null } = task.progress ?? {};
  if (!pace || total === null || pace.perSecond === null || pace.perSecond <= 0) return null;
  const since = clocksOf(task, now).worked - pace.workedSeconds;
  return Math.max(0, (total - pace.done) / pace.perSecond - since);
}
