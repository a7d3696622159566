/**
 * The state machine of a task, as pure functions: what a command changes, given the task as it is.
 *
 *     pending ──claim──▶ running ──ask──▶ waiting_for_input ──last question resolved──▶ running
 *        ▲                  │  │                  │
 *        └──retry (later)───┘  ├──▶ completed | failed | cancelled  (terminal, final)
 *                              └──────────────────┘
 *
 * A store is authoritative for the state; it calls {@link decide} inside its transaction, under
 * whatever lock makes what it loaded current, and writes the draft or nothing.
 */

import { isSameActor } from "./actor.ts";
import { checkGrant } from "./approval.ts";
import { approve, isApproval, repeatsApproval, unresolved } from "./approve.ts";
import { auditDetail } from "./audit.ts";
import { beginningOf } from "./beginning-of.ts";
import { claimQuestion, releaseQuestion } from "./claim-question.ts";
import type { Command, CommandKind, CommandResult } from "./command.ts";
import { callerOf, withoutAddress } from "./command-caller.ts";
import { driverLostText, isDriven } from "./driver.ts";
import { Conflict, Forbidden, IdempotencyConflict, InvalidInput, TaskCancelled } from "./errors.ts";
import { type JsonObject, jsonEquals } from "./json.ts";
import { paceAfter } from "./progress-pace.ts";
import { answerPlace, paramsPlace, secretMask, stepPlace } from "./secret-box.ts";
import type { TaskRecord } from "./task.ts";
import { summary, type TaskAggregate, TaskDraft } from "./task-draft.ts";
import { mayAnswer, type QuestionData } from "./task-question.ts";
import { isTerminal } from "./task-status.ts";
import { defaultCancelGraceSeconds } from "./task-type.ts";
import { addSeconds, parseTimestamp, type Timestamp, toTimestamp } from "./timestamp.ts";

/** What a command does to an existing task. Throws the typed refusal when it may not. */
type Decider<K extends CommandKind> = (draft: TaskDraft, command: Command<K>) => CommandResult<K>;

/** All commands but `start`, which has no task yet. */
export type ExistingTaskCommand = Exclude<CommandKind, "start">;

/** The ids of questions a command needs loaded besides the open ones. */
export function questionsNamedBy(command: Command): string[] {
  if ("questionId" in command) return [command.questionId];
  if (command.kind === "ask" && command.once) return [command.question.questionId];
  return command.kind === "record" && command.grant ? [command.grant.questionId] : [];
}

/** Decides one command on an existing task; the changes are in the draft. */
export function decide<K extends ExistingTaskCommand>(
  aggregate: TaskAggregate,
  command: Command<K>,
): { draft: TaskDraft; result: CommandResult<K> } {
  const draft = new TaskDraft(aggregate, command.at, callerOf(command));
  const decider = deciders[command.kind as K] as Decider<K>;
  return { draft, result: decider(draft, withoutAddress(command)) };
}

/**
 * Decides a `start`. `earlier` is the task the same idempotency key started, if there is one.
 *
 * @throws IdempotencyConflict when the key belongs to a different request.
 */
export function decideStart(
  given: Command<"start">,
  earlier: TaskRecord | null,
): { draft: TaskDraft | null; result: CommandResult<"start"> } {
  const command = withoutAddress(given);
  if (earlier) {
    const digests = [command.requestDigest, ...(command.olderDigests ?? [])];
    if (!digests.includes(earlier.requestDigest)) {
      throw new IdempotencyConflict(
        `The idempotency key "${command.idempotencyKey}" was used for task ${earlier.taskId} with ` +
          "other parameters. Use a new key for a new request.",
        { taskId: earlier.taskId },
      );
    }
    return { draft: null, result: { task: earlier, created: false } };
  }
  const task = newTaskRecord(command);
  const draft = new TaskDraft({ task, questions: new Map() }, command.at, given.actor);
  draft.created = { params: command.params, result: null, error: null };
  if (command.sealedParams) draft.sealed.set(paramsPlace, command.sealedParams);
  draft.emit({ kind: "task_created", actor: command.actor });
  draft.note(command.rerunOf === null ? "task.started" : "task.rerun", startDetails(command));
  if (command.lease) claim(draft, { ...command, kind: "claim", lease: command.lease });
  return { draft, result: { task: draft.task, created: true } };
}

function startDetails({ params, rerunOf, parentTaskId, driven }: Command<"start">): JsonObject {
  return {
    params: auditDetail(params),
    ...(driven && { driven }),
    ...(rerunOf !== null && { rerunOf }),
    ...(parentTaskId !== null && { parentTaskId }),
  };
}

