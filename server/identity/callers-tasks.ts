import { type AuditEntry, type AuditQuery, auditCaller } from "../core/audit.ts";
import type { EventQuery, Page, QuestionQuery, TaskQuery } from "../core/durable-task-store.ts";
import { Forbidden, TaskNotFound, UnknownTaskType } from "../core/errors.ts";
import { toJsonValue } from "../core/json.ts";
import type { Overview, OverviewRange } from "../core/overview.ts";
import type { PollResponse } from "../core/poll-response.ts";
import { systemClock } from "../core/system-clock.ts";
import type { TaskView } from "../core/task.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { TaskQuestion } from "../core/task-question.ts";
import type { TaskTypeInfo } from "../core/task-type.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { EventSearchQuery, EventsFound } from "../engine/event-search.ts";
import type { FeedMessage } from "../engine/feed.ts";
import type { PollOptions } from "../engine/poller.ts";
import type { TaskDetail } from "../engine/task-detail.ts";
import type { Resolution, Stats, TaskManager } from "../engine/task-manager.ts";
import type { Started, StartOptions } from "../engine/task-starter.ts";
import type { Caller } from "./caller.ts";
import { CallersDriving } from "./callers-driving.ts";
import type { OpenCalls } from "./open-calls.ts";

const auditPageSize = 500;
const timelinePageSize = 500;

/** As {@link TaskQuery}; `waitsForMe` are those with an open question that the caller may answer. */
export type CallersTaskQuery = Omit<
  TaskQuery,
  "waitsFor" | "createdById" | "exceptTypes" | "now"
> & {
  waitsForMe?: boolean;
};

/**
 * The engine as one caller may use it. Surfaces have nothing else of it, so that none can forget to
 * ask: what a caller may not see does not exist for it, what it may not do is refused.
 */
export class CallersTasks {
  readonly #manager: TaskManager;
  readonly #caller: Caller;
  readonly #openCalls: OpenCalls | null;

  /** @param openCalls through which open polls and streams are ended; null where nobody ends them. */
  constructor(manager: TaskManager, caller: Caller, openCalls: OpenCalls | null) {
    this.#manager = manager;
    this.#caller = caller;
    this.#openCalls = openCalls;
  }

  /** Tasks that programs outside run, as this caller may drive them. */
  get driving(): CallersDriving {
    return new CallersDriving(this.#manager.driving, this.#caller, this.#openCalls, (taskId) =>
      this.#requireVisible(taskId),
    );
  }

  /** Those a program may start; of a person, those whose tasks they may see. */
  taskTypes(): TaskTypeInfo[] {
    const { access, actor } = this.#caller;
    return this.#manager
      .taskTypes()
      .filter(({ type }) =>
        actor.kind === "operator" ? access.maySeeType(type) : access.mayStart(type),
      );
  }

  /** @throws Forbidden, and what a start throws. */
  async startTaskDetailed(
    type: string,
    params: unknown,
    options: Omit<StartOptions, "actor">,
  ): Promise<Started> {
    this.#requireStart(type);
    const { actor } = this.#caller;
    return this.#manager.startTaskDetailed(type, params, { ...options, actor });
  }

  /** @throws TaskNotFound, Forbidden, and what a rerun throws. */
  async rerunTask(
    taskId: string,
    options: { params?: unknown; idempotencyKey?: string },
  ): Promise<Started> {
    const { type } = await this.getTaskView(taskId);
    this.#requireStart(type);
    return this.#manager.rerunTaskDetailed(taskId, { ...options, actor: this.#caller.actor });
  }

