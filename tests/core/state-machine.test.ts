import { describe, expect, test } from "vitest";
import type { Actor } from "../../server/core/actor.ts";
import type { Command } from "../../server/core/command.ts";
import { isToolthreadError } from "../../server/core/errors.ts";
import { decideStart } from "../../server/core/state-machine.ts";
import { newQuestionData, type QuestionFields } from "../../server/core/task-question.ts";
import { isTerminal, type TaskStatus } from "../../server/core/task-status.ts";
import { addSeconds, toTimestamp } from "../../server/core/timestamp.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";

const agent: Actor = { kind: "agent", id: "a1", name: "an agent", surface: "trpc" };
const ann: Actor = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" };
const bob: Actor = { kind: "operator", id: "bob", name: "Bob", surface: "dashboard" };

const leaseSeconds = 30;

function claim(task: TaskOnPaper) {
  const expiresAt = addSeconds(toTimestamp(task.at), leaseSeconds);
  return task.do<"claim">({ kind: "claim", lease: { workerId: "w_1", expiresAt } });
}

function ask(task: TaskOnPaper, fields: Partial<QuestionFields> = {}) {
  const question = newQuestionData({
    taskId: task.record.taskId,
    prompt: "Go on?",
    askedAt: toTimestamp(task.at),
    timeout: 300,
    ...fields,
  });
  return task.do<"ask">({ kind: "ask", epoch: task.record.epoch, question });
}

function resolve(
  task: TaskOnPaper,
  questionId: string,
  outcome: Command<"resolve">["outcome"],
  actor: Actor | null = ann,
  answer = "yes",
) {
  return task.do<"resolve">({
    kind: "resolve",
    questionId,
    outcome,
    answer: outcome === "answered" ? answer : null,
    declineReason: null,
    actor: outcome === "timed_out" ? null : actor,
  });
}

function finish(task: TaskOnPaper, status: Command<"finish">["status"], epoch = task.record.epoch) {
  return task.do<"finish">({
    kind: "finish",
    epoch,
    status,
    result: status === "completed" ? "done" : null,
    error: status === "completed" ? null : "Error: it broke",
  });
}

/** A fresh task brought to a status; a waiting one has the open question `q_1`. */
function taskIn(status: TaskStatus): TaskOnPaper {
  const task = new TaskOnPaper();
  if (status === "pending") return task;
  claim(task.wait(1));
  task.wait(1);
  if (status === "waiting_for_input") ask(task, { questionId: "q_1" });
  if (isTerminal(status)) finish(task, status);
  return task.wait(1);
}

const statuses: TaskStatus[] = [
  "pending",
  "running",
  "waiting_for_input",
  "completed",
  "failed",
  "cancelled",
];

const entry = {
  taskId: "task_onpaper0",
  kind: "step",
  name: "copy",
  key: "#1",
  status: "ok",
  value: 1,
  error: null,
  startedAt: "2026-11-30T12:00:00.000000Z",
} as const;

