import type { Actor } from "../../server/core/actor.ts";
import type { Command } from "../../server/core/command.ts";
import { newQuestionData, type QuestionFields } from "../../server/core/task-question.ts";
import { isTerminal, type TaskStatus } from "../../server/core/task-status.ts";
import { addSeconds, type Timestamp, toTimestamp } from "../../server/core/timestamp.ts";
import { TaskOnPaper } from "./task-on-paper.ts";

export const agent: Actor = { kind: "agent", id: "a1", name: "an agent", surface: "trpc" };
export const ann: Actor = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" };
export const bob: Actor = { kind: "operator", id: "bob", name: "Bob", surface: "dashboard" };

export const leaseSeconds = 30;

export function claim(task: TaskOnPaper) {
  const expiresAt = later(task, leaseSeconds);
  return task.do<"claim">({ kind: "claim", lease: { workerId: "w_1", expiresAt } });
}

export function ask(task: TaskOnPaper, fields: Partial<QuestionFields> = {}) {
  const question = newQuestionData({
    taskId: task.record.taskId,
    prompt: "Go on?",
    askedAt: toTimestamp(task.at),
    timeout: 300,
    ...fields,
  });
  return task.do<"ask">({ kind: "ask", epoch: task.record.epoch, question });
}

export function resolve(
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

export function claimQuestion(
  task: TaskOnPaper,
  actor: Actor,
  { questionId = "q_1", takeOver = false } = {},
) {
  return task.do<"claim_question">({ kind: "claim_question", questionId, actor, takeOver });
}

export function releaseQuestion(task: TaskOnPaper, actor: Actor, questionId = "q_1") {
  return task.do<"release_question">({ kind: "release_question", questionId, actor });
}

export function finish(
  task: TaskOnPaper,
  status: Command<"finish">["status"],
  epoch = task.record.epoch,
) {
  return task.do<"finish">({
    kind: "finish",
    epoch,
    status,
    result: status === "completed" ? "done" : null,
    error: status === "completed" ? null : "Error: it broke",
  });
}

/** A fresh task brought to a status; a waiting one has the open question `q_1`. */
export function taskIn(status: TaskStatus): TaskOnPaper {
  const task = new TaskOnPaper();
  if (status === "pending") return task;
  claim(task.wait(1));
  task.wait(1);
  if (status === "waiting_for_input") ask(task, { questionId: "q_1" });
  if (isTerminal(status)) finish(task, status);
  return task.wait(1);
}

/** The moment `seconds` from a task's present. */
export function later(task: TaskOnPaper, seconds: number): Timestamp {
  return addSeconds(toTimestamp(task.at), seconds);
}

export function release(task: TaskOnPaper) {
  return task.do<"release">({ kind: "release", epoch: task.record.epoch });
}

export function expire(task: TaskOnPaper, deadWorkerId: string | null, fail: string | null = null) {
  return task.do<"expire">({ kind: "expire", deadWorkerId, reason: "gone", fail });
}

export function park(task: TaskOnPaper, wakeAt: Timestamp | null = null) {
  const { epoch, openQuestions } = task.record;
  return task.do<"park">({ kind: "park", epoch, openQuestions, wakeAt });
}

export function cancel(task: TaskOnPaper, force = false) {
  return task.do<"request_cancel">({ kind: "request_cancel", actor: ann, reason: null, force });
}

export function retry(task: TaskOnPaper) {
  return task.do<"retry">({
    kind: "retry",
    epoch: task.record.epoch,
    error: "Error: it broke",
    retryAt: later(task, 5),
  });
}
