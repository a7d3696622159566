import fc from "fast-check";
import { expect, test } from "vitest";
import type { Actor } from "../../server/core/actor.ts";
import { isToolthreadError } from "../../server/core/errors.ts";
import { newQuestionData } from "../../server/core/task-question.ts";
import { isTerminal } from "../../server/core/task-status.ts";
import { addSeconds, toTimestamp } from "../../server/core/timestamp.ts";
import { claimQuestion, releaseQuestion } from "../support/paper-commands.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";

const actors: Actor[] = [
  { kind: "agent", id: "a1", name: "an agent", surface: "rest" },
  { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" },
];
const actor = fc.constantFrom(...actors);
const workerId = fc.constantFrom("w_1", "w_2");
/** Most writers are current; some are an attempt behind. */
const epochsBehind = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constant(1));
/** Which of the task's questions, counted from the newest. */
const nth = fc.nat({ max: 3 });

type Move = (task: TaskOnPaper) => unknown;

const later = (task: TaskOnPaper, seconds: number) => addSeconds(toTimestamp(task.at), seconds);
const epochOf = (task: TaskOnPaper, behind: number) => task.record.epoch - behind;
const questionOf = (task: TaskOnPaper, index: number) =>
  [...task.questions.keys()].at(-1 - (index % Math.max(1, task.questions.size))) ?? "q_none";

let questionNumber = 0;

/** A move that a failing sequence shows by its name. */
const named = (name: string, move: Move) => ({ move, [fc.toStringMethod]: () => name });

const livingMoves = fc.oneof(
  fc
    .integer({ min: -7200, max: 7200 })
    .map((seconds) => named(`clock ${seconds} s`, (task) => task.wait(seconds))),
  fc
    .double({ min: 0, max: 60, noNaN: true })
    .map((seconds) => named(`wait ${seconds} s`, (task) => task.wait(seconds))),
  workerId.map((worker) =>
    named(`claim by ${worker}`, (task) =>
      task.do<"claim">({
        kind: "claim",
        lease: { workerId: worker, expiresAt: later(task, 30) },
      }),
    ),
  ),
  epochsBehind.map((behind) =>
    named(`renew -${behind}`, (task) =>
      task.do<"renew">({
        kind: "renew",
        epoch: epochOf(task, behind),
        expiresAt: later(task, 30),
      }),
    ),
  ),
  epochsBehind.map((behind) =>
    named(`release -${behind}`, (task) =>
      task.do<"release">({ kind: "release", epoch: epochOf(task, behind) }),
    ),
  ),
  fc
    .option(workerId)
    .map((dead) =>
      named(`expire ${dead}`, (task) =>
        task.do<"expire">({ kind: "expire", deadWorkerId: dead, reason: "gone", fail: null }),
      ),
    ),
  fc.tuple(epochsBehind, fc.option(fc.integer({ min: -90, max: 90 }))).map(([behind, shift]) =>
    named(`update -${behind} at ${shift}`, (task) =>
      task.do<"post_update">({
        kind: "post_update",
        epoch: epochOf(task, behind),
        updateId: "u",
        level: "info",
        message: "m",
        ...(shift === null ? {} : { timestamp: later(task, shift) }),
      }),
    ),
  ),
  epochsBehind.map((behind) =>
    named(`progress -${behind}`, (task) =>
      task.do<"set_progress">({
        kind: "set_progress",
        epoch: epochOf(task, behind),
        progress: { done: 1, total: null, message: null, at: later(task, 0) },
      }),
    ),
  ),
  fc.tuple(epochsBehind, fc.integer({ min: 1, max: 120 })).map(([behind, timeout]) =>
    named(`ask -${behind} for ${timeout} s`, (task) =>
      task.do<"ask">({
        kind: "ask",
        epoch: epochOf(task, behind),
        question: newQuestionData({
          taskId: task.record.taskId,
          questionId: `q_${questionNumber++}`,
          prompt: "?",
          askedAt: later(task, 0),
          timeout,
        }),
      }),
    ),
  ),
  fc
    .tuple(nth, fc.constantFrom("answered", "declined", "timed_out"), actor, fc.boolean())
    .map(([index, outcome, by, yes]) =>
      named(`${outcome} #${index} by ${by.id} ${yes}`, (task) =>
        task.do<"resolve">({
          kind: "resolve",
          questionId: questionOf(task, index),
          outcome,
          answer: outcome === "answered" ? yes : null,
          declineReason: null,
          actor: outcome === "timed_out" ? null : by,
        }),
      ),
    ),
  fc
    .tuple(nth, actor, fc.boolean())
    .map(([index, by, takeOver]) =>
      named(`claim #${index} by ${by.id} ${takeOver}`, (task) =>
        claimQuestion(task, by, { questionId: questionOf(task, index), takeOver }),
      ),
    ),
  fc
    .tuple(nth, actor)
    .map(([index, by]) =>
      named(`let go of #${index} by ${by.id}`, (task) =>
        releaseQuestion(task, by, questionOf(task, index)),
      ),
    ),
  fc
    .tuple(nth, actor)
    .map(([index, by]) =>
      named(`seen #${index}`, (task) =>
        task.do<"mark_seen">({ kind: "mark_seen", questionId: questionOf(task, index), actor: by }),
      ),
    ),
  fc.tuple(epochsBehind, fc.option(fc.integer({ min: 0, max: 60 }))).map(([behind, seconds]) =>
    named(`park -${behind} until ${seconds}`, (task) => {
      const { openQuestions } = task.record;
      // Without a time and without a question it would wait for a child, which this test has not.
      if (seconds === null && openQuestions === 0) return;
      const wakeAt = seconds === null ? null : later(task, seconds);
      task.do<"park">({ kind: "park", epoch: epochOf(task, behind), openQuestions, wakeAt });
    }),
  ),
  fc.constant(named("wake", (task) => task.do<"wake">({ kind: "wake" }))),
  fc
    .tuple(epochsBehind, fc.constantFrom("working", "waiting"))
    .map(([behind, clock]) =>
      named(`clock ${clock} -${behind}`, (task) =>
        task.do<"set_clock">({ kind: "set_clock", epoch: epochOf(task, behind), clock }),
      ),
    ),
  epochsBehind.map((behind) =>
    named(`retry -${behind}`, (task) =>
      task.do<"retry">({
        kind: "retry",
        epoch: epochOf(task, behind),
        error: "Error: x",
        retryAt: later(task, 5),
      }),
    ),
  ),
);

