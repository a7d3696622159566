import { workLeft } from "@/server/core/progress-pace.ts";
import type { Progress, TaskRecord } from "@/server/core/task.ts";
import { timestampOf } from "../time/server-clock.ts";
import { durationText } from "../time/time-text.ts";

type Amount = Pick<Progress, "done" | "total" | "unit">;

const numbers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/** From 0 to 100; null when the handler does not know how much there is. */
export function percentOf({ done, total }: Pick<Progress, "done" | "total">): number | null {
  if (total === null || total <= 0) return null;
  return Math.min(100, Math.max(0, (done / total) * 100));
}

/** `62 %` or, with no total, the number done. */
export function progressText(progress: Amount): string {
  const percent = percentOf(progress);
  return percent === null ? numberText(progress.done, progress.unit) : `${Math.floor(percent)} %`;
}

/** `310 of 500 files`, `1.2 of 4.8 MB`, or the number done. */
export function amountText({ done, total, unit }: Amount): string {
  if (total === null) return countText(done, unit);
  if (unit !== "bytes") return `${numbers.format(done)} of ${countText(total, unit)}`;
  const [size, name] = byteUnit(total);
  return `${numbers.format(done / size)} of ${numbers.format(total / size)} ${name}`;
}

/** `4.2 MB/s`, `3.1 files/s`, by the time worked; null while it is not known. */
export function rateText({ pace, unit }: Pick<Progress, "pace" | "unit">): string | null {
  const perSecond = pace?.perSecond ?? 0;
  if (perSecond <= 0) return null;
  if (unit === "bytes") return `${countText(perSecond, unit)}/s`;
  const what = unit === undefined ? "" : ` ${unit}`;
  if (perSecond >= 0.95) return `${numbers.format(perSecond)}${what}/s`;
  return `${numbers.format(perSecond * 60)}${what}/min`;
}

/**
 * `about 3 m 05 s left`. While the task waits for people the time does not pass: `about 3 m 05 s of
 * work left`. Null when nothing is known.
 */
export function workLeftText(task: TaskRecord, nowMillis: number): string | null {
  const seconds = workLeft(task, timestampOf(nowMillis));
  if (seconds === null) return null;
  const about = durationText(Math.max(1, Math.ceil(seconds)));
  return task.clock === "working" ? `about ${about} left` : `about ${about} of work left`;
}

function countText(count: number, unit: string | undefined): string {
  const number = numberText(count, unit);
  return unit === undefined || unit === "bytes" ? number : `${number} ${unit}`;
}

function numberText(count: number, unit: string | undefined): string {
  if (unit !== "bytes") return numbers.format(count);
  const [size, name] = byteUnit(count);
  return `${numbers.format(count / size)} ${name}`;
}

const byteUnits: readonly [size: number, name: string][] = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

function byteUnit(bytes: number): readonly [size: number, name: string] {
  return byteUnits.find(([size]) => bytes >= size) ?? [1, bytes === 1 ? "byte" : "bytes"];
}
