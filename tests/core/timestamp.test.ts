import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidInput } from "../../server/core/errors.ts";
import {
  addSeconds,
  parseTimestamp,
  secondsBetween,
  toTimestamp,
} from "../../server/core/timestamp.ts";

const micros = fc.integer({ min: 0, max: 9_000_000_000_000_000 });

describe("timestamps", () => {
  test("survive the way to text and back to the microsecond", () => {
    fc.assert(
      fc.property(micros, (at) => {
        expect(parseTimestamp(toTimestamp(at))).toBe(at);
      }),
    );
  });

  test("compare as text the way the moments compare", () => {
    fc.assert(
      fc.property(micros, micros, (a, b) => {
        expect(toTimestamp(a) < toTimestamp(b)).toBe(a < b);
      }),
    );
  });

  test("always have six decimals and Z", () => {
    fc.assert(
      fc.property(micros, (at) => {
        expect(toTimestamp(at)).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/);
      }),
    );
  });

  test("are refused outside what a safe integer of microseconds since 1970 can hold", () => {
    for (const at of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => toTimestamp(at)).toThrow(InvalidInput);
    }
  });
});

describe("parseTimestamp", () => {
  const noon = "2026-11-30T12:00:00.000000Z";

  test.each([
    ["2026-11-30T12:00:00Z", noon],
    ["2026-11-30T12:00:00z", noon],
    ["2026-11-30T12:00Z", noon],
    ["2026-11-30T12:00:00", noon],
    ["2026-11-30 12:00:00", noon],
    ["  2026-11-30T12:00:00Z ", noon],
    ["2026-11-30T13:30:00+01:30", noon],
    ["2026-11-30T13:30:00+0130", noon],
    ["2026-11-30T07:00:00-05:00", noon],
    ["2026-11-30T13:00:00 01:00", noon],
    ["2026-12-01T01:00:00+13:00", noon],
    ["2026-11-30T12:00:00+00:00", noon],
    ["2026-11-30T12:00:00.000123+00:00", "2026-11-30T12:00:00.000123Z"],
    ["2026-11-30T12:00:00.5Z", "2026-11-30T12:00:00.500000Z"],
    ["2026-11-30T12:00:00,5Z", "2026-11-30T12:00:00.500000Z"],
    ["2026-11-30T12:00:00.123456789Z", "2026-11-30T12:00:00.123456Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000000Z"],
  ])("reads %j", (text, expected) => {
    expect(toTimestamp(parseTimestamp(text))).toBe(expected);
  });

  test.each([
    "",
    "yesterday",
    "1764504000",
    "2026-11-30",
    "2026-11-31T12:00:00Z",
    "2026-02-29T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-00-10T12:00:00Z",
    "2026-11-30T25:00:00Z",
    "2026-11-30T12:60:00Z",
    "2026-11-30T12:00:61Z",
    "2026-11-30T12:00:00+25:00",
    "2026-11-30T12:00:00+01:75",
    "2026-11-30T12:00:00 CET",
    "Mon, 30 Nov 2026 12:00:00 GMT",
  ])("refuses %j", (text) => {
    expect(() => parseTimestamp(text)).toThrow(InvalidInput);
  });

  test("never fails otherwise, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(parseTimestamp(text)).toBeTypeOf("number");
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
        }
      }),
    );
  });
});

describe("arithmetic", () => {
  test("addSeconds and secondsBetween are inverse to the microsecond", () => {
    const steps = fc.integer({ min: 0, max: 10_000_000_000_000 });
    fc.assert(
      fc.property(steps, steps, (from, to) => {
        const [a, b] = [toTimestamp(from), toTimestamp(to)];
        expect(addSeconds(a, secondsBetween(a, b))).toBe(b);
      }),
    );
  });

  test("one microsecond is the smallest step", () => {
    const at = "2026-12-31T23:59:59.999999Z";
    expect(addSeconds(at, 0.000_001)).toBe("2027-01-01T00:00:00.000000Z");
    expect(secondsBetween(at, "2027-01-01T00:00:00.000000Z")).toBe(0.000_001);
  });
});
