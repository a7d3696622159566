import { describe, expect, test } from "vitest";
import {
  readAccessTime,
  readApacheTime,
  readClock,
  readIsoTime,
  readSyslogTime,
  timeOfNumber,
  timeText,
} from "../../server/tasks/analyze-logs/log-time.ts";

describe("readIsoTime", () => {
  test.each([
    ["2026-11-30T12:00:00Z", "2026-11-30T12:00:00.000Z", 20],
    ["2026-11-30 12:00:00,123 ERROR", "2026-11-30T12:00:00.123Z", 23],
    ["2026-11-30 12:00:00.1 ERROR", "2026-11-30T12:00:00.100Z", 21],
    ["2026-11-30T12:00:00.123456789+01:30 x", "2026-11-30T10:30:00.123Z", 35],
    ["2026-11-30T12:00:00-0700", "2026-11-30T19:00:00.000Z", 24],
    ["2026/11/30 12:00:00 [error]", "2026-11-30T12:00:00.000Z", 19],
    ["2026-11-30 12:00:00.5 UTC [7]", "2026-11-30T12:00:00.500Z", 25],
    ["2026-11-30 12:00:00 +0200 x", "2026-11-30T10:00:00.000Z", 25],
    ["2026-11-30 12:00:00 - message", "2026-11-30T12:00:00.000Z", 19],
    ["2026-11-30 12:00:00 UTCX", "2026-11-30T12:00:00.000Z", 19],
    ["2026-11-30 12:00:00. The end", "2026-11-30T12:00:00.000Z", 19],
  ])("%s", (text, at, end) => {
    const found = readIsoTime(text, 0);
    expect(found && { at: timeText(found.at), end: found.end }).toEqual({ at, end });
  });

  test.each([
    "",
    "2026",
    "2026-11-30",
    "2026-11/30 12:00:00",
    "2026-13-30 12:00:00",
    "2026-11-32 12:00:00",
    "2026-11-30 24:00:00",
    "2026-11-30 12:60:00",
    "2026-11-30x12:00:00",
    "1970-01-01 00:00:00",
    "9999-11-30 12:00:00",
    "20a6-11-30 12:00:00",
  ])("refuses %j", (text) => {
    expect(readIsoTime(text, 0)).toBeNull();
  });

  test("reads in the middle of a line", () => {
    expect(readIsoTime("[2026-11-30 12:00:00]", 1)?.end).toBe(20);
  });
});

test("a time of day has no date", () => {
  expect(readClock("01:02:03.004 x", 0)).toEqual({ at: 3_723_004, end: 12 });
  expect(readClock("1:02:03", 0)).toBeNull();
});

test("access and Apache times", () => {
  const access = readAccessTime("30/Nov/2026:12:00:00 +0100]", 0);
  expect(access && timeText(access.at)).toBe("2026-11-30T11:00:00.000Z");
  expect(access?.end).toBe(26);
  expect(readAccessTime("30/Foo/2026:12:00:00 +0100]", 0)).toBeNull();
  const apache = readApacheTime("Mon Nov 30 12:00:00.123456 2026]", 0);
  expect(apache && timeText(apache.at)).toBe("2026-11-30T12:00:00.123Z");
  expect(readApacheTime("Mon Nov 30 12:00:00 20x6]", 0)).toBeNull();
});

describe("a syslog time gets the year in which it is no later than the file", () => {
  const yearOf = (text: string, modified: string) =>
    timeText(readSyslogTime(text, 0, Date.parse(modified))?.at ?? null)?.slice(0, 10);

  test.each([
    ["Nov 30 12:00:00", "2026-11-30T13:00:00Z", "2026-11-30"],
    ["Nov  3 12:00:00", "2026-11-30T13:00:00Z", "2026-11-03"],
    ["Dec 31 23:00:00", "2027-01-01T01:00:00Z", "2026-12-31"],
    // The writer's clock showed a zone ahead of UTC.
    ["Jan  1 05:00:00", "2026-12-31T20:00:00Z", "2027-01-01"],
    ["Dec 31 23:00:00", "2026-06-01T00:00:00Z", "2025-12-31"],
  ])("%s in a file of %s", (text, modified, expected) => {
    expect(yearOf(text, modified)).toBe(expected);
  });
});

test("numbers are seconds, milliseconds, microseconds or nanoseconds by their size", () => {
  const expected = Date.UTC(2026, 10, 30, 12);
  for (const unit of [1e-3, 1, 1e3, 1e6]) expect(timeOfNumber(expected * unit)).toBe(expected);
  expect(timeOfNumber(0)).toBeNull();
  expect(timeOfNumber(Number.NaN)).toBeNull();
});
