import type { Timestamp } from "@/server/core/timestamp.ts";

/** Milliseconds since 1970; the microseconds that text does not show are dropped. */
export function millisOf(at: Timestamp): number {
  return Date.parse(at);
}

const units = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "m", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** A duration in at most two units: `850 ms`, `4.2 s`, `42 s`, `3 m 05 s`, `2 h 10 m`, `5 d 4 h`. */
export function durationText(seconds: number): string {
  const shown = Math.max(0, seconds);
  if (shown < 1) return `${Math.round(shown * 1000)} ms`;
  if (shown < 9.95) return `${(Math.round(shown * 10) / 10).toFixed(1)} s`;
  return wholeUnits(Math.round(shown));
}

/** As {@link durationText}, in whole seconds: for clocks that tick. */
export function clockText(seconds: number): string {
  return wholeUnits(Math.floor(Math.max(0, seconds)));
}

function wholeUnits(whole: number): string {
  const first = units.findIndex((unit) => whole >= unit.seconds);
  const unit = units[first];
  if (!unit || unit.name === "s") return `${whole} s`;
  const smaller = units[first + 1] as (typeof units)[number];
  const rest = Math.floor((whole % unit.seconds) / smaller.seconds);
  const padded = smaller.name === "s" ? String(rest).padStart(2, "0") : String(rest);
  return `${Math.floor(whole / unit.seconds)} ${unit.name} ${padded} ${smaller.name}`;
}

/** How long ago, in one unit: `now`, `12 s ago`, `5 m ago`, `3 h ago`, `6 d ago`; a date after 30 days. */
export function agoText(at: Timestamp, nowMillis: number): string {
  const seconds = Math.floor((nowMillis - millisOf(at)) / 1000);
  if (seconds < 5) return "now";
  if (seconds >= 30 * 86_400) return dateFormat().format(millisOf(at));
  const unit = units.find((each) => seconds >= each.seconds) ?? units[3];
  return `${Math.floor(seconds / unit.seconds)} ${unit.name} ago`;
}

/** The exact moment in the viewer's zone, with milliseconds and the zone's name. */
export function exactText(at: Timestamp): string {
  return exactFormat().format(millisOf(at));
}

/** The time of day in the viewer's zone. */
export function timeOfDay(at: Timestamp): string {
  return timeFormat().format(millisOf(at));
}

/** The day in the viewer's zone, for example `Mon 30 Nov`. */
export function dayText(at: Timestamp): string {
  return dayFormat().format(millisOf(at));
}

// Made once and when first needed: constructing a format costs more than a hundred uses of it.
const dateFormat = once({ day: "numeric", month: "short", year: "numeric" });
const dayFormat = once({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const timeFormat = once({
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const exactFormat = once({
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
  timeZoneName: "short",
});

function once(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let format: Intl.DateTimeFormat | undefined;
  return () => {
    format ??= new Intl.DateTimeFormat("en-GB", options);
    return format;
  };
}
