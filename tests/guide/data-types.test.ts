import { describe, expect, test } from "vitest";
import {
  isTerminal,
  PollResponse,
  parseTimestamp,
  TaskQuestion,
  TaskResult,
  TaskStatus,
  TaskUpdate,
  UpdateLevel,
} from "../../server/index.ts";

function expectNow(timestamp: string): void {
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(Math.abs(Date.now() * 1000 - parseTimestamp(timestamp))).toBeLessThan(5_000_000);
}

describe("TaskStatus", () => {
  test("has the six statuses", () => {
    expect(TaskStatus).toEqual({
      PENDING: "pending",
      RUNNING: "running",
      WAITING_FOR_INPUT: "waiting_for_input",
      COMPLETED: "completed",
      FAILED: "failed",
      CANCELLED: "cancelled",
    });
  });

  test("three of which are terminal", () => {
    expect(Object.values(TaskStatus).filter(isTerminal)).toEqual([
      TaskStatus.COMPLETED,
      TaskStatus.FAILED,
      TaskStatus.CANCELLED,
    ]);
  });
});

test("UpdateLevel has the four levels", () => {
  expect(UpdateLevel).toEqual({
    DEBUG: "debug",
    INFO: "info",
    WARNING: "warning",
    ERROR: "error",
  });
});

describe("TaskUpdate", () => {
  test("is of level info, now, with an id of its own, unless told otherwise", () => {
    const update = new TaskUpdate({ taskId: "task_1", message: "Scanning" });
    expect(update).toMatchObject({ taskId: "task_1", message: "Scanning", level: "info" });
    expectNow(update.timestamp);
    const next = new TaskUpdate({ taskId: "task_1", message: "Scanning" });
    expect(next.updateId).not.toBe(update.updateId);
  });

  test("keeps what it is given", () => {
    const fields = {
      taskId: "task_1",
      message: "Retrying",
      level: UpdateLevel.ERROR,
      timestamp: "2026-11-30T17:04:05.000123Z",
      updateId: "u_1",
    };
    expect({ ...new TaskUpdate(fields) }).toEqual(fields);
  });
});

describe("TaskQuestion", () => {
  const asked = { taskId: "task_1", prompt: "Continue?" };

  test("waits 300 s from now and is open, unless told otherwise", () => {
    const question = new TaskQuestion(asked);
    expect(question).toMatchObject({
      ...asked,
      timeout: 300,
      answer: null,
      answeredAt: null,
      timedOut: false,
      isAnswered: false,
      isResolved: false,
    });
    expectNow(question.askedAt);
    expect(question.questionId).not.toBe(new TaskQuestion(asked).questionId);
    expect(parseTimestamp(question.deadline) - parseTimestamp(question.askedAt)).toBe(300_000_000);
  });

  test.each([
    ["answered", { isAnswered: true, isResolved: true, timedOut: false }],
    ["timed_out", { isAnswered: false, isResolved: true, timedOut: true }],
    ["declined", { isAnswered: false, isResolved: true, timedOut: false }],
    ["cancelled", { isAnswered: false, isResolved: true, timedOut: false }],
  ] as const)("that is %s says so", (outcome, expected) => {
    expect(new TaskQuestion({ ...asked, outcome })).toMatchObject(expected);
  });

  test("becomes JSON with its derived fields", () => {
    const json = JSON.parse(JSON.stringify(new TaskQuestion(asked)));
    expect(json).toMatchObject({ ...asked, timeout: 300, isAnswered: false, isResolved: false });
  });

  test("can be made again from its JSON", () => {
    const question = new TaskQuestion({ ...asked, outcome: "answered", answer: "yes" });
    const again = new TaskQuestion(JSON.parse(JSON.stringify(question)));
    expect(again).toEqual(question);
    expect(again.isAnswered).toBe(true);
  });
});

test("TaskResult has no result, no error, and is of now, unless told otherwise", () => {
  const result = new TaskResult({ taskId: "task_1", status: TaskStatus.COMPLETED });
  expect(result).toMatchObject({
    taskId: "task_1",
    status: "completed",
    result: null,
    error: null,
  });
  expectNow(result.completedAt);
});

describe("PollResponse", () => {
  test("has no updates, no question and no result, unless told otherwise", () => {
    const response = new PollResponse({ taskId: "task_1", status: "running", cursor: "c_0" });
    expect(response).toMatchObject({
      taskId: "task_1",
      status: TaskStatus.RUNNING,
      updates: [],
      pendingQuestion: null,
      result: null,
    });
  });

  test("becomes JSON that says everything", () => {
    const response = new PollResponse({
      taskId: "task_1",
      status: "waiting_for_input",
      cursor: "c_2",
      updates: [new TaskUpdate({ taskId: "task_1", message: "Checking" })],
      pendingQuestions: [new TaskQuestion({ taskId: "task_1", prompt: "Continue?" })],
    });
    const json = JSON.parse(JSON.stringify(response));
    expect(json).toEqual(JSON.parse(JSON.stringify(response.toJSON())));
    expect(json).toMatchObject({
      taskId: "task_1",
      status: "waiting_for_input",
      updates: [{ message: "Checking", level: "info" }],
      pendingQuestion: { prompt: "Continue?", timeout: 300, isResolved: false },
      result: null,
    });
  });
});