  /** @throws TaskNotFound */
  async getTaskView(taskId: string): Promise<TaskView> {
    const task = await this.#manager.getTaskView(taskId);
    if (!this.#caller.access.maySee(task)) throw noSuchTask(taskId);
    return task;
  }

  /** @throws TaskNotFound */
  async getTask(taskId: string): Promise<TaskDetail> {
    await this.#requireVisible(taskId);
    return this.#manager.getTask(taskId);
  }

  /** @throws InvalidInput */
  listTasks({ waitsForMe, ...query }: CallersTaskQuery): Promise<Page<TaskView>> {
    const { access, actor } = this.#caller;
    const all = { ...query, ...access.scope };
    if (!waitsForMe) return this.#manager.listTasks(all);
    if (!access.may("questions:answer")) return Promise.resolve({ items: [], nextCursor: null });
    const waitsFor = { actor, exceptTypes: access.typesNotAnswered };
    return this.#manager.listTasks({ ...all, waitsFor });
  }

  /** @throws TaskNotFound */
  async readEvents(
    taskId: string,
    query: Pick<EventQuery, "afterSeq" | "limit" | "kinds">,
  ): Promise<TaskEvent[]> {
    await this.#requireVisible(taskId);
    return this.#manager.readEvents(taskId, query);
  }

  /** @throws TaskNotFound */
  async searchEvents(taskId: string, query: EventSearchQuery): Promise<EventsFound> {
    await this.#requireVisible(taskId);
    return this.#manager.searchEvents(taskId, query);
  }

  /**
   * A task's whole timeline, a page at a time, as far as it goes when it is begun to be read.
   *
   * @throws TaskNotFound, Forbidden; Unauthorized when the key or session ends meanwhile.
   */
  async *readTimeline(
    taskId: string,
    outer: AbortSignal,
  ): AsyncGenerator<TaskEvent[], void, undefined> {
    if (!this.#caller.access.may("tasks:read")) throw new Forbidden("You may not read tasks.");
    const { lastSeq } = await this.getTaskView(taskId);
    const opened = this.#openCalls?.open(this.#caller, outer);
    const signal = opened?.signal ?? outer;
    try {
      for (let afterSeq = 0; afterSeq < lastSeq; ) {
        signal.throwIfAborted();
        const limit = Math.min(timelinePageSize, lastSeq - afterSeq);
        const page = await this.#manager.readEvents(taskId, { afterSeq, limit });
        afterSeq = page.at(-1)?.seq ?? lastSeq;
        yield page;
      }
    } finally {
      opened?.close();
    }
  }

  /** @throws TaskNotFound, and what a poll throws; Unauthorized when the key ends meanwhile. */
  pollTask(taskId: string, options: PollOptions): Promise<PollResponse> {
    const { access } = this.#caller;
    const openCalls = this.#openCalls;
    // Nothing to ask and nothing that could end: the wait is not to hold more than it must.
    if (openCalls === null && access.scope === null) return this.#manager.pollTask(taskId, options);
    return this.getTaskView(taskId).then((task) => {
      const poll = (signal: AbortSignal | undefined) =>
        this.#manager.pollTask(taskId, { ...options, signal }).then((response) => {
          // A rule may have changed while it waited.
          if (!access.maySee(task)) throw noSuchTask(taskId);
          return response;
        });
      if (openCalls === null) return poll(options.signal);
      return openCalls.hold(this.#caller, options.signal, poll);
    });
  }

  /** @throws TaskNotFound, Forbidden */
  async cancelTask(
    taskId: string,
    options: { reason?: string | null; force?: boolean },
  ): Promise<boolean> {
    const task = await this.getTaskView(taskId);
    const { access, actor } = this.#caller;
    if (!access.mayCancel(task)) {
      throw new Forbidden(`You may see task ${taskId}, and may not cancel it.`);
    }
    return this.#manager.cancelTask(taskId, { ...options, actor });
  }

  /** @throws Forbidden to a key that reads its own tasks only: there are no counts of those. */
  async overview(range: OverviewRange): Promise<Overview> {
    const { scope } = this.#caller.access;
    if (scope?.createdById !== undefined) {
      throw new Forbidden(
        "This key reads its own tasks only, and the overview counts everybody's.",
      );
    }
    return this.#manager.overview(range, scope?.exceptTypes);
  }

  stats(): Promise<Stats> {
    return this.#manager.stats(this.#caller.access.scope);
  }

  listQuestions(query: QuestionQuery): Promise<Page<TaskQuestion>> {
    return this.#manager.listQuestions({ ...query, ...this.#caller.access.scope });
  }

  /** @throws TaskNotFound */
  async getQuestion(questionId: string): Promise<TaskQuestion> {
    return (await this.#findQuestion(questionId)).question;
  }

  /** The last time the same approval was asked for; of other tasks, only of ones it may see. */
  async findPreviousApproval(questionId: string): Promise<TaskQuestion | null> {
    await this.#findQuestion(questionId);
    // Other tasks of the type may be somebody else's: an agent is told of its own one's only.
    const acrossTasks = this.#caller.actor.kind === "operator";
    return this.#manager.findPreviousApproval(questionId, { acrossTasks });
  }

  /** @throws TaskNotFound, Forbidden, InvalidAnswer */
  async answerQuestion(questionId: string, answer: unknown): Promise<Resolution> {
    await this.#requireAnswerable(questionId, "answered");
    return this.#manager.answerQuestion(questionId, answer, { actor: this.#caller.actor });
  }

  /** Says whether an answer would fit, and changes nothing. @throws TaskNotFound, InvalidAnswer */
  async checkAnswer(questionId: string, answer: unknown): Promise<void> {
    await this.#findQuestion(questionId);
    return this.#manager.checkAnswer(questionId, answer, { actor: this.#caller.actor });
  }

  /** @throws TaskNotFound, Forbidden */
  async declineQuestion(questionId: string, reason?: string | null): Promise<Resolution> {
    await this.#requireAnswerable(questionId, "declined");
    return this.#manager.declineQuestion(questionId, { actor: this.#caller.actor, reason });
  }

  /**
   * Says for others to see that this person sees to a question. @throws TaskNotFound, Forbidden
   */
  async claimQuestion(
    questionId: string,
    takeOver: boolean,
  ): Promise<{ claimed: boolean; question: TaskQuestion }> {
    const { task } = await this.#findQuestion(questionId);
    const { access, actor } = this.#caller;
    if (!access.mayAnswer(task)) {
      throw new Forbidden(`You may see question ${questionId}, and may not answer it.`);
    }
    return this.#manager.claimQuestion(questionId, { actor, takeOver });
  }

  /** Takes that back. @throws TaskNotFound */
  async releaseQuestion(
    questionId: string,
  ): Promise<{ released: boolean; question: TaskQuestion }> {
    await this.#findQuestion(questionId);
    return this.#manager.releaseQuestion(questionId, { actor: this.#caller.actor });
  }

  /** Notes that somebody who may answer has a question before their eyes. @throws TaskNotFound */
  async markQuestionSeen(questionId: string): Promise<void> {
    const { task } = await this.#findQuestion(questionId);
    const { access, actor } = this.#caller;
    if (!access.mayAnswer(task)) return;
    await this.#manager.markQuestionSeen(questionId, { actor });
  }

  /** @throws Forbidden, InvalidInput */
  listAudit(query: AuditQuery): Promise<Page<AuditEntry>> {
    this.#requireAudit();
    return this.#manager.audit.list(query);
  }

  /**
   * The whole audit log as far as the filters let through, newest first, a page at a time. Notes in
   * the log that it was read.
   *
   * @throws Forbidden; Unauthorized when the session ends meanwhile.
   */
  async *exportAudit(
    query: Omit<AuditQuery, "limit" | "after">,
    { format, signal: outer }: { format: string; signal: AbortSignal },
  ): AsyncGenerator<AuditEntry[], void, undefined> {
    this.#requireAudit();
    const opened = this.#openCalls?.open(this.#caller, outer);
    const signal = opened?.signal ?? outer;
    try {
      await this.#noteExport(query, format);
      for (let after: string | null | undefined; after !== null; ) {
        signal.throwIfAborted();
        const page = await this.#manager.audit.list({ ...query, limit: auditPageSize, after });
        after = page.nextCursor;
        yield page.items;
      }
    } finally {
      opened?.close();
    }
  }

  lastPosition(): Promise<number> {
    return this.#manager.lastPosition();
  }

  /** What happens to the tasks it may see. @throws Unauthorized when the key or session ends. */
  async *followFeed(options: {
    afterPosition: number;
    taskId?: string;
    signal: AbortSignal;
  }): AsyncGenerator<FeedMessage, void, undefined> {
    const { access } = this.#caller;
    const opened = this.#openCalls?.open(this.#caller, options.signal);
    const signal = opened?.signal ?? options.signal;
    try {
      for await (const message of this.#manager.followFeed({ ...options, signal })) {
        if (signal.aborted) break;
        if (message.kind === "reset" || access.maySee(message.task)) yield message;
      }
      // It ended, but not because the client went away: the client is to hear why.
      if (signal.aborted && !options.signal.aborted) throw signal.reason;
    } finally {
      opened?.close();
    }
  }

  #requireAudit(): void {
    if (this.#caller.access.may("audit:read")) return;
    throw new Forbidden("Only an admin may read the audit log.");
  }

  #noteExport(query: Omit<AuditQuery, "limit" | "after">, format: string): Promise<void> {
    return this.#manager.audit.append({
      at: toTimestamp(systemClock.now()),
      action: "audit.exported",
      ...auditCaller(this.#caller.actor),
      taskId: null,
      taskType: null,
      questionId: null,
      details: { format, filters: toJsonValue(query, "filters") },
    });
  }

