import { AsyncLocalStorage } from "node:async_hooks";
import type { z } from "zod";
import {
  Conflict,
  describeThrown,
  hasErrorCode,
  InvalidInput,
  QuestionDeclined,
  ReplayMismatch,
  TaskCancelled,
  TaskTimeout,
} from "../core/errors.ts";
import type { JournalEntry } from "../core/journal.ts";
import { type JsonValue, toJsonValue } from "../core/json.ts";
import type {
  AnswerOf,
  ChildOptions,
  ChildTask,
  Outcome,
  QuestionOptions,
  QuestionRequest,
  StepOptions,
  TaskContext,
} from "../core/task-context.ts";
import { newQuestionData, type QuestionData, TaskQuestion } from "../core/task-question.ts";
import { type UpdateLevel, updateLevels } from "../core/task-update.ts";
import { addSeconds, parseTimestamp, type Timestamp, toTimestamp } from "../core/timestamp.ts";
import type { Attempt } from "./attempt.ts";
import { resultOf } from "./child-tasks.ts";
import { deferred } from "./deferred.ts";
import type { EngineParts } from "./engine-parts.ts";
import { isZodSchema } from "./json-schema.ts";
import { ProgressReporter } from "./progress-reporter.ts";
import { asksForTheSame, checkRequest, parseAnswer } from "./question-request.ts";
import type { Replay } from "./replay.ts";
import { retryDelay } from "./retry-delay.ts";
import type { Started } from "./task-starter.ts";
import { TrackedPromise } from "./tracked-promise.ts";

/** A wait of the handler that a cancel or the loss of the lease cuts short. */
interface Wait {
  reject(reason: Error): void;
  stopTimer?: () => void;
}

/** The step whose function runs; of which handler, because a step may begin another task. */
const insideStep = new AsyncLocalStorage<{ name: string; context: AttemptContext }>();

/** The `ctx` a handler gets: each call becomes a command of its attempt, or a recorded value. */
export class AttemptContext implements TaskContext {
  readonly taskId: string;
  readonly attempt: number;
  readonly #attempt: Attempt;
  readonly #parts: EngineParts;
  readonly #replay: Replay;
  readonly #progress: ProgressReporter;
  readonly #posts = new Set<TrackedPromise<unknown>>();
  readonly #waits = new Set<Wait>();
  readonly #questionWaits = new Map<string, (question: QuestionData) => void>();
  readonly #answerSchemas = new Map<string, z.ZodType>();
  readonly #sleepsUntil = new Set<Timestamp>();
  readonly #failures: { call: TrackedPromise<unknown>; error: unknown }[] = [];

  constructor(attempt: Attempt, parts: EngineParts, replay: Replay) {
    this.taskId = attempt.task.taskId;
    this.attempt = attempt.task.attempt;
    this.#attempt = attempt;
    this.#parts = parts;
    this.#replay = replay;
    this.#progress = new ProgressReporter(attempt, parts.clock);
  }

  get isCancelled(): boolean {
    return this.#attempt.isCancelled;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  checkCancelled(): void {
    this.#attempt.checkCancelled();
  }

