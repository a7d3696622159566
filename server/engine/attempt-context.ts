import { beginningOf } from "../core/beginning-of.ts";
import type { MakeId } from "../core/clock.ts";
import { InvalidInput, QuestionDeclined, TaskCancelled, TaskTimeout } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type {
  AnswerOf,
  ApproveOptions,
  ChildOptions,
  ChildTask,
  Grant,
  GrantedArgs,
  Outcome,
  QuestionOptions,
  QuestionRequest,
  StepOptions,
  TaskContext,
} from "../core/task-context.ts";
import type { QuestionData } from "../core/task-question.ts";
import { type UpdateLevel, updateLevels } from "../core/task-update.ts";
import type { Timestamp } from "../core/timestamp.ts";
import { Asking } from "./asking.ts";
import type { Attempt } from "./attempt.ts";
import { Children } from "./child-tasks.ts";
import type { EngineParts } from "./engine-parts.ts";
import { isInterruption } from "./interruption.ts";
import { ProgressReporter } from "./progress-reporter.ts";
import type { Replay } from "./replay.ts";
import { Sleeping } from "./sleeping.ts";
import { Stepping } from "./stepping.ts";
import { TrackedPromise } from "./tracked-promise.ts";
import { Waits } from "./waits.ts";

const maxUnitLength = 30;

/** The `ctx` a handler gets: each call becomes a command of its attempt, or a recorded value. */
export class AttemptContext implements TaskContext {
  readonly taskId: string;
  readonly attempt: number;
  readonly #attempt: Attempt;
  readonly #makeId: MakeId;
  readonly #replay: Replay;
  readonly #progress: ProgressReporter;
  readonly #waits = new Waits();
  readonly #asking: Asking;
  readonly #sleeping: Sleeping;
  readonly #stepping: Stepping;
  readonly #children: Children;
  readonly #posts = new Set<TrackedPromise<unknown>>();
  readonly #failures: { call: TrackedPromise<unknown>; error: unknown }[] = [];

  constructor(attempt: Attempt, engine: EngineParts, replay: Replay) {
    const shared = { attempt, engine, replay, waits: this.#waits };
    this.taskId = attempt.task.taskId;
    this.attempt = attempt.task.attempt;
    this.#attempt = attempt;
    this.#makeId = engine.makeId;
    this.#replay = replay;
    this.#progress = new ProgressReporter(attempt, engine.clock);
    this.#asking = new Asking(shared);
    this.#sleeping = new Sleeping(shared);
    this.#stepping = new Stepping(shared, this.#sleeping, (text) => this.update(text, "warning"));
    this.#children = new Children(shared);
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
    // Handlers post many of these, so this makes no more promises than it must.
    return this.#trackPost<unknown, void>(() => {
      const { secrets } = this.#attempt;
      const text = secrets.maskText(typeof message === "string" ? message : String(message));
      if (!updateLevels.includes(level)) {
        throw new InvalidInput(`"${level}" is no update level; use ${updateLevels.join(", ")}.`);
      }
      this.#attempt.requireLive();
      if (this.#replay.isRepeated({ message: text, level })) return Promise.resolve();
      const updateId = this.#makeId("u");
      return this.#attempt.commit({ kind: "post_update", updateId, level, message: text });
    }, toNothing);
  }

