import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCursor, parseSince } from "../../server/core/cursor.ts";
import { InvalidCursor } from "../../server/core/errors.ts";
import { randomId } from "../../server/core/system-clock.ts";

describe("cursors", () => {
  test("say after which event of the task to continue", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (seq) => {
        const taskId = randomId("task");
        const cursor = formatCursor(taskId, seq);
        expect(cursor).toMatch(/^c_/);
        expect(parseSince(taskId, cursor)).toEqual({ kind: "cursor", seq });
      }),
    );
  });

  test("are refused by every other task, which is named", () => {
    const [mine, other] = [randomId("task"), randomId("task")];
    expect(() => parseSince(other, formatCursor(mine, 3))).toThrow(InvalidCursor);
    expect(() => parseSince(other, formatCursor(mine, 3))).toThrow(other);
  });

  test("need no URL encoding", () => {
    const cursor = formatCursor(randomId("task"), 123_456);
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });
});

describe("parseSince", () => {
  test.each([null, undefined, ""])("%j means from the beginning", (since) => {
    expect(parseSince("task_1", since)).toEqual({ kind: "start" });
  });

  test("reads a timestamp with any offset", () => {
    expect(parseSince("task_1", "2026-11-30T13:00:00.000123+01:00")).toEqual({
      kind: "timestamp",
      at: "2026-11-30T12:00:00.000123Z",
    });
  });

  test.each(["yesterday", "c_", "c_!_task_1", "c_-1_task_1", "3", "1969-01-01T00:00:00Z"])(
    "refuses %j",
    (since) => {
      expect(() => parseSince("task_1", since)).toThrow(InvalidCursor);
    },
  );

  test("refuses whatever else there is with InvalidCursor and nothing worse", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((tail) => `c_${tail}`),
        ),
        (since) => {
          try {
            expect(parseSince("task_1", since)).toHaveProperty("kind");
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidCursor);
          }
        },
      ),
    );
  });
});
