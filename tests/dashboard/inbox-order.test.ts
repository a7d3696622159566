import { describe, expect, test } from "vitest";
import { templateOf } from "../../components/questions/alike.ts";
import { inboxOrder, neighbour, settledOrder } from "../../components/questions/inbox-order.ts";
import { answerBy } from "../../server/core/answer-by.ts";
import { newQuestionData, type QuestionFields } from "../../server/core/task-question.ts";
import { addSeconds } from "../../server/core/timestamp.ts";

const start = "2026-11-30T12:00:00.000000Z";

function question(questionId: string, fields: Partial<QuestionFields> & { tasksBehind?: number }) {
  const { tasksBehind, ...rest } = fields;
  const data = newQuestionData({ taskId: "t", prompt: "?", questionId, askedAt: start, ...rest });
  return { ...data, tasksBehind };
}

const ids = (list: readonly { questionId: string }[]) => list.map(({ questionId }) => questionId);
const order = (...list: ReturnType<typeof question>[]) => ids(inboxOrder(list, new Set()));

describe("what comes first", () => {
  test("the sooner deadline", () => {
    const list = [900, 300, 600].map((timeout) => question(`q${timeout}`, { timeout }));
    expect(order(...list)).toEqual(["q300", "q600", "q900"]);
  });

  test("with deadlines far away, who has waited longest", () => {
    const day = 86_400;
    const asked = (id: string, seconds: number, timeout: number) =>
      question(id, { askedAt: addSeconds(start, seconds), timeout });
    expect(order(asked("new", 600, day), asked("old", 0, 3 * day))).toEqual(["old", "new"]);
  });

  test("urgency, and tasks that wait behind", () => {
    const timeout = 86_400;
    const list = [
      question("low", { timeout, urgency: "low" }),
      question("normal", { timeout }),
      question("parents", { timeout, tasksBehind: 2 }),
      question("high", { timeout, urgency: "high" }),
    ];
    expect(order(...list)).toEqual(["high", "parents", "normal", "low"]);
  });

  test("a deadline that fails the task before one with a default", () => {
    const timeout = 600;
    const list = [question("a", { timeout, hasDefault: true }), question("b", { timeout })];
    expect(order(...list)).toEqual(["b", "a"]);
    expect(answerBy(question("b", { timeout }))).toBe(Date.parse(start) + 480_000);
  });

  test("what was resolved stays until it is dismissed, and each is there once", () => {
    const done = question("a", { outcome: "answered" });
    const open = question("b", {});
    expect(ids(inboxOrder([done, open, open], new Set()))).toEqual(["a", "b"]);
    expect(ids(inboxOrder([done, open], new Set(["a", "b"])))).toEqual(["b"]);
  });
});

describe("an order that does not move what is read", () => {
  test("at first it is the wanted one", () => {
    expect(settledOrder([], ["a", "b"], null)).toEqual({ ids: ["a", "b"], held: [] });
  });

  test("new ones go to their place below, and are held back above", () => {
    const wanted = ["n1", "a", "n2", "b", "n3", "c", "n4"];
    expect(settledOrder(["a", "b", "c"], wanted, "b")).toEqual({
      ids: ["a", "b", "n3", "c", "n4"],
      held: ["n1", "n2"],
    });
    expect(settledOrder(["a", "b", "c"], wanted, null).ids).toEqual(wanted);
  });

  test("what is shown keeps its order though another one is wanted, and what is gone goes", () => {
    expect(settledOrder(["a", "b", "c"], ["c", "a", "d"], "a")).toEqual({
      ids: ["a", "d", "c"],
      held: [],
    });
  });

  test("an anchor that is gone holds nothing back", () => {
    expect(settledOrder(["a"], ["n", "a"], "gone").ids).toEqual(["n", "a"]);
  });
});

test("the next row is the next that fits, and there is none beyond the end", () => {
  const fits = (id: string) => id !== "b";
  expect(neighbour(["a", "b", "c"], "a", 1, fits)).toBe("c");
  expect(neighbour(["a", "b", "c"], "c", -1, fits)).toBe("a");
  expect(neighbour(["a", "b", "c"], "c", 1, fits)).toBeNull();
  expect(neighbour(["a", "b", "c"], null, 1, fits)).toBe("a");
});

test("alike is what asks the same kind of thing of the same type; never approvals and secrets", () => {
  const one = { ...question("a", {}), taskType: "ask" };
  expect(templateOf(one)).toBe(
    templateOf({ ...question("b", { prompt: "Other?" }), taskType: "ask" }),
  );
  expect(templateOf(one)).not.toBe(templateOf({ ...one, taskType: "other" }));
  expect(templateOf(one)).not.toBe(templateOf({ ...one, schema: { type: "boolean" } }));
  expect(templateOf({ ...one, secret: true })).toBeNull();
});