/** A task as it is before its first event. */
export function newTaskRecord(
  command: Omit<Command<"start">, "kind" | "params" | "lease">,
): TaskRecord {
  const now = toTimestamp(command.at);
  return {
    taskId: command.taskId,
    type: command.type,
    status: "pending",
    createdAt: now,
    createdBy: command.actor,
    startedAt: null,
    finishedAt: null,
    lastSeq: 0,
    lastEventAt: now,
    attempt: 0,
    epoch: 0,
    interrupts: 0,
    failures: 0,
    workerId: null,
    leaseExpiresAt: null,
    wakeAt: command.runAt ?? now,
    priority: command.priority,
    labels: command.labels,
    cancelRequestedAt: null,
    cancelReason: null,
    cancelledBy: null,
    progress: null,
    openQuestions: 0,
    parentTaskId: command.parentTaskId,
    rerunOf: command.rerunOf,
    idempotencyKey: command.idempotencyKey,
    requestDigest: command.requestDigest,
    concurrencyKey: command.concurrencyKey,
    holdsKey: false,
    driverSequence: command.driven ? 0 : null,
    workedSeconds: 0,
    waitedSeconds: 0,
    clock: null,
    clockSince: null,
    errorSummary: null,
  };
}

function claim(draft: TaskDraft, command: Command<"claim">): TaskRecord | null {
  const { task } = draft;
  const due = task.wakeAt !== null && task.wakeAt <= toTimestamp(command.at);
  if (isTerminal(task.status) || !due || draft.hasLease()) return null;
  // What a driver began nobody can go on with.
  if (isDriven(task) && task.attempt > 0) return null;
  const reason = task.attempt === 0 ? "start" : task.status === "pending" ? "retry" : "resume";
  task.epoch += 1;
  task.attempt += 1;
  task.workerId = command.lease.workerId;
  task.leaseExpiresAt = command.lease.expiresAt;
  task.wakeAt = null;
  const event = draft.emit({
    kind: "attempt_started",
    attempt: task.attempt,
    workerId: command.lease.workerId,
    reason,
  });
  task.startedAt ??= event.at;
  task.holdsKey = task.concurrencyKey !== null;
  if (task.status === "pending") draft.setStatus("running");
  else if (task.clock === null) draft.runClock("working");
  return task;
}

