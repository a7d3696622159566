import { describe, expect, test } from "vitest";
import type { Command } from "../../server/core/command.ts";
import { plainStart } from "../../server/core/plain-start.ts";
import { decideStart } from "../../server/core/state-machine.ts";
import {
  agent,
  ann,
  ask,
  bob,
  cancel,
  claim,
  expire,
  finish,
  later,
  park,
  release,
  resolve,
  retry,
  taskIn,
} from "../support/paper-commands.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";

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
    ...plainStart,
    taskId: "task_2",
    at: 0,
    type: "demo",

    actor: agent,
  };
});

describe("claiming", () => {
  test("raises attempt and epoch, and fences off the attempt before", () => {
    const task = taskIn("running");
    const [epoch] = [task.record.epoch];
    expire(task, "w_1");
    claim(task);
    expect(task.record).toMatchObject({ attempt: 2, interrupts: 1, workerId: "w_1" });
    expect(task.record.epoch).toBeGreaterThan(epoch);
    expect(() => finish(task, "completed", epoch)).toThrow(/taken over/);
    expect(task.events.at(-1)).toMatchObject({ kind: "attempt_started", reason: "resume" });
  });

  test("waits for the time a retry is due", () => {
    const task = taskIn("running");
    retry(task);
    expect(claim(task)).toBeNull();
    claim(task.wait(5));
    expect(task.record).toMatchObject({ status: "running", attempt: 2, failures: 1 });
    expect(task.events.at(-1)).toMatchObject({ kind: "attempt_started", reason: "retry" });
  });

  test("leaves a parked task alone until its question is resolved", () => {
    const task = taskIn("waiting_for_input");
    release(task);
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

describe("parking", () => {
  test("lets go of a task that waits, and an answer makes it due", () => {
    const task = taskIn("waiting_for_input");
    expect(park(task)).toBe(true);
    expect(task.record).toMatchObject({
      status: "waiting_for_input",
      workerId: null,
      wakeAt: null,
    });
    expect(() => finish(task, "completed", task.record.epoch - 1)).toThrow(/taken over/);
    resolve(task.wait(60), "q_1", "answered");
    expect(claim(task)).toMatchObject({ status: "running", attempt: 2 });
  });

  test("is refused when what it waits for came about meanwhile", () => {
    const task = taskIn("waiting_for_input");
    const { epoch, openQuestions } = task.record;
    resolve(task, "q_1", "answered");
    const parked = task.do<"park">({ kind: "park", epoch, openQuestions, wakeAt: null });
    expect(parked).toBe(false);
    expect(task.record.workerId).toBe("w_1");
  });

  test("until a time makes the task due then", () => {
    const task = taskIn("running");
    park(task, later(task, 60));
    expect(claim(task.wait(59))).toBeNull();
    expect(claim(task.wait(1))).not.toBeNull();
  });
});

describe("cancelling", () => {
  test("closes open questions in the same write and is recorded once", () => {
    const task = taskIn("waiting_for_input");
    ask(task, { questionId: "q_2" });
    expect(cancel(task)).toBe(true);
    expect(cancel(task)).toBe(true);
    expect([...task.questions.values()].map(({ outcome }) => outcome)).toEqual([
      "cancelled",
      "cancelled",
    ]);
    expect(task.events.filter(({ kind }) => kind === "cancel_requested")).toHaveLength(1);
    expect(() => ask(task)).toThrow(/cancelled/);
  });

  test("lets a handler that finishes all the same keep its result", () => {
    const task = taskIn("running");
    cancel(task);
    finish(task, "completed");
    expect(task.record.status).toBe("completed");
    expect(task.ended).toEqual({ result: "done", error: null });
  });

  test("by force ends at once and fences the handler off", () => {
    const task = taskIn("running");
    const { epoch } = task.record;
    expect(cancel(task, true)).toBe(true);
    expect(task.record).toMatchObject({ status: "cancelled", workerId: null });
    expect(() => finish(task, "completed", epoch)).toThrow(/ended \(cancelled\)/);
    expect(task.ended?.error).toBe("TaskCancelled: the task was cancelled");
  });

  test("wakes a parked task, so that its clean-up runs", () => {
    const task = taskIn("waiting_for_input");
    release(task);
    expect(task.record.wakeAt).toBeNull();
    cancel(task);
    expect(claim(task)).not.toBeNull();
  });
});

describe("the two clocks", () => {
  test("count working and waiting apart, and neither while no worker has the task", () => {
    const task = new TaskOnPaper();
    claim(task.wait(10));
    ask(task.wait(2), { questionId: "q_1" });
    resolve(task.wait(60), "q_1", "answered");
    release(task.wait(3));
    claim(task.wait(100));
    finish(task.wait(4), "completed");
    expect(task.record.workedSeconds).toBeCloseTo(9, 4);
    expect(task.record.waitedSeconds).toBeCloseTo(60, 4);
  });

  test("do not run between an answer and the worker that takes the task up again", () => {
    const task = new TaskOnPaper();
    claim(task);
    ask(task.wait(2), { questionId: "q_1" });
    release(task.wait(5));
    resolve(task.wait(60), "q_1", "answered");
    expect(task.record).toMatchObject({ status: "running", clock: null });
    claim(task.wait(1000));
    finish(task.wait(4), "completed");
    expect(task.record.workedSeconds).toBeCloseTo(6, 4);
    expect(task.record.waitedSeconds).toBeCloseTo(65, 4);
  });
});
