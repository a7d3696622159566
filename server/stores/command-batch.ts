import type { AuditRecord } from "../core/audit.ts";
import type { Command } from "../core/command.ts";
import type { Change } from "../core/durable-task-store.ts";
import { Conflict, TaskNotFound } from "../core/errors.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { Sealed } from "../core/secret-box.ts";
import {
  decide,
  decideStart,
  type ExistingTaskCommand,
  questionsNamedBy,
} from "../core/state-machine.ts";
import type { TaskPayload, TaskRecord } from "../core/task.ts";
import { type TaskDraft, withPosition } from "../core/task-draft.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { QuestionData } from "../core/task-question.ts";
import type { EpochMicros } from "../core/timestamp.ts";
import { idempotencyScope } from "./idempotency-scope.ts";
import { isForgottenByRetry, journalKey } from "./retry-rules.ts";

/** What is known of one task while a batch is decided: as committed, plus the batch so far. */
export interface WorkingTask {
  readonly taskId: string;
  /** False when its open questions were not loaded, because no command is about it. */
  readonly isWhole: boolean;
  /** As committed; null when the batch creates it, or it does not exist. */
  readonly before: TaskRecord | null;
  task: TaskRecord | null;
  questions: Map<string, QuestionData>;
  readonly changedQuestions: Map<string, QuestionData>;
  readonly events: TaskEvent[];
  created: boolean;
  payload: Partial<TaskPayload> | null;
  readonly journal: Map<string, JournalEntry>;
  /** Secret values by their places. */
  readonly sealed: Map<string, Sealed>;
  /** A retry in this batch: what failed before it is forgotten. */
  forgets: boolean;
}

/**
 * How one command of a batch ended: refused, or with a result and what it changed: its own task,
 * and the parent it woke.
 */
export type CommandOutcome =
  | { refused: false; result: unknown; changes: Change[] }
  | { refused: true; error: unknown };

/**
 * Decides the commands of one batch one after the other, each seeing what those before it did. The
 * state machine is pure, so a refused command leaves nothing behind and the others stand.
 */
export class CommandBatch {
  readonly tasks = new Map<string, WorkingTask>();
  /** Every event of the batch, by position. */
  readonly events: TaskEvent[] = [];
  /** Every entry of the audit log, in order. */
  readonly audit: AuditRecord[] = [];
  readonly #taskOfScope = new Map<string, string>();
  readonly #takenQuestionIds = new Set<string>();
  #lastPosition: number;

  constructor(lastPosition: number) {
    this.#lastPosition = lastPosition;
  }

  get lastPosition(): number {
    return this.#lastPosition;
  }

  /**
   * Adds a task as it is committed, null when there is none of this id, with its open questions,
   * null when no command is about it.
   */
  addTask(
    taskId: string,
    task: TaskRecord | null,
    questions: Map<string, QuestionData> | null,
  ): void {
    if (this.tasks.has(taskId)) return;
    this.tasks.set(taskId, {
      taskId,
      isWhole: questions !== null,
      before: task,
      task,
      questions: questions ?? new Map(),
      changedQuestions: new Map(),
      events: [],
      created: false,
      payload: null,
      journal: new Map(),
      sealed: new Map(),
      forgets: false,
    });
  }

  /** Adds the task that an idempotency key started. */
  addScope(task: TaskRecord): void {
    this.addTask(task.taskId, task, null);
    const scope = idempotencyScope({ ...task, actor: task.createdBy });
    if (scope !== null) this.#taskOfScope.set(scope, task.taskId);
  }

  /** Adds a question that is not open; of whichever task it is, its id is taken. */
  addQuestion(question: QuestionData): void {
    this.#takenQuestionIds.add(question.questionId);
    const working = this.tasks.get(question.taskId);
    if (!working || working.questions.has(question.questionId)) return;
    working.questions = new Map(working.questions).set(question.questionId, question);
  }