const deciders: { [K in ExistingTaskCommand]: Decider<K> } = {
  claim,

  renew(draft, { epoch, expiresAt }) {
    const { task } = draft;
    if (isTerminal(task.status) || task.epoch !== epoch || task.workerId === null) return false;
    // Of a driver that was told to stop the lease is its grace, and is not extended.
    if (!isDriven(task) || task.cancelRequestedAt === null) {
      task.leaseExpiresAt = later(task.leaseExpiresAt, expiresAt);
    }
    draft.isSilent = true;
    return true;
  },

  release(draft, { epoch, wakeAt = null }) {
    const { task } = draft;
    if (isTerminal(task.status) || task.epoch !== epoch || task.workerId === null) return false;
    draft.emit({ kind: "attempt_released", attempt: task.attempt });
    loseWorker(draft, wakeAt);
    return true;
  },

  expire(draft, { deadWorkerId, reason, fail, wakeAt = null }) {
    const { task } = draft;
    if (isTerminal(task.status) || task.workerId === null) return false;
    // A driver does not end with a process of ours: only its lease says that it is gone.
    const isDead = task.workerId === deadWorkerId && !isDriven(task);
    if (draft.hasLease() && !isDead) return false;
    draft.emit({ kind: "attempt_interrupted", attempt: task.attempt, reason });
    // A task that only waited has nothing to do with why its worker vanished.
    if (task.status !== "waiting_for_input") task.interrupts += 1;
    // Raised here too, so that a worker that only froze is fenced off before the next claim.
    task.epoch += 1;
    loseWorker(draft, wakeAt);
    if (isDriven(task)) loseDriver(draft);
    else if (fail !== null) draft.finish("failed", null, fail, false);
    return true;
  },

  post_update(draft, { epoch, updateId, level, message, timestamp, sequence }) {
    draft.requireAttempt(epoch);
    const { task } = draft;
    if (sequence !== undefined) {
      if (sequence <= (task.driverSequence ?? 0))
        return { seq: task.lastSeq, at: task.lastEventAt };
      task.driverSequence = sequence;
    }
    const { seq, at } = draft.emit({ kind: "update", updateId, level, message }, timestamp);
    return { seq, at };
  },

  set_progress(draft, { epoch, progress }) {
    draft.requireAttempt(epoch);
    draft.task.progress = { ...progress, pace: paceAfter(draft.task, progress, draft.now) };
  },

  record(draft, { epoch, entry, sealedValue, grant }) {
    draft.requireAttempt(epoch);
    const { name, key, startedAt, error } = entry;
    if (sealedValue) draft.sealed.set(stepPlace(name, key), sealedValue);
    const grantOf = grant && { grantOf: grant.questionId };
    if (grant) {
      const question = draft.findQuestion(grant.questionId);
      const approval = checkGrant(question, draft.task.taskId, grant);
      const usedBy = { name, key, at: draft.stampOfNext };
      draft.putQuestion({ ...(question as QuestionData), approval: { ...approval, usedBy } });
    }
    if (entry.kind === "step") {
      if (entry.status === "failed") {
        draft.emit({ kind: "step_failed", name, key, startedAt, error: error ?? "" });
      } else {
        draft.emit({ kind: "step_completed", name, key, startedAt, ...grantOf });
      }
    }
    draft.task.interrupts = 0;
    draft.journal.push({ ...entry, recordedAt: draft.now, afterSeq: draft.task.lastSeq });
  },

  ask(draft, { epoch, question, once = false }) {
    draft.requireAttempt(epoch);
    const earlier = once ? draft.findQuestion(question.questionId) : null;
    if (earlier) return earlier;
    if (draft.task.cancelRequestedAt !== null) {
      throw new TaskCancelled(`Task ${draft.task.taskId} was cancelled; it asks nothing more.`);
    }
    const event = draft.emit({
      kind: "question_opened",
      questionId: question.questionId,
      prompt: beginningOf(question.prompt, 1000),
      deadline: question.deadline,
    });
    const asked = isApproval(question) ? unresolved(question) : asSecret(question);
    const opened = draft.putQuestion({ ...asked, askedAt: event.at });
    draft.task.interrupts = 0;
    draft.task.openQuestions += 1;
    if (draft.task.status !== "waiting_for_input") draft.setStatus("waiting_for_input");
    return opened;
  },

  resolve(draft, command) {
    const { questionId, outcome, answer, declineReason, actor, at } = command;
    const question = draft.question(questionId);
    if (question.outcome !== null) {
      const repeats =
        question.outcome === outcome &&
        isSameActor(question.resolvedBy, actor) &&
        // What a secret one was is not known here.
        !question.secret &&
        jsonEquals(question.answer, answer);
      if (isApproval(question) && repeatsApproval(question, command))
        return { won: true, question };
      return { won: repeats, question };
    }
    const late = at >= parseTimestamp(question.deadline);
    if (outcome === "timed_out") {
      if (!late) return { won: false, question };
      return { won: true, question: draft.resolveQuestion(question, "timed_out", { actor: null }) };
    }
    if (!mayAnswer(question, actor)) {
      throw new Forbidden(
        `Question ${questionId} can only be answered by an operator, in the dashboard.`,
      );
    }
    if (late) {
      // The sweeper has not come by yet, but the deadline decides, not the sweeper.
      const closed = draft.resolveQuestion(question, "timed_out", { actor: null });
      return { won: false, question: closed };
    }
    if (outcome === "answered" && isApproval(question)) return approve(draft, question, command);
    const isSecret = outcome === "answered" && question.secret;
    if (isSecret) {
      if (!command.sealedAnswer) throw new InvalidInput("The answer to a secret is not sealed.");
      draft.sealed.set(answerPlace(questionId), command.sealedAnswer);
    }
    const stored = isSecret ? secretMask : answer;
    const closed = draft.resolveQuestion(question, outcome, {
      answer: stored,
      declineReason,
      actor,
    });
    const prompt = beginningOf(question.prompt, 200);
    if (outcome === "answered") {
      draft.note("question.answered", { prompt, answer: auditDetail(stored) }, questionId);
    } else {
      draft.note("question.declined", { prompt, reason: declineReason }, questionId);
    }
    return { won: true, question: closed };
  },

  park(draft, { epoch, openQuestions, wakeAt }) {
    const { task } = draft;
    draft.requireAttempt(epoch);
    // Something it waits for came about in the meantime: then it stays and goes on.
    if (task.openQuestions !== openQuestions || task.cancelRequestedAt !== null) return false;
    draft.emit({ kind: "attempt_parked", attempt: task.attempt });
    draft.dropLease();
    task.wakeAt = wakeAt;
    if (task.status === "running") draft.runClock(null);
    return true;
  },

  wake(draft) {
    const { task } = draft;
    if (isTerminal(task.status) || task.status === "pending" || draft.hasLease()) return false;
    draft.wake();
    return true;
  },

  set_clock(draft, { epoch, clock }) {
    draft.requireAttempt(epoch);
    draft.runClock(clock);
    draft.isSilent = true;
  },

  set_key(draft, { epoch, holdsKey }) {
    draft.requireAttempt(epoch);
    draft.task.holdsKey = holdsKey;
  },

  mark_seen(draft, { questionId, actor }) {
    const question = draft.question(questionId);
    if (question.firstSeenAt !== null || question.outcome !== null) return;
    const event = draft.emit({ kind: "question_seen", questionId, actor });
    draft.putQuestion({ ...question, firstSeenAt: event.at, firstSeenBy: actor });
    draft.note("question.seen", {}, questionId);
  },

  claim_question: claimQuestion,
  release_question: releaseQuestion,

  request_cancel(draft, { actor, reason, force, at }) {
    const { task } = draft;
    if (isTerminal(task.status)) return false;
    const isRepeated = task.cancelRequestedAt !== null;
    if (!isRepeated || force) draft.note("task.cancelled", { reason, force });
    if (!isRepeated) {
      const event = draft.emit({ kind: "cancel_requested", actor, reason });
      task.cancelRequestedAt = event.at;
      task.cancelReason = reason;
      task.cancelledBy = actor;
      for (const question of draft.loadedQuestions()) {
        if (question.outcome === null) draft.resolveQuestion(question, "cancelled", { actor });
      }
    }
    if (force || task.attempt === 0) {
      task.epoch += 1;
      draft.finish("cancelled", null, cancelledText(task.cancelReason), force);
    } else if (isDriven(task)) {
      const grace = addSeconds(toTimestamp(at), defaultCancelGraceSeconds);
      if (task.leaseExpiresAt !== null && task.leaseExpiresAt > grace) task.leaseExpiresAt = grace;
    } else if (!draft.hasLease()) {
      draft.wake();
    }
    return true;
  },

  finish(draft, { epoch, status, result, error }) {
    const { task } = draft;
    if (epoch === null && task.status === status && task.finishedAt === null) {
      // The seed's protocol sets the status and the result apart, in either order.
      draft.ended = { result, error };
      task.errorSummary = summary(error);
      task.finishedAt = draft.now;
    } else {
      draft.requireAttempt(epoch);
      draft.finish(status, result, error, false);
    }
    return task;
  },

  retry(draft, { epoch, error, retryAt }) {
    draft.requireAttempt(epoch);
    const { task } = draft;
    draft.emit({ kind: "attempt_failed", attempt: task.attempt, error, retryAt });
    for (const question of draft.loadedQuestions()) {
      if (question.outcome === null) draft.resolveQuestion(question, "cancelled", { actor: null });
    }
    task.failures += 1;
    draft.setStatus("pending");
    draft.dropLease();
    task.holdsKey = false;
    task.wakeAt = retryAt;
    draft.forgetsFailedSteps = true;
    return task;
  },

  set_status(draft, { status }) {
    if (draft.task.status === status) return;
    if (isTerminal(draft.task.status)) {
      throw new Conflict(
        `Task ${draft.task.taskId} has already ended: ${draft.task.status}. It cannot become ${status}.`,
        { status: draft.task.status },
      );
    }
    if (!isTerminal(status)) {
      draft.setStatus(status);
    } else {
      draft.finish(status, null, null, false);
      // Its result has yet to come.
      draft.task.finishedAt = null;
    }
  },
};