/** Each command as a program that means it would send it, to a task in any status. */
const commands: Record<string, (task: TaskOnPaper) => unknown> = {
  claim,
  renew: (task) =>
    task.do<"renew">({
      kind: "renew",
      epoch: task.record.epoch,
      expiresAt: addSeconds(toTimestamp(task.at), leaseSeconds),
    }),
  release: (task) => task.do<"release">({ kind: "release", epoch: task.record.epoch }),
  "expire a live lease": (task) =>
    task.do<"expire">({ kind: "expire", deadWorkerId: null, reason: "gone", fail: null }),
  "expire a dead worker": (task) =>
    task.do<"expire">({ kind: "expire", deadWorkerId: "w_1", reason: "gone", fail: null }),
  "expire and fail": (task) =>
    task.do<"expire">({ kind: "expire", deadWorkerId: "w_1", reason: "gone", fail: "Error: x" }),
  post_update: (task) =>
    task.do<"post_update">({
      kind: "post_update",
      epoch: task.record.epoch,
      updateId: "u_1",
      level: "info",
      message: "hello",
    }),
  "post_update of an earlier attempt": (task) =>
    task.do<"post_update">({
      kind: "post_update",
      epoch: task.record.epoch - 1,
      updateId: "u_1",
      level: "info",
      message: "hello",
    }),
  set_progress: (task) =>
    task.do<"set_progress">({
      kind: "set_progress",
      epoch: task.record.epoch,
      progress: { done: 1, total: 2, message: null, at: toTimestamp(task.at) },
    }),
  record: (task) => task.do<"record">({ kind: "record", epoch: task.record.epoch, entry }),
  ask: (task) => ask(task, { questionId: "q_2" }),
  answer: (task) => resolve(task, "q_1", "answered"),
  decline: (task) => resolve(task, "q_1", "declined"),
  "time out too early": (task) => resolve(task, "q_1", "timed_out"),
  "time out": (task) => resolve(task.wait(400), "q_1", "timed_out"),
  mark_seen: (task) => task.do<"mark_seen">({ kind: "mark_seen", questionId: "q_1", actor: ann }),
  cancel: (task) =>
    task.do<"request_cancel">({ kind: "request_cancel", actor: ann, reason: null, force: false }),
  "cancel by force": (task) =>
    task.do<"request_cancel">({ kind: "request_cancel", actor: ann, reason: null, force: true }),
  complete: (task) => finish(task, "completed"),
  fail: (task) => finish(task, "failed"),
  retry: (task) =>
    task.do<"retry">({
      kind: "retry",
      epoch: task.record.epoch,
      error: "Error: it broke",
      retryAt: addSeconds(toTimestamp(task.at), 5),
    }),
  "set_status running": (task) => task.do<"set_status">({ kind: "set_status", status: "running" }),
  "set_status failed": (task) => task.do<"set_status">({ kind: "set_status", status: "failed" }),
};

/** The status afterwards; `=` where nothing changed and nothing was refused; else the error code. */
function outcomeOf(command: string, status: TaskStatus): string {
  const task = taskIn(status);
  const before = structuredClone({ record: task.record, events: task.events, ended: task.ended });
  try {
    commands[command]?.(task);
  } catch (error) {
    if (!isToolthreadError(error)) throw error;
    expect({ record: task.record, events: task.events, ended: task.ended }).toEqual(before);
    return error.code;
  }
  const { record, events } = task;
  const isUntouched = JSON.stringify(record) === JSON.stringify(before.record);
  if (isUntouched && events.length === before.events.length) return "=";
  return record.status;
}

const unasked = "task_not_found";

describe("every command in every status", () => {
  //                                   pending         running          waiting_for_input    completed       failed          cancelled
  test.each([
    ["claim", ["running", "=", "=", "=", "=", "="]],
    ["renew", ["=", "running", "waiting_for_input", "=", "=", "="]],
    ["release", ["=", "running", "waiting_for_input", "=", "=", "="]],
    ["expire a live lease", ["=", "=", "=", "=", "=", "="]],
    ["expire a dead worker", ["=", "running", "waiting_for_input", "=", "=", "="]],
    ["expire and fail", ["=", "failed", "failed", "=", "=", "="]],
    [
      "post_update",
      ["pending", "running", "waiting_for_input", "lease_lost", "lease_lost", "lease_lost"],
    ],
    [
      "post_update of an earlier attempt",
      ["lease_lost", "lease_lost", "lease_lost", "lease_lost", "lease_lost", "lease_lost"],
    ],
    [
      "set_progress",
      ["pending", "running", "waiting_for_input", "lease_lost", "lease_lost", "lease_lost"],
    ],
    [
      "record",
      ["pending", "running", "waiting_for_input", "lease_lost", "lease_lost", "lease_lost"],
    ],
    [
      "ask",
      [
        "waiting_for_input",
        "waiting_for_input",
        "waiting_for_input",
        "lease_lost",
        "lease_lost",
        "lease_lost",
      ],
    ],
    ["answer", [unasked, unasked, "running", unasked, unasked, unasked]],
    ["decline", [unasked, unasked, "running", unasked, unasked, unasked]],
    ["time out too early", [unasked, unasked, "=", unasked, unasked, unasked]],
    ["time out", [unasked, unasked, "running", unasked, unasked, unasked]],
    ["mark_seen", [unasked, unasked, "waiting_for_input", unasked, unasked, unasked]],
    ["cancel", ["cancelled", "running", "running", "=", "=", "="]],
    ["cancel by force", ["cancelled", "cancelled", "cancelled", "=", "=", "="]],
    ["complete", ["completed", "completed", "completed", "lease_lost", "lease_lost", "lease_lost"]],
    ["fail", ["failed", "failed", "failed", "lease_lost", "lease_lost", "lease_lost"]],
    ["retry", ["pending", "pending", "pending", "lease_lost", "lease_lost", "lease_lost"]],
    ["set_status running", ["running", "=", "running", "conflict", "conflict", "conflict"]],
    ["set_status failed", ["failed", "failed", "failed", "conflict", "=", "conflict"]],
  ])("%s", (command, expected) => {
    expect(statuses.map((status) => outcomeOf(command, status))).toEqual(expected);
  });

  test("none is left out of the table", () => {
    expect(Object.keys(commands)).toHaveLength(23);
  });
});