  update(message: string, level: UpdateLevel = "info"): Promise<void> {
    return this.#trackPost(async () => {
      const text = typeof message === "string" ? message : String(message);
      if (!updateLevels.includes(level)) {
        throw new InvalidInput(`"${level}" is no update level; use ${updateLevels.join(", ")}.`);
      }
      this.#attempt.requireLive();
      if (this.#replay.isRepeated({ message: text, level })) return;
      const updateId = this.#parts.makeId("u");
      await this.#attempt.commit({ kind: "post_update", updateId, level, message: text });
    });
  }

  progress(done: number, total: number | null = null, message?: string): Promise<void> {
    return this.#trackPost(async () => {
      if (!Number.isFinite(done) || done < 0) {
        throw new InvalidInput(`progress: done is a number from 0 on, but this is ${done}.`);
      }
      if (total !== null && (!Number.isFinite(total) || total < 0)) {
        throw new InvalidInput(
          `progress: total is a number from 0 on or null, but this is ${total}.`,
        );
      }
      this.#attempt.requireLive();
      const isNewMessage = this.#progress.report(done, total, message ?? null);
      if (isNewMessage && message !== undefined) await this.update(message);
    });
  }

  askCustomer<const Options extends QuestionOptions = QuestionOptions>(
    prompt: string,
    options?: Options,
  ): Promise<AnswerOf<Options>> {
    return this.#track(async () => {
      const outcome = await this.#ask({ ...options, prompt });
      switch (outcome.outcome) {
        case "answered":
          return outcome.answer as AnswerOf<Options>;
        case "timed_out":
          if (outcome.defaultUsed) return outcome.defaultValue as AnswerOf<Options>;
          throw new TaskTimeout(
            `Nobody answered within ${outcome.question.timeout} s: ${outcome.question.prompt.slice(0, 200)}`,
            { questionId: outcome.question.questionId },
          );
        case "declined":
          throw new QuestionDeclined(
            `${outcome.by?.name ?? "Somebody"} declined to answer` +
              (outcome.declineReason ? `: ${outcome.declineReason}` : "."),
            { questionId: outcome.question.questionId, reason: outcome.declineReason },
          );
        case "cancelled":
          this.checkCancelled();
          throw new TaskCancelled(`Task ${this.taskId} was cancelled.`);
      }
    });
  }

  ask<const Request extends QuestionRequest>(
    request: Request,
  ): Promise<Outcome<AnswerOf<Request>>> {
    return this.#track(() => this.#ask(request) as unknown as Promise<Outcome<AnswerOf<Request>>>);
  }

  step<T>(name: string, fn: () => T | Promise<T>, options: StepOptions = {}): Promise<T> {
    return this.#trackPost(() => this.#step(name, fn, options));
  }

  sleep(seconds: number, options: { key?: string } = {}): Promise<void> {
    return this.#track(() => this.#sleep(seconds, options.key));
  }

  startTask(type: string, params?: unknown, options: ChildOptions = {}): Promise<ChildTask> {
    return this.#trackPost(() => this.#startChild(type, params, options));
  }

  /** The moment `seconds` from now. */
  timestampIn(seconds: number): Timestamp {
    return addSeconds(toTimestamp(this.#parts.clock.now()), seconds);
  }

  /** Questions the handler waits for. */
  get awaitedQuestions(): number {
    return this.#questionWaits.size;
  }

  /** The first end of a sleep the handler is in; null when it is in none. */
  get wakesAt(): Timestamp | null {
    return [...this.#sleepsUntil].sort()[0] ?? null;
  }

  /** A question of this task changed: whoever waits for it goes on. */
  noticeQuestion(question: QuestionData): void {
    if (question.outcome !== null) this.#questionWaits.get(question.questionId)?.(question);
  }

  /** @throws InvalidAnswer where the handler's own schema says more than what is stored of it. */
  async checkAnswer(questionId: string, answer: JsonValue): Promise<void> {
    const schema = this.#answerSchemas.get(questionId);
    if (schema) await parseAnswer(schema, answer);
  }

  /** Ends all waits that a cancel or the loss of the lease ends. */
  rejectWaits(reason: Error): void {
    for (const wait of [...this.#waits]) wait.reject(reason);
  }

  /**
   * Waits until everything posted is committed.
   *
   * @throws the failure of a call whose promise the handler ignored.
   * @throws ReplayMismatch when recorded entries were never reached.
   */
  async settle(): Promise<void> {
    await this.#progress.flush();
    while (this.#posts.size > 0) await settled(this.#posts);
    const ignored = this.#failures.find(({ call }) => !call.isObserved);
    if (ignored) throw ignored.error;
    if (!this.isCancelled) this.#replay.requireAllUsed();
  }

  close(): void {
    this.#progress.close();
    // A wait that lost a race stays unsettled, and must not keep the process alive.
    for (const wait of this.#waits) wait.stopTimer?.();
  }

  /** For calls whose work must be done before the attempt can end. */
  #trackPost<T>(run: () => Promise<T>): TrackedPromise<T> {
    const tracked = this.#track(run);
    this.#posts.add(tracked);
    const done = () => this.#posts.delete(tracked);
    Promise.prototype.then.call(tracked, done, done);
    return tracked;
  }

  #track<T>(run: () => Promise<T>): TrackedPromise<T> {
    const tracked = TrackedPromise.track(run);
    Promise.prototype.then.call(tracked, undefined, (error: unknown) => {
      // That the task was cancelled or lost is known without it.
      if (!isInterruption(error, this.signal)) this.#failures.push({ call: tracked, error });
    });
    return tracked;
  }

  async #ask(request: QuestionRequest): Promise<Outcome> {
    this.#refuseInsideStep("ask");
    this.#attempt.requireLive();
    const checked = checkRequest(request);
    const key = this.#replay.nextKey("ask", request.key);
    const recorded = this.#replay.takeQuestion(key);
    if (recorded && !asksForTheSame(recorded, checked)) {
      throw new ReplayMismatch(
        `Question ${key} was recorded with other choices or another schema than the handler asks ` +
          "for now.",
        { name: "ask", key, questionId: recorded.questionId },
      );
    }
    const askedAt = toTimestamp(this.#parts.clock.now());
    const question =
      recorded ??
      newQuestionData({
        ...checked,
        taskId: this.taskId,
        questionId: this.#parts.makeId("q"),
        key,
        askedAt,
        deadline: addSeconds(askedAt, checked.timeout),
      });
    if (question.outcome !== null) return this.#outcomeOf(question, request);
    if (!recorded && this.isCancelled) return this.#outcomeOf(this.#neverAsked(question), request);

    const endCall = this.#replay.begin();
    if (isZodSchema(request.schema)) {
      this.#answerSchemas.set(question.questionId, request.schema);
    }
    try {
      const resolved = await this.#waitForOutcome(question, recorded !== null);
      return await this.#outcomeOf(resolved, request);
    } finally {
      this.#answerSchemas.delete(question.questionId);
      endCall();
    }
  }

  async #waitForOutcome(question: QuestionData, isRecorded: boolean): Promise<QuestionData> {
    // Listening starts before the question is asked, so that no answer can come too early.
    const { promise, resolve, reject } = deferred<QuestionData>();
    this.#questionWaits.set(question.questionId, resolve);
    const wait: Wait = {
      // A cancel closes the question, and its outcome says so; losing the lease does not.
      reject: (reason) => (hasErrorCode(reason, "task_cancelled") ? undefined : reject(reason)),
    };
    this.#waits.add(wait);
    try {
      if (isRecorded) {
        const current = await this.#parts.store.getQuestion(question.questionId);
        if (current?.outcome) return current;
      } else {
        try {
          await this.#attempt.commit({ kind: "ask", question });
        } catch (error) {
          if (hasErrorCode(error, "task_cancelled")) return this.#neverAsked(question);
          throw error;
        }
      }
      return await promise.finally(this.#attempt.slot.beginWait("question"));
    } finally {
      this.#questionWaits.delete(question.questionId);
      this.#waits.delete(wait);
    }
  }

  /** The outcome of a question that a cancel came before. */
  #neverAsked(question: QuestionData): QuestionData {
    return { ...question, outcome: "cancelled", resolvedAt: toTimestamp(this.#parts.clock.now()) };
  }

  async #outcomeOf(question: QuestionData, { schema }: QuestionRequest): Promise<Outcome> {
    const read = async (value: JsonValue): Promise<JsonValue> =>
      isZodSchema(schema) ? ((await parseAnswer(schema, value)) as JsonValue) : value;
    return {
      outcome: question.outcome ?? "cancelled",
      answer: question.outcome === "answered" ? await read(question.answer) : null,
      defaultUsed: question.defaultUsed,
      defaultValue: question.defaultUsed ? await read(question.defaultValue) : null,
      declineReason: question.declineReason,
      by: question.resolvedBy,
      question: new TaskQuestion(question),
    };
  }

  async #step<T>(name: string, fn: () => T | Promise<T>, options: StepOptions): Promise<T> {
    this.#refuseInsideStep(`step "${name}"`);
    requireName(name);
    this.#attempt.requireLive();
    const key = this.#replay.nextKey(name, options.key);
    const recorded = this.#replay.takeEntry("step", name, key);
    if (recorded?.status === "ok") return recorded.value as T;
    if (recorded?.status === "failed") throw recordedFailure(recorded);
    if (!options.evenIfCancelled) this.#attempt.checkCancelled();

    const endCall = this.#replay.begin();
    const startedAt = toTimestamp(this.#parts.clock.now());
    const entry = { taskId: this.taskId, kind: "step" as const, name, key, startedAt };
    try {
      const value = await this.#runStep(name, fn, options);
      await this.#attempt.commit({
        kind: "record",
        entry: { ...entry, status: "ok", value, error: null },
      });
      return value as T;
    } catch (error) {
      if (!isInterruption(error, this.signal)) {
        await this.#attempt.commit({
          kind: "record",
          entry: { ...entry, status: "failed", value: null, error: describeThrown(error) },
        });
      }
      throw error;
    } finally {
      endCall();
    }
  }

  /** Runs a step's function until it succeeds or its retries are used up. */
  async #runStep(
    name: string,
    fn: () => unknown,
    { retries, evenIfCancelled }: StepOptions,
  ): Promise<JsonValue> {
    for (let failures = 0; ; failures++) {
      const endStep = await this.#attempt.slot.beginStep();
      let delay: number | null;
      try {
        const returned = await insideStep.run({ name, context: this }, async () => fn());
        return toJsonValue(returned ?? null, `the value of step "${name}"`);
      } catch (error) {
        delay = retryDelay(retries, failures, error);
        if (delay === null || isInterruption(error, this.signal)) throw error;
        const text = `Step "${name}" failed and is tried again: ${describeThrown(error)}`;
        await this.update(text, "warning");
      } finally {
        endStep();
      }
      if (evenIfCancelled) await this.#pause(delay);
      else await this.#waitUntil(this.timestampIn(delay));
    }
  }

  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.after(seconds, resolve));
  }

  async #sleep(seconds: number, explicitKey: string | undefined): Promise<void> {
    this.#refuseInsideStep("sleep");
    if (!Number.isFinite(seconds) || seconds < 0) {
      throw new InvalidInput(`sleep takes seconds from 0 on, but this is ${seconds}.`);
    }
    const key = this.#replay.nextKey("sleep", explicitKey);
    const recorded = this.#replay.takeEntry("sleep", "sleep", key);
    if (!recorded) this.#attempt.checkCancelled();
    const endCall = this.#replay.begin();
    try {
      const until = recorded ? String(recorded.value) : await this.#recordSleep(key, seconds);
      await this.#waitUntil(until);
    } finally {
      endCall();
    }
  }

  async #recordSleep(key: string, seconds: number): Promise<Timestamp> {
    const until = this.timestampIn(seconds);
    await this.#attempt.commit({
      kind: "record",
      entry: {
        taskId: this.taskId,
        kind: "sleep",
        name: "sleep",
        key,
        status: "pending",
        value: until,
        error: null,
        startedAt: toTimestamp(this.#parts.clock.now()),
      },
    });
    return until;
  }

  async #waitUntil(until: Timestamp): Promise<void> {
    const left = (parseTimestamp(until) - this.#parts.clock.now()) / 1_000_000;
    if (left <= 0) return;
    this.#attempt.checkCancelled();
    const { promise, resolve, reject } = deferred<void>();
    const stopTimer = this.#parts.clock.after(left, resolve);
    const wait: Wait = { reject, stopTimer };
    this.#waits.add(wait);
    this.#sleepsUntil.add(until);
    const endWait = this.#attempt.slot.beginWait("other");
    try {
      await promise;
    } finally {
      stopTimer();
      this.#sleepsUntil.delete(until);
      this.#waits.delete(wait);
      await endWait();
    }
  }

  async #startChild(type: string, params: unknown, options: ChildOptions): Promise<ChildTask> {
    this.#refuseInsideStep(`startTask("${type}")`);
    const { key: explicitKey, ...rest } = options;
    const key = this.#replay.nextKey(`start ${type}`, explicitKey);
    const { createdBy } = this.#attempt.task;
    // The idempotency key is the journal here: a resumed handler gets the same child.
    const idempotencyKey = `child ${this.taskId} ${key}`;
    if (!this.#replay.isReplaying) this.#attempt.checkCancelled();
    const started = await this.#parts.starter?.start(
      type,
      params,
      { ...rest, actor: createdBy, idempotencyKey },
      { parentTaskId: this.taskId },
    );
    const { taskId } = (started as Started).task;
    return { taskId, result: () => this.#track(() => this.#childResult(taskId)) };
  }

  async #childResult(taskId: string): Promise<JsonValue> {
    this.#attempt.checkCancelled();
    let wait: Wait | null = null;
    const endCall = this.#replay.begin();
    const endWait = this.#attempt.slot.beginWait("other");
    try {
      return await resultOf(this.#parts, taskId, (reject) => {
        wait = { reject };
        this.#waits.add(wait);
      });
    } finally {
      if (wait) this.#waits.delete(wait);
      endCall();
      await endWait();
    }
  }

  #refuseInsideStep(what: string): void {
    const outer = insideStep.getStore();
    if (outer?.context !== this) return;
    throw new Conflict(
      `ctx.${what} was called inside step "${outer.name}". A step is recorded as a whole; call it outside.`,
    );
  }
}

/** Resolves when all have settled, without counting as looking at them. */
async function settled(calls: Iterable<TrackedPromise<unknown>>): Promise<void> {
  const none = () => {};
  await Promise.all([...calls].map((call) => Promise.prototype.then.call(call, none, none)));
}

function requireName(name: string): void {
  if (typeof name !== "string" || name === "" || name === "ask" || name === "sleep") {
    throw new InvalidInput(
      `A step needs a name of its own: a text that is not empty, "ask" or "sleep".`,
    );
  }
}

/** Errors that say nothing about the step itself and so are not its recorded outcome. */
function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return (
    hasErrorCode(error, "task_cancelled") ||
    hasErrorCode(error, "lease_lost") ||
    (signal.aborted && error === signal.reason)
  );
}

function recordedFailure(entry: JournalEntry): Error {
  const text = entry.error ?? "Error: the step failed";
  const cut = text.indexOf(": ");
  const error = new Error(cut < 0 ? text : text.slice(cut + 2));
  error.name = cut < 0 ? "Error" : text.slice(0, cut);
  return error;
}