/** A secret question is for operators only, and has no default, which would be stored in clear. */
function asSecret(question: QuestionData): QuestionData {
  if (!question.secret) return question;
  return { ...question, answerableBy: "operator", hasDefault: false, defaultValue: null };
}

/** What a cancelled task's `result.error` reads. */
export function cancelledText(reason: string | null): string {
  return `TaskCancelled: ${reason ?? "the task was cancelled"}`;
}

/**
 * After a worker is gone: what was working goes on at once, what waits for a human only does so when
 * something happens.
 */
function loseWorker(draft: TaskDraft, wakeAt: Timestamp | null): void {
  const { task } = draft;
  const wasWorking = task.status === "running" || task.clock === "working";
  draft.dropLease();
  if (wasWorking) draft.runClock(task.status === "waiting_for_input" ? "waiting" : null);
  if (wasWorking || task.cancelRequestedAt !== null) draft.wake();
  else if (wakeAt !== null && (task.wakeAt ?? wakeAt) >= wakeAt) task.wakeAt = wakeAt;
}

/** Nobody else could go on with what a driver did. */
function loseDriver(draft: TaskDraft): void {
  const { cancelRequestedAt, cancelReason } = draft.task;
  if (cancelRequestedAt === null) draft.finish("failed", null, driverLostText, false);
  else draft.finish("cancelled", null, cancelledText(cancelReason), false);
}

function later(a: Timestamp | null, b: Timestamp): Timestamp {
  return a !== null && a > b ? a : b;
}
