import type { Actor } from "./actor.ts";
import { type AuditRecord, auditCaller } from "./audit.ts";
import { beginningOf } from "./beginning-of.ts";
import { noClaim } from "./claim.ts";
import { Conflict, LeaseLost, TaskNotFound } from "./errors.ts";
import type { JournalEntry } from "./journal.ts";
import type { Sealed } from "./secret-box.ts";
import { clocksOf, type TaskPayload, type TaskRecord } from "./task.ts";
import type { TaskEvent, TaskEventBody } from "./task-event.ts";
import type { QuestionData, QuestionOutcome } from "./task-question.ts";
import { isTerminal, type TaskStatus, type TerminalStatus } from "./task-status.ts";
import { addSeconds, type EpochMicros, type Timestamp, toTimestamp } from "./timestamp.ts";

/** What a store loads for one command: the task, its open questions, and those the command names. */
export interface TaskAggregate {
  task: TaskRecord;
  questions: ReadonlyMap<string, QuestionData>;
}

export type DraftEvent = TaskEventBody & { taskId: string; seq: number; at: Timestamp };

/** Makes a draft's event the committed one, which has its position. */
export function withPosition(event: DraftEvent, position: number): TaskEvent {
  return Object.assign(event, { position });
}

const noQuestions: ReadonlyMap<string, QuestionData> = new Map();

/**
 * One command's changes to one task, collected before anything is written. A command that is
 * refused half-way throws, its draft is dropped, and nothing has happened.
 */
export class TaskDraft {
  readonly task: TaskRecord;
  readonly events: DraftEvent[] = [];
  #changedQuestions: Map<string, QuestionData> | null = null;
  readonly journal: JournalEntry[] = [];
  /** Secret values to keep, by their places. */
  readonly sealed = new Map<string, Sealed>();
  /** What the audit log is told. */
  readonly audit: AuditRecord[] = [];
  /** Set when the task is new: its payload is inserted. */
  created: TaskPayload | null = null;
  /** Set when the task ended: result and error are written. */
  ended: { result: TaskPayload["result"]; error: string | null } | null = null;
  /** Set where nobody needs telling: listeners do not hear of it. */
  isSilent = false;
  /** A task to wake in the same transaction: the parent of one that ended. */
  wakes: string | null = null;
  /** Set by a retry: failed journal entries are deleted. */
  forgetsFailedSteps = false;
  readonly #questions: ReadonlyMap<string, QuestionData>;
  readonly #at: EpochMicros;
  readonly #caller: Actor | null;

  /** @param caller who sent the command, with the address of the call. */
  constructor(aggregate: TaskAggregate, at: EpochMicros, caller: Actor | null = null) {
    this.task = { ...aggregate.task };
    this.#questions = aggregate.questions;
    this.#at = at;
    this.#caller = caller;
  }

  /** Questions it opened or changed, by id. */
  get changedQuestions(): ReadonlyMap<string, QuestionData> {
    return this.#changedQuestions ?? noQuestions;
  }