  progress(
    done: number,
    total: number | null = null,
    message?: string,
    { unit }: { unit?: string } = {},
  ): Promise<void> {
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
      const shown = message === undefined ? null : this.#attempt.secrets.maskText(String(message));
      const what = unit === undefined ? {} : { unit: this.#attempt.secrets.maskText(unitOf(unit)) };
      const isNewMessage = this.#progress.report({ done, total, message: shown, ...what });
      if (isNewMessage && message !== undefined) await this.update(message);
    });
  }

  askCustomer<const Options extends QuestionOptions = QuestionOptions>(
    prompt: string,
    options?: Options,
  ): Promise<AnswerOf<Options>> {
    return this.#track(async () => {
      const outcome = await this.#ask({ ...options, prompt });
      if (outcome.outcome === "answered") return outcome.answer as AnswerOf<Options>;
      if (outcome.defaultUsed) return outcome.defaultValue as AnswerOf<Options>;
      throw this.#withoutAnswer(outcome);
    });
  }

  approve<Args>(action: string, args: Args, options: ApproveOptions = {}): Promise<Grant<Args>> {
    return this.#track(async () => {
      this.#stepping.refuseInside("approve");
      const outcome = await this.#asking.approve(action, args, options);
      if (outcome.grant) return outcome.grant as Grant<Args>;
      throw this.#withoutAnswer(outcome);
    });
  }

  ask<const Request extends QuestionRequest>(
    request: Request,
  ): Promise<Outcome<AnswerOf<Request>>> {
    return this.#track(
      async () => (await this.#ask(request)) as unknown as Outcome<AnswerOf<Request>>,
    );
  }

  step<T>(name: string, fn: () => T | Promise<T>, options?: StepOptions): Promise<T>;
  step<T, Args>(
    name: string,
    granted: GrantedArgs<Args>,
    fn: (args: Args) => T | Promise<T>,
    options?: StepOptions,
  ): Promise<T>;
  step(name: string, ...call: unknown[]): Promise<never> {
    return this.#trackPost(() => {
      const [granted, fn, options = {}] = (
        typeof call[0] === "function" ? [null, ...call] : call
      ) as [GrantedArgs<unknown> | null, (args?: unknown) => unknown, StepOptions?];
      return this.#stepping.step(name, fn, options, granted) as Promise<never>;
    });
  }

  sleep(seconds: number, options: { key?: string } = {}): Promise<void> {
    return this.#track(async () => {
      this.#stepping.refuseInside("sleep");
      await this.#sleeping.sleep(seconds, options.key);
    });
  }

  startTask(type: string, params?: unknown, options: ChildOptions = {}): Promise<ChildTask> {
    return this.#trackPost(async () => {
      this.#stepping.refuseInside(`startTask("${type}")`);
      const taskId = await this.#children.start(type, params, options);
      return { taskId, result: () => this.#track(() => this.#children.resultOf(taskId)) };
    });
  }

  /** Questions the handler waits for. */
  get awaitedQuestions(): number {
    return this.#asking.awaited;
  }

  /** Children whose end the handler waits for. */
  get awaitedChildren(): string[] {
    return this.#children.awaited;
  }

  /** The first end of a sleep the handler is in; null when it is in none. */
  get wakesAt(): Timestamp | null {
    return this.#waits.firstEnd;
  }

  /** A question of this task changed: whoever waits for it goes on. */
  noticeQuestion(question: QuestionData): void {
    this.#asking.notice(question);
  }

  /** @throws InvalidAnswer where the handler's own schema says more than what is stored of it. */
  checkAnswer(questionId: string, answer: JsonValue): Promise<void> {
    return this.#asking.checkAnswer(questionId, answer);
  }

  /** Ends all waits that a cancel or the loss of the lease ends. */
  rejectWaits(reason: Error): void {
    this.#waits.rejectAll(reason);
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

  /** Begins to store the latest progress, before the task leaves this process. */
  saveProgress(): void {
    this.#progress.save();
  }

  close(): void {
    this.#progress.close();
    this.#waits.stopTimers();
  }

  #ask(request: QuestionRequest): Promise<Outcome> {
    this.#stepping.refuseInside("ask");
    return this.#asking.ask(request);
  }

  /** What a question that ended without an answer is to its handler. */
  #withoutAnswer({ outcome, question, by, declineReason }: Outcome): Error {
    const { questionId, timeout, prompt } = question;
    if (outcome === "timed_out") {
      const message = `Nobody answered within ${timeout} s: ${beginningOf(prompt, 200)}`;
      return new TaskTimeout(message, { questionId });
    }
    if (outcome === "declined") {
      return new QuestionDeclined(
        `${by?.name ?? "Somebody"} declined to answer${declineReason ? `: ${declineReason}` : "."}`,
        { questionId, reason: declineReason },
      );
    }
    this.checkCancelled();
    return new TaskCancelled(`Task ${this.taskId} was cancelled.`);
  }

  /** For calls whose work must be done before the attempt can end. */
  #trackPost<T, R = T>(run: () => Promise<T>, toResult?: (value: T) => R): TrackedPromise<R> {
    const onSettled = (call: TrackedPromise<R>, failure: { error: unknown } | null) => {
      this.#posts.delete(call);
      if (failure) this.#noteFailure(call, failure.error);
    };
    const tracked = TrackedPromise.track<T, R>(run, onSettled, toResult);
    this.#posts.add(tracked);
    return tracked;
  }

  #track<T>(run: () => Promise<T>): TrackedPromise<T> {
    return TrackedPromise.track(run, (call, failure) => {
      if (failure) this.#noteFailure(call, failure.error);
    });
  }

  #noteFailure(call: TrackedPromise<unknown>, error: unknown): void {
    // That the task was cancelled or lost is known without it.
    if (!isInterruption(error, this.signal)) this.#failures.push({ call, error });
  }
}

function unitOf(unit: string): string {
  if (typeof unit === "string" && unit !== "" && unit.length <= maxUnitLength) return unit;
  throw new InvalidInput(`progress: unit is a text of 1 to ${maxUnitLength} characters.`);
}

function toNothing(): void {}

/** Resolves when all have settled, without counting as looking at them. */
async function settled(calls: Iterable<TrackedPromise<unknown>>): Promise<void> {
  const none = () => {};
  await Promise.all([...calls].map((call) => Promise.prototype.then.call(call, none, none)));
}
