import { describe, expect, test } from "vitest";
import { retryDelaySeconds, stateWhenDown } from "../../components/live/connection-state.ts";
import { answerKind } from "../../components/questions/answer-kind.ts";
import { inboxOrder } from "../../components/questions/inbox-order.ts";
import { hasMarkdown, isLong } from "../../components/questions/prompt-shape.ts";
import { titleWithCount } from "../../components/shell/title-with-count.ts";
import { nextRunText } from "../../components/tasks/next-run-text.ts";
import { amountText, progressText, rateText } from "../../components/tasks/progress-text.ts";
import { newQuestionData } from "../../server/core/task-question.ts";

test("the tab's title has the number waiting once, however often it is set", () => {
  expect(titleWithCount("Inbox", 3)).toBe("(3) Inbox");
  expect(titleWithCount("(3) Inbox", 4)).toBe("(4) Inbox");
  expect(titleWithCount("(99+) Inbox", 0)).toBe("Inbox");
  expect(titleWithCount("Inbox", 1000)).toBe("(99+) Inbox");
});

describe("the inbox's order", () => {
  const question = (id: string, deadline: string, outcome: "answered" | null = null) =>
    newQuestionData({ questionId: id, taskId: "t", prompt: "?", deadline, outcome });
  const soon = "2026-11-30T12:00:00.000000Z";
  const later = "2026-11-30T13:00:00.000000Z";

  test("soonest deadline first, each question once", () => {
    const all = [question("b", later), question("a", soon), question("b", later)];
    expect(inboxOrder(all, new Set()).map(({ questionId }) => questionId)).toEqual(["a", "b"]);
  });

  test("a resolved one keeps its place until it is dismissed; an open one cannot be", () => {
    const all = [question("a", soon, "answered"), question("b", later)];
    expect(inboxOrder(all, new Set())).toHaveLength(2);
    expect(inboxOrder(all, new Set(["a", "b"])).map(({ questionId }) => questionId)).toEqual(["b"]);
  });
});

test("a schema of a few values is answered like choices", () => {
  const plain = { choices: null, multiple: false, secret: false };
  const ask = (schema: object) => answerKind({ ...plain, schema: schema as never }).kind;
  expect(ask({ type: "boolean" })).toBe("one");
  expect(ask({ enum: ["a", 2, null] })).toBe("one");
  expect(ask({ enum: Array.from({ length: 40 }, (_, i) => i) })).toBe("schema");
  expect(ask({ type: "object" })).toBe("schema");
  expect(answerKind({ ...plain, schema: null }).kind).toBe("text");
  expect(answerKind({ ...plain, secret: true, schema: null }).kind).toBe("secret");
});

test("Markdown's parser is loaded only for what it would change", () => {
  expect(hasMarkdown("Proceed with the release? Yes or no.")).toBe(false);
  for (const text of ["**bold**", "a\n- b", "1. one", "`x`", "see <b>", "# H", "a\n---"]) {
    expect(hasMarkdown(text), text).toBe(true);
  }
  expect(isLong("x".repeat(1201))).toBe(true);
  expect(isLong("a\n".repeat(20))).toBe(true);
  expect(isLong("short")).toBe(false);
});

test("retries wait longer, up to ten seconds, and not all at the same moment", () => {
  const full = [1, 2, 3, 4, 5, 6, 20].map((attempt) => retryDelaySeconds(attempt, () => 1));
  expect(full).toEqual([0.5, 1, 2, 4, 8, 10, 10]);
  expect(retryDelaySeconds(3, () => 0)).toBe(1);
});

test("a dropped connection is called lost when it stays away, and at once without a network", () => {
  expect(stateWhenDown(true, 1, true)).toBe("reconnecting");
  expect(stateWhenDown(true, 9, true)).toBe("lost");
  expect(stateWhenDown(true, 0, false)).toBe("lost");
  expect(stateWhenDown(false, 1, true)).toBe("connecting");
});

test("progress in words", () => {
  expect(progressText({ done: 1, total: 3 })).toBe("33 %");
  expect(progressText({ done: 999, total: 1000 })).toBe("99 %");
  expect(progressText({ done: 1234, total: null })).toBe("1,234");
  expect(progressText({ done: 5, total: 0 })).toBe("5");
  const bytes = { done: 1_234_567, total: 4_800_000, unit: "bytes" };
  expect(amountText(bytes)).toBe("1.2 of 4.8 MB");
  expect(amountText({ done: 800, total: null, unit: "bytes" })).toBe("800 bytes");
  expect(progressText({ ...bytes, total: null })).toBe("1.2 MB");
  expect(amountText({ done: 3, total: 40, unit: "files" })).toBe("3 of 40 files");
  const pace = { done: 0, workedSeconds: 0, perSecond: 4_200_000 };
  expect(rateText({ pace, unit: "bytes" })).toBe("4.2 MB/s");
  expect(rateText({ pace: { ...pace, perSecond: 0.1 }, unit: "files" })).toBe("6 files/min");
  expect(rateText({ pace: { ...pace, perSecond: null } })).toBeNull();
});

test("when a task that no worker has is taken up again", () => {
  const wakeAt = "2026-11-30T10:00:30.000000Z";
  const now = Date.parse("2026-11-30T10:00:18Z");
  const task = { status: "pending", wakeAt, attempt: 1, workerId: null } as const;
  expect(nextRunText(task, now)).toBe("tried again in 12 s");
  expect(nextRunText({ ...task, attempt: 0 }, now)).toBe("starts in 12 s");
  expect(nextRunText({ ...task, status: "running" }, now)).toBe("goes on in 12 s");
  expect(nextRunText({ ...task, workerId: "w" }, now)).toBeNull();
  expect(nextRunText({ ...task, status: "failed" }, now)).toBeNull();
  expect(nextRunText(task, now + 60_000)).toBeNull();
});