  #requireStart(type: string): void {
    const { access, actor } = this.#caller;
    const mayStart = access.mayStart(type);
    // What somebody may not see does not exist for them.
    if (!mayStart && access.maySeeType(type)) {
      const who = actor.kind === "operator" ? "You" : "This key";
      throw new Forbidden(`${who} may not start tasks of the type "${type}".`, { type });
    }
    if (mayStart && access.scope === null) return;
    const known = this.taskTypes().map((info) => info.type);
    if (mayStart && known.includes(type)) return;
    throw new UnknownTaskType(
      `There is no task type "${type}". You may start: ${known.join(", ") || "none"}.`,
      { type, known },
    );
  }

  async #requireVisible(taskId: string): Promise<void> {
    // Whoever sees everything need not be asked about.
    if (this.#caller.access.scope !== null) await this.getTaskView(taskId);
  }

  async #findQuestion(questionId: string): Promise<{ question: TaskQuestion; task: TaskView }> {
    const question = await this.#manager.getQuestion(questionId);
    const task = await this.#manager.getTaskView(question.taskId);
    if (!this.#caller.access.maySee(task)) {
      throw new TaskNotFound(`There is no question ${questionId}.`);
    }
    return { question, task };
  }

  async #requireAnswerable(questionId: string, tried: "answered" | "declined"): Promise<void> {
    const { question, task } = await this.#findQuestion(questionId);
    const { access, actor } = this.#caller;
    if (access.mayAnswer(task)) return;
    const why = `You may see question ${questionId}, and may not answer it.`;
    await this.#manager.noteRefusal(question, tried, why, actor);
    throw new Forbidden(why);
  }
}

// In the very words of the engine: whether a task exists is not to be told by how it is refused.
function noSuchTask(taskId: string): TaskNotFound {
  return new TaskNotFound(`There is no task ${taskId}.`);
}