describe("starting", () => {
  test("with a lease claims in the same write", () => {
    const task = new TaskOnPaper({
      lease: { workerId: "w_1", expiresAt: "2026-11-30T12:00:30.000000Z" },
    });
    expect(task.record).toMatchObject({ status: "running", attempt: 1, epoch: 1, wakeAt: null });
    expect(task.events.map(({ kind, seq }) => [kind, seq])).toEqual([
      ["task_created", 1],
      ["attempt_started", 2],
    ]);
  });

  test("with an idempotency key gives the earlier task, or refuses another request", () => {
    const { record } = new TaskOnPaper({ idempotencyKey: "k", requestDigest: "d1" });
    const again = { ...start, idempotencyKey: "k" };
    expect(decideStart({ ...again, requestDigest: "d1" }, record)).toEqual({
      draft: null,
      result: { task: record, created: false },
    });
    expect(() => decideStart({ ...again, requestDigest: "d2" }, record)).toThrow(record.taskId);
  });

  const start: Command<"start"> = {
    kind: "start",
    taskId: "task_2",
    at: 0,
    type: "demo",
    params: {},
    actor: agent,
    runAt: null,
    priority: 0,
    labels: {},
    concurrencyKey: null,
    parentTaskId: null,
    rerunOf: null,
    idempotencyKey: null,
    requestDigest: null,
    lease: null,
  };
});

describe("claiming", () => {
  test("raises attempt and epoch, and fences off the attempt before", () => {
    const task = taskIn("running");
    const [epoch] = [task.record.epoch];
    commands["expire a dead worker"]?.(task);
    claim(task);
    expect(task.record).toMatchObject({ attempt: 2, interrupts: 1, workerId: "w_1" });
    expect(task.record.epoch).toBeGreaterThan(epoch);
    expect(() => finish(task, "completed", epoch)).toThrow(/taken over/);
    expect(task.events.at(-1)).toMatchObject({ kind: "attempt_started", reason: "resume" });
  });

  test("waits for the time a retry is due", () => {
    const task = taskIn("running");
    commands.retry?.(task);
    expect(claim(task)).toBeNull();
    claim(task.wait(5));
    expect(task.record).toMatchObject({ status: "running", attempt: 2, failures: 1 });
    expect(task.events.at(-1)).toMatchObject({ kind: "attempt_started", reason: "retry" });
  });

  test("leaves a parked task alone until its question is resolved", () => {
    const task = taskIn("waiting_for_input");
    commands.release?.(task);
    expect(claim(task)).toBeNull();
    resolve(task, "q_1", "answered");
    expect(task.record.status).toBe("running");
    expect(claim(task)).not.toBeNull();
  });
});

