import type { z } from "zod";
import type { TaskScope, TypeRules } from "../core/access.ts";
import { type Actor, isSameActor, libraryActor } from "../core/actor.ts";
import type { AuditLog } from "../core/audit.ts";
import { withoutOldClaim } from "../core/claim.ts";
import type { Clock, MakeId } from "../core/clock.ts";
import type { Command } from "../core/command.ts";
import { isDriven } from "../core/driver.ts";
import type {
  Change,
  DurableTaskStore,
  EventQuery,
  Page,
  QuestionQuery,
  TaskQuery,
} from "../core/durable-task-store.ts";
import { hasErrorCode, InvalidAnswer, isToolthreadError, TaskNotFound } from "../core/errors.ts";
import { type JsonObject, type JsonValue, jsonEquals, toJsonValue } from "../core/json.ts";
import { type Overview, type OverviewRange, overviewOf, rangeSlots } from "../core/overview.ts";
import type { PollResponse } from "../core/poll-response.ts";
import { slotOf } from "../core/rollup.ts";
import { type SecretBox, secretMask } from "../core/secret-box.ts";
import { randomId, systemClock } from "../core/system-clock.ts";
import { clocksOf, type TaskRecord, type TaskView, toTaskView } from "../core/task.ts";
import type { TaskEvent } from "../core/task-event.ts";
import { mayAnswer, type QuestionData, TaskQuestion } from "../core/task-question.ts";
import type { TaskQueue } from "../core/task-queue.ts";
import { isTerminal, type TaskStatus } from "../core/task-status.ts";
import {
  defaultCancelGraceSeconds,
  type TaskHandler,
  type TaskTypeInfo,
  type TaskTypeOptions,
  type ThreadModule,
} from "../core/task-type.ts";
import { type Timestamp, toTimestamp } from "../core/timestamp.ts";
import { passingSecretBox } from "./aes-secret-box.ts";
import { checkEdit, readVote, tryReadVote } from "./approval-request.ts";
import { ChangeHub } from "./change-hub.ts";
import { cancelChildren } from "./child-tasks.ts";
import { concurrencyOf } from "./concurrency-of.ts";
import { Driving } from "./driving.ts";
import { type EngineLog, silentLog } from "./engine-log.ts";
import type { EngineParts } from "./engine-parts.ts";
import { type EventSearchQuery, type EventsFound, searchEvents } from "./event-search.ts";
import { Feed, type FeedMessage, type FollowOptions } from "./feed.ts";
import { KeyLimits } from "./key-limits.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { Poller, type PollOptions } from "./poller.ts";
import { checkAnswer } from "./question-request.ts";
import { RefusalNotes } from "./refusal-notes.ts";
import { Retention } from "./retention.ts";
import { Runner } from "./runner.ts";
import { SecretKeeper } from "./secret-keeper.ts";
import { Slots } from "./slots.ts";
import type { TaskDetail } from "./task-detail.ts";
import {
  type CallOptions,
  type RerunOptions,
  type Started,
  type StartOptions,
  TaskStarter,
} from "./task-starter.ts";
import { TaskTypeRegistry } from "./task-type-registry.ts";

// Questions that the overview names.
const longestWaitingShown = 6;

export interface TaskManagerOptions {
  store: DurableTaskStore;
  queue: TaskQueue;
  clock?: Clock;
  makeId?: MakeId;
  log?: EngineLog;
  /** Names this process among the workers; generated when not given. */
  workerId?: string;
  /** Handlers that may work at the same time; 1000 when not given. Waiting ones do not count. */
  concurrency?: number;
  /** Seconds until the task of a vanished worker is taken over; 15 when not given. */
  leaseSeconds?: number;
  /** Seconds a task is kept after its end; for ever when not given. */
  retainSeconds?: number;
  /**
   * Encrypts secret parameters, answers and step values. When not given, a store whose tasks end with
   * the process gets a key that does too, and with any other secrets are refused.
   */
  secrets?: SecretBox;
}

export interface Resolution {
  /** This call decided the outcome, or repeats the one by the same actor that did. */
  won: boolean;
  question: TaskQuestion;
}