  decide(command: Command): CommandOutcome {
    try {
      const { draft, result } = this.#draft(command);
      const changes = draft ? [this.#apply(draft), this.#wake(draft.wakes, command.at)] : [];
      return { refused: false, result, changes: changes.flatMap((change) => change ?? []) };
    } catch (error) {
      return { refused: true, error };
    }
  }

  #draft(command: Command): { draft: TaskDraft | null; result: unknown } {
    const working = this.tasks.get(command.taskId);
    if (command.kind === "start") {
      if (working?.task) throw new Conflict(`There already is a task ${command.taskId}.`);
      const earlier = this.#taskOfScope.get(idempotencyScope(command) ?? "");
      return decideStart(command, earlier ? (this.tasks.get(earlier)?.task ?? null) : null);
    }
    if (!working?.task) throw new TaskNotFound(`There is no task ${command.taskId}.`);
    if (
      command.kind === "ask" &&
      !command.once &&
      this.#takenQuestionIds.has(command.question.questionId)
    ) {
      throw new Conflict(`There already is a question ${command.question.questionId}.`);
    }
    return decide(
      { task: working.task, questions: working.questions },
      command as Command<ExistingTaskCommand>,
    );
  }

  /** Wakes the parent of a task that ended, in the same transaction. */
  #wake(taskId: string | null, at: EpochMicros): Change | null {
    const parent = taskId === null ? null : this.tasks.get(taskId);
    if (!parent?.task) return null;
    const aggregate = { task: parent.task, questions: parent.questions };
    const { draft, result } = decide(aggregate, { kind: "wake", taskId: parent.taskId, at });
    return result ? this.#apply(draft) : null;
  }

  #apply(draft: TaskDraft): Change | null {
    const working = this.tasks.get(draft.task.taskId) as WorkingTask;
    if (working.task && changesNothing(draft, working.task)) return null;
    working.task = draft.task;
    if (draft.created) {
      working.created = true;
      working.payload = draft.created;
      this.addScope(draft.task);
    }
    if (draft.ended) working.payload = { ...working.payload, ...draft.ended };
    for (const question of draft.changedQuestions.values()) this.#putQuestion(working, question);
    if (draft.forgetsFailedSteps) this.#forgetFailures(working);
    for (const entry of draft.journal) working.journal.set(journalKey(entry), entry);
    for (const [place, sealed] of draft.sealed) working.sealed.set(place, sealed);
    this.audit.push(...draft.audit);
    const events = draft.events.map((event) => {
      this.#lastPosition += 1;
      return withPosition(event, this.#lastPosition);
    });
    for (const event of events) {
      working.events.push(event);
      this.events.push(event);
    }
    if (draft.isSilent) return null;
    const questions = [...draft.changedQuestions.keys()].map(
      (questionId) => working.questions.get(questionId) as QuestionData,
    );
    return { task: draft.task, events, questions };
  }

  #putQuestion(working: WorkingTask, question: QuestionData): void {
    // The map it began with belongs to the cache, which must not change before the commit.
    if (working.changedQuestions.size === 0) working.questions = new Map(working.questions);
    working.questions.set(question.questionId, question);
    working.changedQuestions.set(question.questionId, question);
    this.#takenQuestionIds.add(question.questionId);
  }

  #forgetFailures(working: WorkingTask): void {
    working.forgets = true;
    for (const [key, entry] of working.journal) {
      if (entry.status === "failed") working.journal.delete(key);
    }
    for (const question of [...working.questions.values()]) {
      if (isForgottenByRetry(question))
        this.#putQuestion(working, { ...question, forgotten: true });
    }
  }
}

/** What commands need loaded besides the open questions of their tasks. */
export function namedBy(commands: readonly Command[]): {
  taskIds: Set<string>;
  /** With their tasks, which may know them already. */
  questionIds: Map<string, string>;
  askedIds: string[];
  starts: Command<"start">[];
} {
  const taskIds = new Set<string>();
  const questionIds = new Map<string, string>();
  const askedIds: string[] = [];
  const starts: Command<"start">[] = [];
  for (const command of commands) {
    taskIds.add(command.taskId);
    if (command.kind === "post_update") continue;
    for (const questionId of questionsNamedBy(command)) questionIds.set(questionId, command.taskId);
    if (command.kind === "ask" && !command.once) askedIds.push(command.question.questionId);
    if (command.kind !== "start") continue;
    if (command.idempotencyKey !== null) starts.push(command);
    // It may end in the batch that starts it, and then wakes its parent.
    if (command.parentTaskId !== null) taskIds.add(command.parentTaskId);
  }
  return { taskIds, questionIds, askedIds, starts };
}

function changesNothing(draft: TaskDraft, before: TaskRecord): boolean {
  const { events, changedQuestions, journal, created, ended, task } = draft;
  if (events.length + changedQuestions.size + journal.length > 0 || created || ended) return false;
  return (Object.keys(task) as (keyof TaskRecord)[]).every((key) => task[key] === before[key]);
}
