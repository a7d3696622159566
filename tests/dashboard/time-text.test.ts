import { describe, expect, test } from "vitest";
import {
  answerText,
  countdownText,
  deadlineConsequence,
  outcomeText,
  urgencyOf,
} from "../../components/questions/countdown-text.ts";
import { clockOffset, timestampOf } from "../../components/time/server-clock.ts";
import { agoText, clockText, durationText } from "../../components/time/time-text.ts";
import { newQuestionData } from "../../server/core/task-question.ts";

test.each([
  [0, "0 ms"],
  [0.8504, "850 ms"],
  [4.24, "4.2 s"],
  [9.96, "10 s"],
  [59.6, "1 m 00 s"],
  [185, "3 m 05 s"],
  [7800, "2 h 10 m"],
  [360_000, "4 d 4 h"],
  [-3, "0 ms"],
])("a duration of %d s is %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test("a clock ticks in whole seconds and never ahead of the time", () => {
  expect([0.9, 1.99, 59.9, 61].map(clockText)).toEqual(["0 s", "1 s", "59 s", "1 m 01 s"]);
});

test("how long ago", () => {
  const at = "2026-11-30T12:00:00.000000Z";
  const after = (seconds: number) => agoText(at, Date.parse(at) + seconds * 1000);
  expect([2, 12, 119, 7200, 260_000].map(after)).toEqual([
    "now",
    "12 s ago",
    "1 m ago",
    "2 h ago",
    "3 d ago",
  ]);
  expect(after(40 * 86_400)).toMatch(/2026/);
  expect(after(-5)).toBe("now");
});

describe("a deadline", () => {
  const question = newQuestionData({
    taskId: "task_1",
    prompt: "?",
    askedAt: "2026-11-30T12:00:00.000000Z",
    timeout: 300,
  });
  const from = (seconds: number) => Date.parse(question.askedAt) + seconds * 1000;

  test("is computed from the deadline, whatever has ticked", () => {
    expect(countdownText(question, from(0))).toBe("5 m 00 s left");
    expect(countdownText(question, from(299.5))).toBe("1 s left");
    expect(countdownText(question, from(300))).toBe("deadline passed");
    expect(countdownText(question, from(9999))).toBe("deadline passed");
  });

  test("becomes pressing in its last fifth", () => {
    expect([0, 239, 241, 300].map((seconds) => urgencyOf(question, from(seconds)))).toEqual([
      "calm",
      "calm",
      "soon",
      "due",
    ]);
  });

  test("says what it does", () => {
    expect(deadlineConsequence(question)).toMatch(/timeout/);
    expect(
      deadlineConsequence({
        ...question,
        hasDefault: true,
        defaultValue: "eu",
        choices: [{ value: "eu", label: "Europe" }],
      }),
    ).toBe("the default is used: Europe");
  });
});

test("an outcome in words", () => {
  const question = newQuestionData({
    taskId: "task_1",
    prompt: "?",
    askedAt: "2026-11-30T12:00:00.000000Z",
    resolvedAt: "2026-11-30T12:00:42.000000Z",
  });
  const by = { kind: "agent", id: "a", name: "Robot", surface: "rest" } as const;
  expect(outcomeText({ ...question, outcome: "answered", resolvedBy: by })).toBe(
    "Answered by Robot over REST after 42 s",
  );
  expect(outcomeText({ ...question, outcome: "timed_out", defaultUsed: true })).toMatch(
    /^Timed out after 42 s; the default was used$/,
  );
});

test("an answer in one line, with labels, and never endless", () => {
  const choices = [{ value: "a", label: "Apple" }];
  expect(answerText({ choices }, ["a", "b"])).toBe("Apple, b");
  expect(answerText({ choices: null }, [])).toBe("nothing");
  expect(answerText({ choices: null }, { x: 1 })).toBe('{"x":1}');
  expect(answerText({ choices: null }, "x".repeat(500))).toHaveLength(201);
});

test("the server's clock counts when it is off by more than its header can say", () => {
  const server = "Mon, 30 Nov 2026 12:00:00 GMT";
  const now = Date.parse(server);
  expect(clockOffset(server, now, now + 900)).toBe(0);
  expect(clockOffset(server, now - 60_000, now - 60_000)).toBe(60_500);
  expect(clockOffset(null, now, now)).toBeNull();
  expect(clockOffset("yesterday", now, now)).toBeNull();
});

test("a timestamp has six decimals", () => {
  expect(timestampOf(Date.UTC(2026, 10, 30, 12))).toBe("2026-11-30T12:00:00.000000Z");
});
