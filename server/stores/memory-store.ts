import type { TaskScope } from "../core/access.ts";
import { answerBy, maxTasksBehind } from "../core/answer-by.ts";
import type { AuditLog } from "../core/audit.ts";
import type { Command, CommandKind, CommandResult } from "../core/command.ts";
import type {
  ApprovalQuery,
  Change,
  Due,
  DurableTaskStore,
  EventQuery,
  FeedQuery,
  Page,
  QuestionQuery,
  RunnableQuery,
  RunnableTask,
  TaskQuery,
} from "../core/durable-task-store.ts";
import { Conflict, TaskNotFound } from "../core/errors.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { LiveCount, RollupQuery, Rollups, WaitingQuestion } from "../core/overview.ts";
import { rollupEntryOf } from "../core/rollup.ts";
import type { Sealed } from "../core/secret-box.ts";
import { decide, decideStart, type ExistingTaskCommand } from "../core/state-machine.ts";
import type { TaskPayload, TaskRecord } from "../core/task.ts";
import {
  type DraftEvent,
  type TaskAggregate,
  type TaskDraft,
  withPosition,
} from "../core/task-draft.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { QuestionData } from "../core/task-question.ts";
import { isTerminal, type TaskStatus, taskStatuses } from "../core/task-status.ts";
import type { EpochMicros, Timestamp } from "../core/timestamp.ts";
import { CommandStore } from "./command-store.ts";
import { firstAfter } from "./first-after.ts";
import { idempotencyScope } from "./idempotency-scope.ts";
import { isIn, matchesQuery, sortingOf } from "./in-memory-list.ts";
import { byTypeAndStatus, longerWaiting, toWaitingQuestion } from "./live-work.ts";
import { MemoryAuditLog } from "./memory-audit-log.ts";
import { pageBy } from "./page-by.ts";
import { isForgottenByRetry, journalKey } from "./retry-rules.ts";
import { RollupSums } from "./rollup-sums.ts";

interface StoredTask {
  record: TaskRecord;
  payload: TaskPayload;
  events: TaskEvent[];
  questions: Map<string, QuestionData>;
  journal: Map<string, JournalEntry>;
  /** Secret values by their places. */
  sealed: Map<string, Sealed>;
}

/**
 * Keeps everything in this process's memory. The default of the library: nothing to set up, and
 * gone when the process ends.
 */
export class MemoryStore extends CommandStore implements DurableTaskStore {
  readonly isDurable: boolean = false;
  readonly #audit = new MemoryAuditLog();
  readonly #tasks = new Map<string, StoredTask>();
  readonly #taskOfQuestion = new Map<string, string>();
  readonly #taskOfKey = new Map<string, string>();
  readonly #live = new Set<string>();
  readonly #rollups = new RollupSums();
  #feed: TaskEvent[] = [];
  #lastPosition = 0;

  get audit(): AuditLog {
    return this.#audit;
  }

  async commit<K extends CommandKind>(command: Command<K>): Promise<CommandResult<K>> {
    // Decided and applied without an await in between: that is this store's transaction.
    const { draft, result } = this.#decide(command);
    if (draft) this.#apply(draft);
    return result;
  }

  /** Decides without writing; for stores that put another write before this one. */
  protected decideOnly<K extends CommandKind>(command: Command<K>) {
    return this.#decide(command);
  }

  /** Writes what {@link decideOnly} decided. */
  protected applyDraft(draft: TaskDraft): void {
    this.#apply(draft);
  }