const endingMoves = fc.oneof(
  workerId.map((worker) =>
    named(`expire ${worker} and fail`, (task) =>
      task.do<"expire">({
        kind: "expire",
        deadWorkerId: worker,
        reason: "gone",
        fail: "Error: crashed",
      }),
    ),
  ),
  fc
    .tuple(actor, fc.boolean())
    .map(([by, force]) =>
      named(`cancel force=${force}`, (task) =>
        task.do<"request_cancel">({ kind: "request_cancel", actor: by, reason: "enough", force }),
      ),
    ),
  fc.tuple(epochsBehind, fc.constantFrom("completed", "failed", "cancelled")).map(([b, status]) =>
    named(`finish -${b} ${status}`, (task) =>
      task.do<"finish">({
        kind: "finish",
        epoch: epochOf(task, b),
        status,
        result: 1,
        error: null,
      }),
    ),
  ),
);

/** Most moves let the task live, or no sequence would come far. */
const moves = fc.oneof(
  { weight: 25, arbitrary: livingMoves },
  { weight: 1, arbitrary: endingMoves },
);

/** What must hold after every command, refused or not. */
function checkTask(task: TaskOnPaper, before: TaskOnPaper["record"]): void {
  const { record, events } = task;
  const open = task.openQuestions();

  // The timeline: numbered without gaps, timestamps rising whatever the clock did.
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const times = events.map(({ at }) => at);
  expect(times.every((at, index) => index === 0 || at > (times[index - 1] as string))).toBe(true);
  expect(record.lastSeq).toBe(events.length);
  expect(record.lastEventAt).toBe(times.at(-1));

  // Waiting means an open question, and nothing else does.
  expect(record.openQuestions).toBe(open.length);
  expect(record.status === "waiting_for_input").toBe(open.length > 0);

  // Each question was opened once and has as many outcomes as it is closed: one or none.
  for (const [questionId, { outcome, claimedBy, claimedUntil, lastSeq }] of task.questions) {
    const outcomes = events.filter(
      (event) => event.kind === "question_resolved" && event.questionId === questionId,
    );
    expect(outcomes.map((event) => "outcome" in event && event.outcome)).toEqual(
      outcome === null ? [] : [outcome],
    );
    // Only people take questions on, and nobody is on one that is closed.
    expect([claimedBy === null, claimedBy?.kind ?? "operator"]).toEqual([
      claimedUntil === null,
      "operator",
    ]);
    if (outcome !== null) expect(claimedBy).toBeNull();
    // Its newest event is the one that says how it stands.
    const last = events.findLast(
      (event) => "questionId" in event && event.questionId === questionId,
    );
    expect(lastSeq).toBe(last?.seq);
  }

  // Numbers that only rise.
  for (const field of ["epoch", "attempt", "lastSeq", "workedSeconds", "waitedSeconds"] as const) {
    expect(record[field]).toBeGreaterThanOrEqual(before[field]);
  }

  // A lease has a holder; a live task is never lost: somebody has it, or will, or a human must act.
  expect(record.workerId === null).toBe(record.leaseExpiresAt === null);
  const hasFuture = record.workerId !== null || record.wakeAt !== null || open.length > 0;
  expect(hasFuture).toBe(!isTerminal(record.status));

  const endings = events.filter(({ kind }) => kind === "task_finished");
  if (isTerminal(record.status)) {
    expect(endings).toHaveLength(1);
    expect(events.at(-1)?.kind).toBe("task_finished");
    expect(record.finishedAt).toBe(record.lastEventAt);
    expect(task.ended).not.toBeNull();
    expect({ wake: record.wakeAt, clock: record.clockSince }).toEqual({ wake: null, clock: null });
  } else {
    expect(endings).toHaveLength(0);
    expect(task.ended).toBeNull();
  }
}

test("whatever happens in whatever order, under a clock that jumps, a task stays sound", () => {
  fc.assert(
    fc.property(fc.array(moves, { size: "max", minLength: 1, maxLength: 60 }), (sequence) => {
      const task = new TaskOnPaper();
      for (const { move } of sequence) {
        const before = task.record;
        const [events, outcomes] = [task.events.length, JSON.stringify([...task.questions])];
        const ended = task.ended;
        let refused = false;
        try {
          move(task);
        } catch (error) {
          expect(isToolthreadError(error)).toBe(true);
          refused = true;
        }
        if (refused || isTerminal(before.status)) {
          expect(task.record).toEqual(before);
          expect(task.events).toHaveLength(events);
          expect(task.ended).toBe(ended);
          expect(JSON.stringify([...task.questions])).toBe(outcomes);
        }
        checkTask(task, before);
      }
    }),
    { numRuns: 500 },
  );
}, 30_000);
