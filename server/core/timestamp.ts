import { InvalidInput } from "./errors.ts";

/**
 * A moment as text with six decimals and `Z`, for example `2026-11-30T17:04:05.000123Z`. All have
 * the same length, so comparing the text compares the time. A JavaScript `Date` holds milliseconds
 * only and would lose the last three digits: never convert through one.
 */
export type Timestamp = string;

/** Microseconds since 1970-01-01T00:00:00Z; a safe integer until the year 2255. */
export type EpochMicros = number;

export const microsPerSecond = 1_000_000;

const shape =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+\- ]\d{2}:?\d{2})?$/i;

/** @throws InvalidInput for a moment outside the years 1970 to 2254. */
export function toTimestamp(micros: EpochMicros): Timestamp {
  if (!Number.isSafeInteger(micros) || micros < 0) {
    throw new InvalidInput(`${micros} microseconds after 1970 is outside the years 1970 to 2254`);
  }
  const millis = Math.floor(micros / 1000);
  if (millis !== lastMillis) {
    lastMillis = millis;
    lastText = new Date(millis).toISOString().slice(0, -1);
  }
  return `${lastText}${String(micros % 1000).padStart(3, "0")}Z`;
}

// Many moments are within one millisecond, and making its text is what costs.
let lastMillis = 0;
let lastText = "1970-01-01T00:00:00.000";

/**
 * Reads an ISO 8601 date and time. Any offset is accepted; no zone means UTC; a space where an
 * offset's sign should be is read as `+`, because that is what a URL makes of an unescaped one.
 * Digits after the sixth decimal are dropped.
 *
 * @throws InvalidInput when the text is not such a date or names an impossible one.
 */
export function parseTimestamp(text: string): EpochMicros {
  const match = shape.exec(text.trim());
  const invalid = () =>
    new InvalidInput(
      `"${text}" is not an ISO 8601 date and time, for example 2026-11-30T17:04:05.000123Z`,
    );
  if (!match) throw invalid();
  const [, date, minutes, seconds = "00", fraction = "", zone = "Z"] = match;
  const offset = zone.toUpperCase() === "Z" ? "Z" : normalOffset(zone);
  const millis = Date.parse(`${date}T${minutes}:${seconds}.000${offset}`);
  if (Number.isNaN(millis) || !isRealDate(date as string)) throw invalid();
  return millis * 1000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
}

/** The timestamp `seconds` (which may be fractional or negative) after `from`. */
export function addSeconds(from: Timestamp, seconds: number): Timestamp {
  return toTimestamp(parseTimestamp(from) + Math.round(seconds * microsPerSecond));
}

/** Seconds from `from` to `to`, negative when `to` is earlier. */
export function secondsBetween(from: Timestamp, to: Timestamp): number {
  return (parseTimestamp(to) - parseTimestamp(from)) / microsPerSecond;
}

function normalOffset(zone: string): string {
  const sign = zone.startsWith("-") ? "-" : "+";
  const digits = zone.slice(1).replace(":", "");
  return `${sign}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function isRealDate(date: string): boolean {
  // Date.parse turns 31 February into 3 March; the round trip finds that out.
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
