import fc from "fast-check";
import type { Actor } from "../../server/core/actor.ts";
import type { Command, CommandKind } from "../../server/core/command.ts";
import { newQuestionData } from "../../server/core/task-question.ts";
import { addSeconds, type Timestamp, toTimestamp } from "../../server/core/timestamp.ts";
import type { TaskOnPaper } from "../support/task-on-paper.ts";

type Input = { [K in Exclude<CommandKind, "start">]: Omit<Command<K>, "taskId" | "at"> }[Exclude<
  CommandKind,
  "start"
>];

/** One racer's next write, given the task as it is by then; null when only time passes. */
export type Move = (task: TaskOnPaper) => Input | null;

const ada: Actor = { kind: "operator", id: "ada", name: "Ada", surface: "dashboard" };
const bob: Actor = { kind: "operator", id: "bob", name: "Bob", surface: "dashboard" };
const agent: Actor = { kind: "agent", id: "a1", name: "an agent", surface: "rest" };

const leaseSeconds = 15;
const questionSeconds = 20;

const later = (task: TaskOnPaper, seconds: number): Timestamp =>
  addSeconds(toTimestamp(task.at), seconds);

/** A move that a failing race shows by its name. */
const named = (name: string, move: Move) =>
  Object.assign(move, { [fc.toStringMethod]: () => name });

const workers = fc.constantFrom("w_1", "w_2");
/** Most writers are current; some are an attempt behind. */
const behind = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constant(1));
const whichQuestion = fc.nat({ max: 1 });

let questionNumber = 0;
let updateNumber = 0;

const time = fc.constantFrom(1, 4, 11, 21).map((seconds) =>
  named(`${seconds} s pass`, (task) => {
    task.wait(seconds);
    return null;
  }),
);

const claim = workers.map((workerId) =>
  named(`${workerId} claims`, (task) => ({
    kind: "claim",
    lease: { workerId, expiresAt: later(task, leaseSeconds) },
  })),
);

const expire = fc.tuple(fc.option(workers), fc.boolean()).map(([deadWorkerId, fails]) =>
  named(`${deadWorkerId ?? "a lease"} expires${fails ? " for good" : ""}`, () => ({
    kind: "expire",
    deadWorkerId,
    reason: "gone",
    fail: fails ? "Interrupted" : null,
  })),
);

const ask = behind.map((by) =>
  named(`asks -${by}`, (task) => ({
    kind: "ask",
    epoch: task.record.epoch - by,
    question: newQuestionData({
      taskId: task.record.taskId,
      questionId: `q_${questionNumber++}`,
      prompt: "?",
      askedAt: later(task, 0),
      timeout: questionSeconds,
    }),
  })),
);

const resolve = fc
  .tuple(whichQuestion, fc.constantFrom("answered", "declined", "timed_out"), fc.nat({ max: 2 }))
  .map(([nth, outcome, who]) =>
    named(`${outcome} #${nth} by ${who}`, (task) => {
      const ids = [...task.questions.keys()];
      const actor = [ada, bob, agent][who] as Actor;
      return {
        kind: "resolve",
        questionId: ids.at(-1 - nth) ?? "q_none",
        outcome,
        answer: outcome === "answered" ? `from ${actor.id}` : null,
        declineReason: null,
        actor: outcome === "timed_out" ? null : actor,
      };
    }),
  );

const cancel = fc.boolean().map((force) =>
  named(force ? "is ended by force" : "is cancelled", () => ({
    kind: "request_cancel",
    actor: ada,
    reason: "enough",
    force,
  })),
);

const byAttempt = fc
  .tuple(fc.constantFrom("renew", "release", "post", "record", "park", "retry", "finish"), behind)
  .map(([what, by]) =>
    named(`${what} -${by}`, (task) => {
      const epoch = task.record.epoch - by;
      const { taskId, openQuestions } = task.record;
      updateNumber += 1;
      const startedAt = later(task, 0);
      const step = { taskId, kind: "step", name: "s", key: `#${updateNumber}`, startedAt } as const;
      switch (what) {
        case "renew":
          return { kind: "renew", epoch, expiresAt: later(task, leaseSeconds) };
        case "release":
          return { kind: "release", epoch };
        case "post":
          return {
            kind: "post_update",
            epoch,
            updateId: `u_${updateNumber}`,
            level: "info",
            message: `m${updateNumber}`,
          };
        case "record":
          return {
            kind: "record",
            epoch,
            entry: { ...step, status: "ok", value: updateNumber, error: null },
          };
        case "park":
          return { kind: "park", epoch, openQuestions, wakeAt: later(task, 5) };
        case "retry":
          return { kind: "retry", epoch, error: "Error: no", retryAt: later(task, 2) };
        default:
          return { kind: "finish", epoch, status: "completed", result: updateNumber, error: null };
      }
    }),
  );

const wake = fc.constant(named("is woken", () => ({ kind: "wake" })));

/** Claim, renew, expire, park, retry and complete on one task, by two workers. */
export const workerMoves = fc.oneof(
  { weight: 4, arbitrary: claim },
  { weight: 2, arbitrary: expire },
  { weight: 8, arbitrary: byAttempt },
  { weight: 2, arbitrary: time },
  { weight: 1, arbitrary: ask },
  { weight: 1, arbitrary: wake },
);

/** Answer, decline, timeout, cancel and crash, on two questions. */
export const questionMoves = fc.oneof(
  { weight: 8, arbitrary: resolve },
  { weight: 2, arbitrary: time },
  { weight: 2, arbitrary: expire },
  { weight: 1, arbitrary: cancel },
  { weight: 1, arbitrary: claim },
  { weight: 1, arbitrary: byAttempt },
);