  /** The command's time as text, never earlier than the task's newest event. */
  get now(): Timestamp {
    const now = toTimestamp(this.#at);
    return now > this.task.lastEventAt ? now : this.task.lastEventAt;
  }

  /** When the next event will have happened, if it is given no time of its own. */
  get stampOfNext(): Timestamp {
    const now = toTimestamp(this.#at);
    if (this.task.lastSeq === 0 || now > this.task.lastEventAt) return now;
    return addSeconds(this.task.lastEventAt, 0.000_001);
  }

  /** Appends an event with the next `seq` and a timestamp later than the one before. */
  emit(body: TaskEventBody, at?: Timestamp): DraftEvent {
    let stamp = at ?? this.stampOfNext;
    if (this.task.lastSeq > 0 && stamp <= this.task.lastEventAt) {
      stamp = addSeconds(this.task.lastEventAt, 0.000_001);
    }
    this.task.lastSeq += 1;
    this.task.lastEventAt = stamp;
    const event = { ...body, taskId: this.task.taskId, seq: this.task.lastSeq, at: stamp };
    this.events.push(event);
    return event;
  }

  /** Notes for the audit log what the caller did. */
  note(
    action: AuditRecord["action"],
    details: AuditRecord["details"],
    questionId: string | null = null,
  ): void {
    const { taskId, type: taskType } = this.task;
    const at = toTimestamp(this.#at);
    const about = { taskId, taskType, questionId, details };
    this.audit.push({ at, action, ...auditCaller(this.#caller), ...about });
  }

  /** @returns null when this task has no such question. */
  findQuestion(questionId: string): QuestionData | null {
    const found = this.changedQuestions.get(questionId) ?? this.#questions.get(questionId);
    return found?.taskId === this.task.taskId ? found : null;
  }

  question(questionId: string): QuestionData {
    const found = this.findQuestion(questionId);
    if (!found) {
      throw new TaskNotFound(`Task ${this.task.taskId} has no question ${questionId}.`);
    }
    return found;
  }

  /** Changes a question, or adds it, after the event that tells of it. @returns it as it is kept. */
  putQuestion(question: QuestionData): QuestionData {
    const kept = { ...question, lastSeq: this.task.lastSeq };
    // Most drafts change none: updates, which come by the thousand, make no map.
    this.#changedQuestions ??= new Map();
    this.#changedQuestions.set(question.questionId, kept);
    return kept;
  }

  /** All questions loaded or changed, oldest first. */
  loadedQuestions(): QuestionData[] {
    return [...new Map([...this.#questions, ...this.changedQuestions]).values()].sort((a, b) =>
      a.askedAt < b.askedAt ? -1 : 1,
    );
  }

  /** @throws LeaseLost unless the task is live and `epoch` (when given) is the current one. */
  requireAttempt(epoch: number | null): void {
    const { taskId, status } = this.task;
    if (isTerminal(status)) {
      if (epoch === null)
        throw new Conflict(`Task ${taskId} has already ended: ${status}.`, { status });
      throw new LeaseLost(
        `Task ${taskId} has ended (${status}); nothing of this attempt counts now.`,
      );
    }
    if (epoch !== null && epoch !== this.task.epoch) {
      throw new LeaseLost(`Task ${taskId} was taken over by another attempt; this one must stop.`);
    }
  }

  /** Moves to another status, and to the clock that runs in it: without a worker nothing is worked. */
  setStatus(status: TaskStatus): void {
    this.task.status = status;
    if (status === "waiting_for_input") this.runClock("waiting");
    else this.runClock(status === "running" && this.task.workerId !== null ? "working" : null);
  }

  /** Books the time of the clock that ran and lets another one run, or none. */
  runClock(clock: TaskRecord["clock"]): void {
    const { worked, waited } = clocksOf(this.task, this.now);
    this.task.workedSeconds = worked;
    this.task.waitedSeconds = waited;
    this.task.clock = clock;
    this.task.clockSince = clock === null ? null : this.now;
  }

  hasLease(): boolean {
    return this.task.leaseExpiresAt !== null && this.task.leaseExpiresAt > toTimestamp(this.#at);
  }

  /**
   * Makes the task due at once. By the clock and not by its newest event, which can be ahead of
   * a clock that was set back: the task would not be picked up until the clock caught up.
   */
  wake(): void {
    const now = toTimestamp(this.#at);
    const { wakeAt } = this.task;
    this.task.wakeAt = wakeAt !== null && wakeAt < now ? wakeAt : now;
  }

  dropLease(): void {
    this.task.workerId = null;
    this.task.leaseExpiresAt = null;
  }

  /** Closes an open question; the last one's closing sets `running` and wakes the task. */
  resolveQuestion(
    question: QuestionData,
    outcome: QuestionOutcome,
    by: Partial<Pick<QuestionData, "answer" | "declineReason">> & { actor: Actor | null },
  ): QuestionData {
    const { actor, ...said } = by;
    const defaultUsed = outcome === "timed_out" && question.hasDefault;
    const event = this.emit({
      kind: "question_resolved",
      questionId: question.questionId,
      outcome,
      actor,
      defaultUsed,
    });
    const resolved = this.putQuestion({
      ...question,
      ...said,
      outcome,
      resolvedAt: event.at,
      answeredAt: outcome === "answered" ? event.at : null,
      resolvedBy: actor,
      defaultUsed,
      ...noClaim,
    });
    this.task.openQuestions -= 1;
    if (this.task.openQuestions === 0) {
      if (this.task.status === "waiting_for_input") this.setStatus("running");
    }
    if (!this.hasLease()) this.wake();
    return resolved;
  }

  /** Ends the task: result, event and the closing of what is open belong together. */
  finish(
    status: TerminalStatus,
    result: TaskPayload["result"],
    error: string | null,
    forced: boolean,
  ): void {
    for (const question of this.loadedQuestions()) {
      if (question.outcome === null) this.resolveQuestion(question, "cancelled", { actor: null });
    }
    this.setStatus(status);
    const event = this.emit({ kind: "task_finished", status, error: summary(error), forced });
    this.task.finishedAt = event.at;
    this.task.errorSummary = summary(error);
    this.task.wakeAt = null;
    this.task.holdsKey = false;
    this.dropLease();
    this.ended = { result, error };
    this.wakes = this.task.parentTaskId;
  }
}

/** At most 300 characters, and no half ones. */
export function summary(error: string | null): string | null {
  if (error === null || error.length <= 300) return error;
  return `${beginningOf(error, 299)}…`;
}
