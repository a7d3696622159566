/** A time found in a line: milliseconds since 1970 UTC, and the index just after it. */
export interface FoundTime {
  at: number;
  end: number;
}

// Anything outside is a typo, an unset clock or no time at all, and would stretch every rate.
const earliest = Date.UTC(1990, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** `at` if it is a plausible moment for a log line, else null. */
export function plausible(at: number): number | null {
  return at >= earliest && at < latest ? at : null;
}

/**
 * Reads `2026-11-30T12:00:00.123+01:00` and its relatives at `start`: `/` for `-`, a space for the
 * `T`, `,` for the dot, any number of decimals, and `Z`, an offset or ` UTC` after it or not (then
 * the time is taken as UTC).
 */
export function readIsoTime(text: string, start: number): FoundTime | null {
  const year = digits(text, start, 4);
  const separator = text.charCodeAt(start + 4);
  if (year < 0 || (separator !== 45 && separator !== 47)) return null;
  const month = digits(text, start + 5, 2);
  const day = digits(text, start + 8, 2);
  if (text.charCodeAt(start + 7) !== separator) return null;
  const between = text.charCodeAt(start + 10);
  if (between !== 84 && between !== 32 && between !== 116) return null;
  const clock = readClock(text, start + 11);
  if (!clock || !isDay(month, day)) return null;
  const zone = readZone(text, clock.end);
  const at = plausible(Date.UTC(year, month - 1, day) + clock.at - zone.at);
  return at === null ? null : { at, end: zone.end };
}

/** Reads `12:00:00` with decimals or without; `at` is milliseconds since midnight. */
export function readClock(text: string, start: number): FoundTime | null {
  const hour = digits(text, start, 2);
  const minute = digits(text, start + 3, 2);
  const second = digits(text, start + 6, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return null;
  if (text.charCodeAt(start + 2) !== 58 || text.charCodeAt(start + 5) !== 58) return null;
  let end = start + 8;
  let millis = 0;
  const point = text.charCodeAt(end);
  if ((point === 46 || point === 44) && isDigit(text.charCodeAt(end + 1))) {
    end++;
    for (let unit = 100; isDigit(text.charCodeAt(end)); end++) {
      millis += (text.charCodeAt(end) - 48) * Math.floor(unit);
      unit /= 10;
    }
  }
  return { at: ((hour * 60 + minute) * 60 + second) * 1000 + millis, end };
}

/** An offset in milliseconds at `start`, if one stands there; otherwise none, and 0. */
function readZone(text: string, start: number): FoundTime {
  const first = text.charCodeAt(start);
  if (first === 90 || first === 122) return { at: 0, end: start + 1 };
  if (first === 32) {
    const named = text.startsWith("UTC", start + 1) || text.startsWith("GMT", start + 1);
    if (named && !isWordCode(text.charCodeAt(start + 4))) return { at: 0, end: start + 4 };
    const sign = text.charCodeAt(start + 1);
    // "12:00:00 -0700", but not the dash of "12:00:00 - message".
    if (sign !== 43 && sign !== 45) return { at: 0, end: start };
    return readOffset(text, start + 1) ?? { at: 0, end: start };
  }
  return readOffset(text, start) ?? { at: 0, end: start };
}

/** Reads `+0100`, `-07:00`. */
function readOffset(text: string, start: number): FoundTime | null {
  const sign = text.charCodeAt(start);
  if (sign !== 43 && sign !== 45) return null;
  const hours = digits(text, start + 1, 2);
  const colon = text.charCodeAt(start + 3) === 58 ? 1 : 0;
  const minutes = digits(text, start + 3 + colon, 2);
  if (hours < 0 || hours > 15 || minutes < 0) return null;
  const size = (hours * 60 + minutes) * 60_000;
  return { at: sign === 45 ? -size : size, end: start + 5 + colon };
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const monthIndex = new Map(months.map((name, index) => [name, index]));

/** Reads the `30/Nov/2026:12:00:00 +0000` of access logs. */
export function readAccessTime(text: string, start: number): FoundTime | null {
  const day = digits(text, start, 2);
  const month = monthIndex.get(text.slice(start + 3, start + 6)) ?? -1;
  const year = digits(text, start + 7, 4);
  const clock = readClock(text, start + 12);
  if (!clock || month < 0 || year < 0 || !isDay(month + 1, day)) return null;
  const zone = readZone(text, clock.end);
  const at = plausible(Date.UTC(year, month, day) + clock.at - zone.at);
  return at === null ? null : { at, end: zone.end };
}

/**
 * Reads the `Nov 30 12:00:00` of syslog, which has no year: it is the last such moment that is
 * not more than a day after `modifiedAt` (when the file was written last).
 */
export function readSyslogTime(text: string, start: number, modifiedAt: number): FoundTime | null {
  const month = monthIndex.get(text.slice(start, start + 3)) ?? -1;
  if (month < 0) return null;
  const padded = text.charCodeAt(start + 4) === 32;
  const day = padded ? digits(text, start + 5, 1) : digits(text, start + 4, 2);
  const clock = readClock(text, start + 7);
  if (!clock || !isDay(month + 1, day)) return null;
  const year = new Date(modifiedAt).getUTCFullYear();
  const inYear = (y: number) => Date.UTC(y, month, day) + clock.at;
  // A file written in the first hours of a year, read with a zone ahead of UTC, may lie in the next.
  const candidate = [year + 1, year, year - 1].find((y) => inYear(y) <= modifiedAt + 86_400_000);
  const at = plausible(inYear(candidate ?? year));
  return at === null ? null : { at, end: clock.end };
}

/** Reads the `Mon Nov 30 12:00:00.123456 2026` of Apache's error log. */
export function readApacheTime(text: string, start: number): FoundTime | null {
  const month = monthIndex.get(text.slice(start + 4, start + 7)) ?? -1;
  const day = digits(text, start + 8, 2);
  const clock = readClock(text, start + 11);
  if (!clock || month < 0 || !isDay(month + 1, day)) return null;
  const year = digits(text, clock.end + 1, 4);
  const at = year < 0 ? null : plausible(Date.UTC(year, month, day) + clock.at);
  return at === null ? null : { at, end: clock.end + 5 };
}

/** A number of seconds, milliseconds, microseconds or nanoseconds since 1970, told by its size. */
export function timeOfNumber(value: number): number | null {
  if (value < 1e11) return plausible(Math.floor(value * 1000));
  if (value < 1e14) return plausible(Math.floor(value));
  return plausible(Math.floor(value / (value < 1e17 ? 1e3 : 1e6)));
}

/** How a moment reads in a report. */
export function timeText(at: number): string;
export function timeText(at: number | null): string | null;
export function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function isDay(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** The number that `count` digits at `start` make; -1 when they are not all digits. */
function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const code = text.charCodeAt(i);
    if (!isDigit(code)) return -1;
    value = value * 10 + code - 48;
  }
  return value;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWordCode(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