describe("questions", () => {
  test("keep the task waiting until the last is resolved", () => {
    const task = taskIn("waiting_for_input");
    ask(task, { questionId: "q_2" });
    resolve(task, "q_1", "answered");
    expect(task.record).toMatchObject({ status: "waiting_for_input", openQuestions: 1 });
    resolve(task, "q_2", "declined");
    expect(task.record).toMatchObject({ status: "running", openQuestions: 0 });
  });

  test("have the outcome that came first; the winner's own repeat is a success", () => {
    const task = taskIn("waiting_for_input");
    expect(resolve(task, "q_1", "answered", ann, "yes").won).toBe(true);
    expect(resolve(task, "q_1", "answered", ann, "yes").won).toBe(true);
    for (const [outcome, actor, answer] of [
      ["answered", ann, "no"],
      ["answered", bob, "yes"],
      ["declined", ann, ""],
      ["timed_out", null, ""],
    ] as const) {
      const { won, question } = resolve(task, "q_1", outcome, actor, answer);
      expect({ won, outcome: question.outcome, answer: question.answer }).toEqual({
        won: false,
        outcome: "answered",
        answer: "yes",
      });
    }
    expect(task.events.filter(({ kind }) => kind === "question_resolved")).toHaveLength(1);
  });

  test("take no answer at or after the deadline, swept or not", () => {
    const late = taskIn("waiting_for_input");
    const { deadline } = late.questions.get("q_1") as { deadline: string };
    late.wait(297.999_999);
    const inTime = taskIn("waiting_for_input").wait(297.999_998);
    expect(resolve(inTime, "q_1", "answered").won).toBe(true);
    late.at = Date.parse(deadline) * 1000;
    const { won, question } = resolve(late, "q_1", "answered");
    expect(won).toBe(false);
    expect(question).toMatchObject({ outcome: "timed_out", answer: null, resolvedBy: null });
  });

  test("for operators take an operator's answer only", () => {
    const task = taskIn("running");
    const { questionId } = ask(task, { answerableBy: "operator" });
    expect(() => resolve(task, questionId, "answered", agent)).toThrow(/operator/);
    expect(task.openQuestions()).toHaveLength(1);
    expect(resolve(task, questionId, "answered", bob).won).toBe(true);
  });

  test("with a default say so when they time out, and only then", () => {
    const timedOut = taskIn("running");
    const first = ask(timedOut, { hasDefault: true, defaultValue: "eu" });
    resolve(timedOut.wait(300), first.questionId, "timed_out");
    expect(timedOut.questions.get(first.questionId)).toMatchObject({
      outcome: "timed_out",
      answer: null,
      defaultUsed: true,
      defaultValue: "eu",
    });
    const declined = taskIn("running");
    const second = ask(declined, { hasDefault: true, defaultValue: "eu" });
    resolve(declined, second.questionId, "declined");
    expect(declined.questions.get(second.questionId)).toMatchObject({ defaultUsed: false });
  });

  test("remember the first human who saw them", () => {
    const task = taskIn("waiting_for_input");
    task.do<"mark_seen">({ kind: "mark_seen", questionId: "q_1", actor: ann });
    task.do<"mark_seen">({ kind: "mark_seen", questionId: "q_1", actor: bob });
    expect(task.questions.get("q_1")).toMatchObject({ firstSeenBy: ann });
    expect(task.events.filter(({ kind }) => kind === "question_seen")).toHaveLength(1);
  });
});

describe("cancelling", () => {
  test("closes open questions in the same write and is recorded once", () => {
    const task = taskIn("waiting_for_input");
    ask(task, { questionId: "q_2" });
    expect(commands.cancel?.(task)).toBe(true);
    expect(commands.cancel?.(task)).toBe(true);
    expect([...task.questions.values()].map(({ outcome }) => outcome)).toEqual([
      "cancelled",
      "cancelled",
    ]);
    expect(task.events.filter(({ kind }) => kind === "cancel_requested")).toHaveLength(1);
    expect(() => ask(task)).toThrow(/cancelled/);
  });

  test("lets a handler that finishes all the same keep its result", () => {
    const task = taskIn("running");
    commands.cancel?.(task);
    finish(task, "completed");
    expect(task.record.status).toBe("completed");
    expect(task.ended).toEqual({ result: "done", error: null });
  });

  test("by force ends at once and fences the handler off", () => {
    const task = taskIn("running");
    const { epoch } = task.record;
    expect(commands["cancel by force"]?.(task)).toBe(true);
    expect(task.record).toMatchObject({ status: "cancelled", workerId: null });
    expect(() => finish(task, "completed", epoch)).toThrow(/ended \(cancelled\)/);
    expect(task.ended?.error).toBe("TaskCancelled: the task was cancelled");
  });

  test("wakes a parked task, so that its clean-up runs", () => {
    const task = taskIn("waiting_for_input");
    commands.release?.(task);
    expect(task.record.wakeAt).toBeNull();
    commands.cancel?.(task);
    expect(claim(task)).not.toBeNull();
  });
});

describe("the two clocks", () => {
  test("count working and waiting apart, and neither while no worker has the task", () => {
    const task = new TaskOnPaper();
    claim(task.wait(10));
    ask(task.wait(2), { questionId: "q_1" });
    resolve(task.wait(60), "q_1", "answered");
    commands.release?.(task.wait(3));
    claim(task.wait(100));
    finish(task.wait(4), "completed");
    expect(task.record.workedSeconds).toBeCloseTo(9, 4);
    expect(task.record.waitedSeconds).toBeCloseTo(60, 4);
  });
});