export interface Stats {
  tasks: Record<TaskStatus, number>;
  openQuestions: number;
  /** Long polls of this process that wait now. */
  waitingPolls: number;
}

/** Starts tasks, runs their handlers, and answers whoever watches them. */
export class TaskManager {
  readonly #parts: EngineParts;
  readonly #poller: Poller;
  readonly #feed: Feed;
  readonly #runner: Runner;
  readonly #retention: Retention | null;
  readonly #driving: Driving;
  readonly #refusals: RefusalNotes;
  readonly #endSubscription: () => void;
  #ready: Promise<void> | null = null;
  readonly #starter: TaskStarter;

  constructor(options: TaskManagerOptions) {
    const { store, queue, clock = systemClock, makeId = randomId, log = silentLog } = options;
    const hub = new ChangeHub();
    const box = options.secrets ?? (store.isDurable ? null : passingSecretBox());
    this.#parts = {
      store,
      secrets: new SecretKeeper(box, store),
      clock,
      makeId,
      hub,
      log,
      starter: () => this.#starter,
      types: new TaskTypeRegistry(),
      keys: new KeyLimits(() => queue.notify()),
      slots: new Slots(options.concurrency ?? 1000, () => queue.notify()),
      workerId: options.workerId ?? makeId("w"),
      leaseSeconds: options.leaseSeconds ?? 15,
    };
    this.#runner = new Runner(this.#parts, queue);
    this.#starter = new TaskStarter(this.#parts, this.#runner);
    this.#poller = new Poller({
      store,
      clock,
      hub,
      progressOf: (taskId) => this.#runner.progressOf(taskId),
      isDecisionUnderWay: (taskId) => this.#runner.isDecisionUnderWay(taskId),
    });
    this.#driving = new Driving(this.#parts, this.#poller);
    const { retainSeconds } = options;
    this.#retention = retainSeconds ? new Retention(this.#parts, retainSeconds) : null;
    this.#refusals = new RefusalNotes({ store, clock, log });
    this.#feed = new Feed({ store, clock, hub });
    this.#endSubscription = store.subscribe((change: Change) => {
      this.#runner.notice(change);
      hub.publish(change);
    });
  }

  /**
   * Registers a handler under a name.
   *
   * @throws Conflict when the name is taken.
   */
  registerTask(type: string, handler: TaskHandler): void;
  // biome-ignore lint/suspicious/noExplicitAny: without a schema a handler takes any params
  registerTask<Schema extends z.ZodType = z.ZodType<any>>(
    options: TaskTypeOptions<Schema>,
    handler: TaskHandler<z.output<Schema>>,
  ): void;
  registerTask(options: TaskTypeOptions & { isolation: "thread" }, handler: ThreadModule): void;
  registerTask(typeOrOptions: string | TaskTypeOptions, handler: TaskHandler | ThreadModule): void {
    const options =
      typeof typeOrOptions === "string" ? { type: typeOrOptions } : { ...typeOrOptions };
    this.#parts.types.register(options, handler);
    const { limit } = concurrencyOf(options);
    if (limit !== undefined) this.#parts.slots.limitType(options.type, limit);
    // Tasks of this type may have been waiting for a process that knows it.
    if (this.#ready) this.#runner.lookForWork();
  }

  /** Who did what; tasks and questions are in it by themselves. */
  get audit(): AuditLog {
    return this.#parts.store.audit;
  }

  /** Tasks that programs outside run. */
  get driving(): Driving {
    return this.#driving;
  }

  taskTypes(): TaskTypeInfo[] {
    return this.#parts.types.list();
  }

  /** The rules that types were registered with, by type; another map after each change. */
  typeRules(): TypeRules {
    return this.#parts.types.rules;
  }

  /**
   * Begins to take work that is due, including what an earlier process left. Called by itself with
   * the first task; a server calls it when it starts.
   */
  ready(): Promise<void> {
    this.#ready ??= this.#start().catch((error: unknown) => {
      // The store may have been away; the next call tries again.
      this.#ready = null;
      throw error;
    });
    return this.#ready;
  }

  /**
   * Starts a task and returns its id at once.
   *
   * @throws UnknownTaskType, InvalidParams, IdempotencyConflict, ShuttingDown
   */
  async startTask(type: string, params?: unknown, options: StartOptions = {}): Promise<string> {
    return (await this.startTaskDetailed(type, params, options)).task.taskId;
  }

  /** Like {@link startTask}; also tells whether the idempotency key had started the task before. */
  async startTaskDetailed(
    type: string,
    params?: unknown,
    options: StartOptions = {},
  ): Promise<Started> {
    await this.ready();
    return this.#starter.start(type, params, options);
  }

  /**
   * Starts a finished task again, linked to it by `rerunOf`, with the same parameters or others.
   *
   * @throws Conflict while it has not finished; @throws TaskNotFound, and what a start throws.
   */
  async rerunTask(taskId: string, options: RerunOptions = {}): Promise<TaskRecord> {
    return (await this.rerunTaskDetailed(taskId, options)).task;
  }

  /** Like {@link rerunTask}; also tells whether the idempotency key had started it before. */
  async rerunTaskDetailed(taskId: string, options: RerunOptions = {}): Promise<Started> {
    await this.ready();
    const { params, ...call } = options;
    return this.#starter.rerun(await this.#requireTask(taskId), params, call);
  }

  /**
   * Waits for news of a task, at most `timeout` seconds (30).
   *
   * @throws TaskNotFound, InvalidCursor, InvalidInput for a negative timeout.
   */
  pollTask(taskId: string, options: PollOptions = {}): Promise<PollResponse> {
    return this.#poller.poll(taskId, options);
  }

  /**
   * Answers a question. True if this answer won, or repeats the winning one by the same actor; false
   * if the question was closed before. An approval is answered with `{ approve: true }`; true also
   * when it counts and more people have to approve.
   *
   * @throws InvalidAnswer for a value that does not fit: the question stays open.
   * @throws TaskNotFound for an unknown task or question, or another task's question.
   * @throws Forbidden where the actor may not answer.
   */
  async respondToQuestion(
    taskId: string,
    questionId: string,
    answer: unknown,
    options: CallOptions = {},
  ): Promise<boolean> {
    return (await this.answerQuestion(questionId, answer, { ...options, taskId })).won;
  }

  /** Like {@link respondToQuestion}; also gives the question with its outcome. */
  async answerQuestion(
    questionId: string,
    answer: unknown,
    options: CallOptions & { taskId?: string } = {},
  ): Promise<Resolution> {
    const question = await this.#findQuestion(questionId, options.taskId);
    const json = toJsonValue(answer ?? null, "the answer");
    const { approval } = question;
    // A closed question is told as closed, and a forbidden one as forbidden, whatever the answer.
    const counts = question.outcome === null && mayAnswer(question, options.actor ?? libraryActor);
    if (counts) await this.#checkAnswer(question, json);
    const { secret } = question;
    const resolution = await this.#resolve(question, {
      outcome: "answered",
      answer: secret ? secretMask : json,
      sealedAnswer: secret ? this.#parts.secrets.sealAnswer(question, json) : undefined,
      declineReason: null,
      actor: options.actor ?? libraryActor,
      approval: approval ? tryReadVote(json) : undefined,
    });
    if (resolution.won || !secret) return resolution;
    return { ...resolution, won: await this.#repeatsSecret(resolution.question, json, options) };
  }

  /**
   * Says whether an answer would fit, and changes nothing. A closed question takes none, which is told
   * to whoever then answers.
   *
   * @throws InvalidAnswer, TaskNotFound
   */
  async checkAnswer(questionId: string, answer: unknown, options: CallOptions): Promise<void> {
    const question = await this.#findQuestion(questionId, undefined);
    const counts = question.outcome === null && mayAnswer(question, options.actor ?? libraryActor);
    if (counts) await this.#checkAnswer(question, toJsonValue(answer ?? null, "the answer"));
  }

  /** @throws InvalidAnswer, in which a secret answer is not repeated. */
  async #checkAnswer(question: QuestionData, answer: JsonValue): Promise<void> {
    try {
      if (question.approval) checkEdit(question.approval, readVote(answer));
      else checkAnswer(question, answer);
      await this.#runner.checkAnswer(question, answer);
    } catch (error) {
      if (!question.secret || !isToolthreadError(error)) throw error;
      const known = new KnownSecrets();
      known.add(answer);
      const details = known.mask(error.details as JsonObject) as JsonObject;
      throw new InvalidAnswer(known.maskText(error.message), details);
    }
  }

  /** Whether an answer that came too late is the one, by the same actor, that was first. */
  async #repeatsSecret(
    question: TaskQuestion,
    answer: JsonValue,
    { actor = libraryActor }: CallOptions,
  ): Promise<boolean> {
    if (question.outcome !== "answered" || !isSameActor(question.resolvedBy, actor)) return false;
    return jsonEquals(await this.#parts.secrets.readAnswer(question), answer);
  }

  /** Refuses to answer; the handler gets `QuestionDeclined`. @throws TaskNotFound, Forbidden */
  async declineQuestion(
    questionId: string,
    options: CallOptions & { reason?: string | null; taskId?: string } = {},
  ): Promise<Resolution> {
    const question = await this.#findQuestion(questionId, options.taskId);
    const { reason: declineReason = null, actor = libraryActor } = options;
    return this.#resolve(question, { outcome: "declined", answer: null, declineReason, actor });
  }

  /** Notes for the audit log that somebody tried to answer or decline what they may not. */
  noteRefusal(
    question: Pick<QuestionData, "taskId" | "questionId" | "prompt">,
    tried: "answered" | "declined",
    why: string,
    actor?: Actor,
  ): Promise<void> {
    return this.#refusals.note({ question, actor, tried, why });
  }

  /**
   * Somebody says that they are seeing to a question, for the next ten minutes. `claimed` is false when
   * somebody else is, unless `takeOver` is set, and when the question is closed.
   *
   * @throws TaskNotFound; @throws Forbidden for anybody but an operator.
   */
  async claimQuestion(
    questionId: string,
    { actor, takeOver = false }: { actor: Actor; takeOver?: boolean },
  ): Promise<{ claimed: boolean; question: TaskQuestion }> {
    const { taskId } = await this.#findQuestion(questionId);
    const at = this.#parts.clock.now();
    const claim = { kind: "claim_question", taskId, at, questionId, actor, takeOver } as const;
    const { claimed, question } = await this.#parts.store.commit<"claim_question">(claim);
    return { claimed, question: this.#shown(question) };
  }

  /** Takes a claim back; `released` is false when it is somebody else's. @throws TaskNotFound */
  async releaseQuestion(
    questionId: string,
    { actor }: { actor: Actor },
  ): Promise<{ released: boolean; question: TaskQuestion }> {
    const { taskId } = await this.#findQuestion(questionId);
    const at = this.#parts.clock.now();
    const release = { kind: "release_question", taskId, at, questionId, actor } as const;
    const { released, question } = await this.#parts.store.commit<"release_question">(release);
    return { released, question: this.#shown(question) };
  }

  /** Notes that a human has a question before their eyes. @throws TaskNotFound */
  async markQuestionSeen(questionId: string, { actor }: { actor: Actor }): Promise<void> {
    const { taskId, firstSeenAt, outcome } = await this.#findQuestion(questionId);
    if (firstSeenAt !== null || outcome !== null) return;
    const { store, clock } = this.#parts;
    await store.commit({ kind: "mark_seen", taskId, at: clock.now(), questionId, actor });
  }

  /**
   * Requests cancellation: open questions are closed, the handler is told and may clean up. True,
   * also when repeated; false when the task has ended.
   *
   * @param options.force ends the task at once, without its handler.
   * @throws TaskNotFound
   */
  async cancelTask(
    taskId: string,
    options: CallOptions & { reason?: string | null; force?: boolean } = {},
  ): Promise<boolean> {
    const { store, clock, types } = this.#parts;
    const task = await this.#requireTask(taskId);
    // Nobody would run the handler of a type that is gone, so its clean-up is not waited for.
    const type = types.find(task.type);
    const onCancel = type ? type.options.onCancel : "end";
    const endsUnrun = onCancel === "end" && task.workerId === null;
    const { actor = libraryActor, reason = null, force = false } = options;
    // Children first: should the process end in between, the caller has no answer and repeats.
    await cancelChildren(this.#parts, taskId, { actor, force });
    return store.commit({
      kind: "request_cancel",
      taskId,
      at: clock.now(),
      actor,
      reason,
      force: force || endsUnrun,
    });
  }

  /** @throws TaskNotFound */
  async getTask(taskId: string): Promise<TaskDetail> {
    const { store } = this.#parts;
    const task = await this.#requireTask(taskId);
    const [payload, questions] = await Promise.all([
      store.getPayload(taskId),
      store.getQuestions(taskId),
    ]);
    const { worked, waited } = clocksOf(task, this.#now());
    const type = this.#parts.types.find(task.type);
    return {
      task: this.#view(task),
      isTypeKnown: type !== null || isDrivenNow(task),
      cancelGrace: type?.options.cancelGrace ?? defaultCancelGraceSeconds,
      workedSeconds: worked,
      waitedSeconds: waited,
      params: payload?.params ?? null,
      result: payload?.result ?? null,
      error: payload?.error ?? null,
      questions: questions.map((data) => this.#shown(data)),
    };
  }

  /** The task alone, which stays cheap however large its payload is. @throws TaskNotFound */
  async getTaskView(taskId: string): Promise<TaskView> {
    return this.#view(await this.#requireTask(taskId));
  }

  /** @throws InvalidInput for a page cursor that is none, or an order that a search does not have. */
  async listTasks(query: TaskQuery): Promise<Page<TaskView>> {
    const page = await this.#parts.store.listTasks({ now: this.#now(), ...query });
    return { ...page, items: page.items.map((task) => this.#view(task)) };
  }

  /** @throws TaskNotFound */
  async getQuestion(questionId: string): Promise<TaskQuestion> {
    return this.#shown(await this.#findQuestion(questionId));
  }

  /**
   * The approval of the same action that was asked for last before this one: by this task, or else,
   * if `acrossTasks`, by a task of its type. Null when there is none. @throws TaskNotFound
   */
  async findPreviousApproval(
    questionId: string,
    options: { acrossTasks: boolean },
  ): Promise<TaskQuestion | null> {
    const { store } = this.#parts;
    const { approval, taskId, askedAt: before } = await this.#findQuestion(questionId);
    if (!approval) return null;
    const { action } = approval;
    const inTask = await store.findLastApproval({ action, before, taskId });
    if (inTask) return new TaskQuestion(inTask);
    if (!options.acrossTasks) return null;
    const { type: taskType } = await this.#requireTask(taskId);
    const ofType = await store.findLastApproval({ action, before, taskType });
    return ofType && new TaskQuestion(ofType);
  }

  async listQuestions(query: QuestionQuery): Promise<Page<TaskQuestion>> {
    const page = await this.#parts.store.listQuestions(query);
    return { ...page, items: page.items.map((data) => this.#shown(data)) };
  }

  /** A page of a task's timeline. @throws TaskNotFound */
  async readEvents(
    taskId: string,
    query: Pick<EventQuery, "afterSeq" | "limit" | "kinds"> = {},
  ): Promise<TaskEvent[]> {
    await this.#requireTask(taskId);
    return this.#parts.store.readEvents(taskId, query);
  }

  /** Finds entries of a task's timeline; see {@link searchEvents}. @throws TaskNotFound */
  async searchEvents(taskId: string, query: EventSearchQuery): Promise<EventsFound> {
    await this.#requireTask(taskId);
    return searchEvents(this.#parts.store, taskId, query);
  }

  /** @param scope counts only the tasks in it, and their questions. */
  async stats(scope: TaskScope | null = null): Promise<Stats> {
    const { store } = this.#parts;
    return {
      tasks: await store.countByStatus(scope),
      openQuestions: await store.countOpenQuestions(scope),
      waitingPolls: this.#poller.waitingCount,
    };
  }

  /** How it goes: what is under way, and what happened in a span of time up to now. */
  async overview(range: OverviewRange, exceptTypes: readonly string[] = []): Promise<Overview> {
    const { store } = this.#parts;
    const { width, slots } = rangeSlots[range];
    const last = slotOf(this.#now(), width);
    const query = { width, first: last - slots + 1, last, exceptTypes };
    const [rollups, live, longestWaiting] = await Promise.all([
      store.readRollups(query),
      store.countLive(exceptTypes),
      store.listLongestWaiting(longestWaitingShown, exceptTypes),
    ]);
    return overviewOf(range, query, rollups, { live, longestWaiting });
  }

  /** The position of the newest event of all; 0 when there is none. */
  lastPosition(): Promise<number> {
    return this.#parts.store.lastPosition();
  }

  /** How many follow events live now, in this process. */
  get followerCount(): number {
    return this.#feed.followerCount;
  }

  /** Follows events live; see {@link Feed.follow}. */
  followFeed(options: FollowOptions): AsyncGenerator<FeedMessage, void, undefined> {
    return this.#feed.follow(options);
  }

  /** The tasks whose handlers run in this process, as they were when they began. */
  runningTasks(): TaskRecord[] {
    return this.#runner.runningTasks();
  }

  /** @throws StoreUnavailable when the database cannot be read or written. */
  ping(): Promise<void> {
    return this.#parts.store.ping();
  }

  /**
   * Ends this process's part: refuses starts, cancels the tasks that run here, waits up to `timeout`
   * seconds (10) for their handlers, ends those that are left, answers all polls and ends all feeds.
   * Tasks that no attempt of this process runs are untouched.
   */
  async shutdown(timeout = 10): Promise<void> {
    this.#starter.close();
    this.#poller.close({ atOnce: false });
    this.#feed.close();
    await this.#runner.cancelAll(timeout);
    await this.#close();
  }

  /**
   * Ends this process's part without cancelling: what runs goes on to its end or its next safe point
   * (a recorded step, a wait), for up to `grace` seconds (0), and is then given back, for the next
   * process to resume.
   */
  async drain(grace = 0): Promise<void> {
    this.#starter.close();
    this.#poller.close({ atOnce: true });
    this.#feed.close();
    await this.#runner.releaseAll(grace);
    await this.#close();
  }

  async #start(): Promise<void> {
    await this.#runner.start();
    this.#retention?.start();
  }

  async #close(): Promise<void> {
    this.#retention?.stop();
    await this.#runner.stop();
    this.#endSubscription();
  }

  async #resolve(
    question: QuestionData,
    said: Omit<Command<"resolve">, "kind" | "taskId" | "at" | "questionId">,
  ): Promise<Resolution> {
    const { taskId, questionId } = question;
    try {
      const { won, question: resolved } = await this.#parts.store.commit({
        kind: "resolve",
        taskId,
        at: this.#parts.clock.now(),
        questionId,
        ...said,
      });
      return { won, question: this.#shown(resolved) };
    } catch (error) {
      if (!hasErrorCode(error, "forbidden")) throw error;
      const tried = said.outcome === "declined" ? "declined" : "answered";
      await this.noteRefusal(question, tried, error.message, said.actor ?? undefined);
      throw error;
    }
  }

  async #findQuestion(questionId: string, taskId?: string) {
    // The task first: a store that keeps tasks of an earlier process may learn of them by that.
    if (taskId !== undefined) await this.#requireTask(taskId);
    const question = await this.#parts.store.getQuestion(questionId);
    if (question && (taskId === undefined || question.taskId === taskId)) return question;
    throw new TaskNotFound(
      taskId === undefined
        ? `There is no question ${questionId}.`
        : `Task ${taskId} has no question ${questionId}.`,
    );
  }

  async #requireTask(taskId: string): Promise<TaskRecord> {
    const task = await this.#parts.store.getTask(taskId);
    if (!task) throw new TaskNotFound(`There is no task ${taskId}.`);
    return task;
  }

  #shown(question: QuestionData): TaskQuestion {
    return new TaskQuestion(withoutOldClaim(question, this.#now()));
  }

  #view(task: TaskRecord): TaskView {
    const progress = this.#runner.progressOf(task.taskId) ?? task.progress;
    return toTaskView({ ...task, progress }, this.#now());
  }

  #now(): Timestamp {
    return toTimestamp(this.#parts.clock.now());
  }
}

function isDrivenNow(task: TaskRecord): boolean {
  return isDriven(task) && !isTerminal(task.status);
}