  /** Takes in a task that another store kept, as it stands there. */
  protected adopt(
    record: TaskRecord,
    payload: TaskPayload,
    updates: DraftEvent[],
    questions: QuestionData[],
  ): void {
    const events = updates.map((event) => this.#append(event));
    this.#tasks.set(record.taskId, {
      record,
      payload,
      events,
      questions: new Map(questions.map((question) => [question.questionId, question])),
      journal: new Map(),
      sealed: new Map(),
    });
    for (const { questionId } of questions) this.#taskOfQuestion.set(questionId, record.taskId);
    if (!isTerminal(record.status)) this.#live.add(record.taskId);
  }

  #decide<K extends CommandKind>(
    command: Command<K>,
  ): { draft: TaskDraft | null; result: CommandResult<K> } {
    if (command.kind === "start") {
      const start = command as Command<"start">;
      if (this.#tasks.has(start.taskId)) {
        throw new Conflict(`There already is a task ${start.taskId}.`);
      }
      const earlier = this.#taskOfKey.get(idempotencyScope(start) ?? "");
      const decided = decideStart(start, earlier ? this.#require(earlier).record : null);
      return decided as { draft: TaskDraft | null; result: CommandResult<K> };
    }
    if (command.kind === "ask") {
      const { question, once = false } = command as Command<"ask">;
      const { questionId } = question;
      if (!once && this.#taskOfQuestion.has(questionId)) {
        throw new Conflict(`There already is a question ${questionId}.`);
      }
    }
    const existing = command as Command<ExistingTaskCommand>;
    const decided = decide(this.#aggregate(existing.taskId), existing);
    return decided as { draft: TaskDraft; result: CommandResult<K> };
  }

  #aggregate(taskId: string): TaskAggregate {
    const stored = this.#require(taskId);
    return { task: stored.record, questions: stored.questions };
  }

  #apply(draft: TaskDraft): void {
    const { task, created, ended } = draft;
    if (created) {
      this.#tasks.set(task.taskId, {
        record: task,
        payload: created,
        events: [],
        questions: new Map(),
        journal: new Map(),
        sealed: new Map(),
      });
      const scope = idempotencyScope({ ...task, actor: task.createdBy });
      if (scope) this.#taskOfKey.set(scope, task.taskId);
    }
    const stored = this.#require(task.taskId);
    stored.record = task;
    if (ended) stored.payload = { ...stored.payload, ...ended };
    for (const question of draft.changedQuestions.values()) {
      stored.questions.set(question.questionId, question);
      this.#taskOfQuestion.set(question.questionId, task.taskId);
    }
    if (draft.forgetsFailedSteps) forgetFailures(stored);
    for (const entry of draft.journal) stored.journal.set(journalKey(entry), entry);
    for (const [place, sealed] of draft.sealed) stored.sealed.set(place, sealed);
    this.#audit.add(draft.audit);
    const events = draft.events.map((event) => this.#append(event));
    stored.events.push(...events);
    for (const event of events) {
      const question = "questionId" in event ? stored.questions.get(event.questionId) : undefined;
      const entry = rollupEntryOf(event, task, question ?? null);
      if (entry) this.#rollups.add(entry);
    }
    this.#rollups.prune();
    if (isTerminal(task.status)) this.#live.delete(task.taskId);
    else this.#live.add(task.taskId);
    if (draft.wakes !== null) this.#wake(draft.wakes, this.clock.now());
    if (draft.isSilent) return;
    this.publish({
      task,
      events,
      questions: [...draft.changedQuestions.keys()].flatMap(
        (questionId) => stored.questions.get(questionId) ?? [],
      ),
    } satisfies Change);
  }

  #append(event: DraftEvent): TaskEvent {
    this.#lastPosition += 1;
    const committed = withPosition(event, this.#lastPosition);
    this.#feed.push(committed);
    return committed;
  }

  #wake(taskId: string, at: EpochMicros): void {
    if (!this.#tasks.has(taskId)) return;
    const { draft, result } = decide(this.#aggregate(taskId), { kind: "wake", taskId, at });
    if (result) this.#apply(draft);
  }

  async getTask(taskId: string): Promise<TaskRecord | null> {
    return this.#tasks.get(taskId)?.record ?? null;
  }

  async getPayload(taskId: string): Promise<TaskPayload | null> {
    return this.#tasks.get(taskId)?.payload ?? null;
  }

  async getJournal(taskId: string): Promise<JournalEntry[]> {
    return [...(this.#tasks.get(taskId)?.journal.values() ?? [])];
  }

  async getSealed(taskId: string): Promise<ReadonlyMap<string, Sealed>> {
    return new Map(this.#tasks.get(taskId)?.sealed);
  }

  async listSealingKeys(): Promise<string[]> {
    const live = [...this.#live].flatMap((taskId) => [...this.#require(taskId).sealed.values()]);
    return [...new Set(live.map(({ keyId }) => keyId))];
  }

  async getQuestion(questionId: string): Promise<QuestionData | null> {
    const taskId = this.#taskOfQuestion.get(questionId);
    return (taskId && this.#tasks.get(taskId)?.questions.get(questionId)) || null;
  }

  async getQuestions(taskId: string): Promise<QuestionData[]> {
    return [...(this.#tasks.get(taskId)?.questions.values() ?? [])];
  }

  async getOpenQuestions(taskId: string): Promise<QuestionData[]> {
    return (await this.getQuestions(taskId)).filter((question) => question.outcome === null);
  }

  async findLastApproval(query: ApprovalQuery): Promise<QuestionData | null> {
    const { action, before, taskId, taskType } = query;
    const found = [...this.#tasks.values()]
      .filter(({ record }) => record.taskId === taskId || record.type === taskType)
      .flatMap(({ questions }) => [...questions.values()])
      .filter(
        ({ approval, askedAt, forgotten }) =>
          approval?.action === action && askedAt < before && !forgotten,
      )
      .sort((a, b) => (a.askedAt < b.askedAt ? 1 : -1));
    return found[0] ?? null;
  }

  async readEvents(taskId: string, query: EventQuery): Promise<TaskEvent[]> {
    const all = this.#tasks.get(taskId)?.events ?? [];
    // Events are stored by seq without gaps, so the place of the first one is known.
    const from = all.slice(query.afterSeq ?? 0, query.untilSeq ?? all.length);
    const { kinds, afterTimestamp, limit } = query;
    const wanted =
      kinds || afterTimestamp !== undefined
        ? from.filter(
            (event) =>
              (!kinds || kinds.includes(event.kind)) &&
              (afterTimestamp === undefined || event.at > afterTimestamp),
          )
        : from;
    return limit === undefined ? wanted : wanted.slice(0, limit);
  }

  async readFeed({ afterPosition, taskId, limit }: FeedQuery): Promise<TaskEvent[]> {
    const events = taskId === undefined ? this.#feed : (this.#tasks.get(taskId)?.events ?? []);
    const from = firstAfter(events, afterPosition);
    return events.slice(from, from + limit);
  }

  async lastPosition(): Promise<number> {
    return this.#lastPosition;
  }

  async listTasks(query: TaskQuery): Promise<Page<TaskRecord>> {
    const { keyOf, descending } = sortingOf(query);
    const matching = [...this.#tasks.values()].filter(matchesQuery(query));
    return pageBy(
      matching.map(({ record }) => record),
      keyOf,
      { ...query, descending },
    );
  }

  /** How many tasks wait for a task: those that started it, one above the other. */
  #tasksBehind(taskId: string): number {
    let count = 0;
    let parent = this.#tasks.get(taskId)?.record.parentTaskId ?? null;
    while (parent !== null && count < maxTasksBehind) {
      const record = this.#tasks.get(parent)?.record;
      if (!record || isTerminal(record.status)) break;
      count += 1;
      parent = record.parentTaskId;
    }
    return count;
  }

  async listQuestions(query: QuestionQuery): Promise<Page<QuestionData>> {
    const isOpen = query.state === "open";
    const of = query.taskId ? [this.#tasks.get(query.taskId)] : [...this.#tasks.values()];
    const inScope = isIn(query);
    const matching = of
      .filter((stored) => stored && inScope(stored.record))
      .flatMap((stored) => [...(stored?.questions.values() ?? [])])
      .filter((question) => (question.outcome === null) === isOpen);
    if (isOpen && query.order === "pressing") {
      const keyOf = (question: QuestionData) =>
        [answerBy(question, this.#tasksBehind(question.taskId)), question.questionId] as const;
      return pageBy(matching, keyOf, { ...query, descending: false });
    }
    return pageBy(
      matching,
      (question) => [isOpen ? question.deadline : (question.resolvedAt ?? ""), question.questionId],
      { ...query, descending: !isOpen },
    );
  }

  async countByStatus(scope?: TaskScope | null): Promise<Record<TaskStatus, number>> {
    const counts = Object.fromEntries(taskStatuses.map((status) => [status, 0]));
    const inScope = isIn(scope);
    for (const { record } of this.#tasks.values())
      if (inScope(record)) counts[record.status] = (counts[record.status] ?? 0) + 1;
    return counts as Record<TaskStatus, number>;
  }

  async countOpenQuestions(scope?: TaskScope | null): Promise<number> {
    return this.#liveRecords()
      .filter(isIn(scope))
      .reduce((count, task) => count + task.openQuestions, 0);
  }

  async readRollups(query: RollupQuery): Promise<Rollups> {
    return this.#rollups.read(query);
  }

  async countLive(exceptTypes: readonly string[] = []): Promise<LiveCount[]> {
    const counts = new Map<string, LiveCount>();
    for (const { type, status } of this.#liveRecords()) {
      if (exceptTypes.includes(type)) continue;
      const key = `${type} ${status}`;
      counts.set(key, { type, status, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts.values()].sort(byTypeAndStatus);
  }

  async listLongestWaiting(
    limit: number,
    exceptTypes: readonly string[] = [],
  ): Promise<WaitingQuestion[]> {
    return this.#liveRecords()
      .filter(({ type }) => !exceptTypes.includes(type))
      .flatMap((task) =>
        this.#openQuestionsOf(task).map((question) => toWaitingQuestion(question, task.type)),
      )
      .sort((a, b) => (longerWaiting(a, b) ? -1 : 1))
      .slice(0, limit);
  }

  async listKeyHolders(): Promise<{ key: string; holders: string[] }[]> {
    const holdersOf = new Map<string, string[]>();
    for (const { taskId, concurrencyKey, holdsKey } of this.#liveRecords()) {
      if (concurrencyKey === null || !holdsKey) continue;
      holdersOf.set(concurrencyKey, [...(holdersOf.get(concurrencyKey) ?? []), taskId]);
    }
    return [...holdersOf].map(([key, holders]) => ({ key, holders }));
  }

  async findRunnable({ now, limit, types, fullKeys }: RunnableQuery): Promise<RunnableTask[]> {
    return this.#liveRecords()
      .filter(
        (task) =>
          task.wakeAt !== null &&
          task.wakeAt <= now &&
          (task.leaseExpiresAt === null || task.leaseExpiresAt <= now) &&
          types.includes(task.type) &&
          (task.concurrencyKey === null ||
            task.holdsKey ||
            !fullKeys.includes(task.concurrencyKey)),
      )
      .sort((a, b) => b.priority - a.priority || ((a.wakeAt ?? "") < (b.wakeAt ?? "") ? -1 : 1))
      .slice(0, limit)
      .map(({ taskId, type, concurrencyKey, holdsKey }) => ({
        taskId,
        type,
        concurrencyKey,
        holdsKey,
      }));
  }

  async findDue(now: Timestamp, limit: number): Promise<Due> {
    const live = this.#liveRecords();
    return {
      expiredLeases: live
        .filter((task) => task.leaseExpiresAt !== null && task.leaseExpiresAt <= now)
        .slice(0, limit)
        .map(({ taskId, type, status, workerId, interrupts }) => ({
          taskId,
          type,
          workerId: workerId ?? "",
          interrupts,
          status,
        })),
      questions: live
        .flatMap((task) => this.#openQuestionsOf(task))
        .filter((question) => question.deadline <= now)
        .slice(0, limit)
        .map(({ taskId, questionId }) => ({ taskId, questionId })),
    };
  }

  async listWorkers(): Promise<string[]> {
    return [...new Set(this.#liveRecords().flatMap((task) => task.workerId ?? []))];
  }

  async nextDueAt(): Promise<Timestamp | null> {
    let next: Timestamp | null = null;
    const consider = (moment: Timestamp | null) => {
      if (moment !== null && (next === null || moment < next)) next = moment;
    };
    for (const task of this.#liveRecords()) {
      consider(task.leaseExpiresAt);
      consider(task.wakeAt);
      for (const question of this.#openQuestionsOf(task)) consider(question.deadline);
    }
    return next;
  }

  async deleteFinished(before: Timestamp, limit: number): Promise<number> {
    const old = [...this.#tasks.values()]
      .map(({ record }) => record)
      .filter(({ finishedAt }) => finishedAt !== null && finishedAt < before)
      .sort((a, b) => ((a.finishedAt ?? "") < (b.finishedAt ?? "") ? -1 : 1))
      .slice(0, limit);
    for (const record of old) this.#delete(record);
    if (old.length > 0) this.#feed = this.#feed.filter(({ taskId }) => this.#tasks.has(taskId));
    return old.length;
  }

  #delete(record: TaskRecord): void {
    const { taskId } = record;
    for (const questionId of this.#require(taskId).questions.keys()) {
      this.#taskOfQuestion.delete(questionId);
    }
    const scope = idempotencyScope({ ...record, actor: record.createdBy });
    if (scope !== null) this.#taskOfKey.delete(scope);
    this.#tasks.delete(taskId);
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #liveRecords(): TaskRecord[] {
    return [...this.#live].map((taskId) => this.#require(taskId).record);
  }

  #openQuestionsOf(task: TaskRecord): QuestionData[] {
    if (task.openQuestions === 0) return [];
    return [...this.#require(task.taskId).questions.values()].filter(
      (question) => question.outcome === null,
    );
  }

  #require(taskId: string): StoredTask {
    const stored = this.#tasks.get(taskId);
    if (!stored) throw new TaskNotFound(`There is no task ${taskId}.`);
    return stored;
  }
}

function forgetFailures(stored: StoredTask): void {
  for (const [key, entry] of stored.journal) {
    if (entry.status === "failed") stored.journal.delete(key);
  }
  for (const question of stored.questions.values()) {
    if (isForgottenByRetry(question)) {
      stored.questions.set(question.questionId, { ...question, forgotten: true });
    }
  }
}
