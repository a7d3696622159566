import { setTimeout as pause } from "node:timers/promises";
import type { QuestionData } from "../../server/core/task-question.ts";
import type { ApiCaller, Reply } from "./api-caller.ts";
import type { CrashParams } from "./crash-tasks.ts";
import type { AnswerRecord, StartRecord, Told } from "./history.ts";
import type { Random } from "./random.ts";
import { PollWatcher, StreamWatcher } from "./watchers.ts";

const mostAtOnce = 40;
const retryMillis = 40;
const inboxMillis = 60;

/** How often each type is started. */
const typeWeights = {
  steps: 4,
  ask: 4,
  ask_together: 2,
  deadline: 3,
  flaky: 3,
  parent: 2,
  parked: 3,
  keyed: 3,
  sleeper: 1,
  until_cancelled: 2,
  fragile: 1,
  plain: 2,
};

/**
 * Agents and people who use the server without knowing that it is killed under them: they start,
 * follow, answer, decline and cancel, and repeat what had no response.
 */
export class Workload {
  readonly #api: ApiCaller;
  readonly #random: Random;
  readonly #told: Told;
  readonly #doing = new Set<Promise<void>>();
  readonly #feeds: StreamWatcher[];
  readonly #stops: (() => void)[] = [];
  readonly #seenQuestions = new Set<string>();
  readonly #timesAsked = new Map<string, number>();
  #underWay = 0;
  #started = 0;
  #isStarting = true;
  #isOver = false;

  constructor(api: ApiCaller, random: Random, told: Told) {
    this.#api = api;
    this.#random = random;
    this.#told = told;
    const restless = new StreamWatcher(api, null, random.fork("restless"));
    this.#feeds = [new StreamWatcher(api), restless];
  }

  begin(): void {
    for (const feed of this.#feeds) this.#watch(feed);
    this.#do(this.#startTasks());
    this.#do(this.#readInbox());
  }

  /** Starts nothing more; what was started is still answered, followed and repeated. */
  stopStarting(): void {
    this.#isStarting = false;
  }

  /** Resolves once the streams have brought everything there is, or after the time given. */
  async caughtUp(seconds: number): Promise<void> {
    const newest = new StreamWatcher(this.#api);
    void newest.run();
    const until = Date.now() + seconds * 1000;
    while (newest.record.connects === 0 || this.#behind(newest.lastPosition)) {
      if (Date.now() > until) break;
      await pause(20);
    }
    newest.stop();
  }

  /** Ends everything that watches or repeats. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#isStarting = false;
    for (const stop of this.#stops) stop();
    while (this.#doing.size > 0) await Promise.all(this.#doing);
  }

  #behind(position: number): boolean {
    return position === 0 || this.#feeds.some((feed) => feed.lastPosition < position);
  }

  #do(work: Promise<void>): void {
    const doing = work
      .catch((error: unknown) => {
        this.#told.mishaps.push(`the workload failed: ${(error as Error).stack}`);
      })
      .finally(() => this.#doing.delete(doing));
    this.#doing.add(doing);
  }

  #watch(watcher: StreamWatcher | PollWatcher): void {
    if (watcher instanceof StreamWatcher) this.#told.watches.push(watcher.record);
    else this.#told.polls.push(watcher.record);
    this.#stops.push(() => watcher.stop());
    this.#do(watcher.run());
  }

  async #startTasks(): Promise<void> {
    while (this.#isStarting) {
      if (this.#underWay < mostAtOnce) {
        this.#started += 1;
        this.#do(this.#live(this.#started));
      }
      await pause(this.#random.int(5, 40));
    }
  }

  /** One task from its start to its end, with everything that is done about it. */
  async #live(start: number): Promise<void> {
    const random = this.#random.fork(`start ${start}`);
    const type = random.weighted(typeWeights);
    const params: CrashParams = {
      start,
      size: random.int(1, 5),
      millis: random.pick([0, 0, 3, 15]),
      timeout: 120,
      tenant: random.pick(["red", "green", "blue"]),
    };
    const idempotencyKey = random.chance(0.7) ? `key of start ${start}` : null;
    const record: StartRecord = { type, params, idempotencyKey, acknowledged: [] };
    this.#told.starts.push(record);
    this.#underWay += 1;
    try {
      await this.#start(record, random);
      const taskId = record.acknowledged[0]?.taskId;
      if (taskId !== undefined) await this.#accompany(taskId, type, random);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #start(record: StartRecord, random: Random): Promise<void> {
    const { type, params, idempotencyKey } = record;
    const body = { type, params, ...(idempotencyKey === null ? {} : { idempotencyKey }) };
    // An agent over REST is another actor than one over tRPC, and keys are an actor's own.
    const overRest = random.chance(0.5);
    const send = async () => {
      const reply = overRest
        ? await this.#api.rest("POST", "/tasks", body)
        : await this.#api.trpc("tasks.start", body);
      if (reply === "unknown") return;
      if (reply.status >= 300) {
        this.#told.mishaps.push(`a start was refused: ${JSON.stringify(reply)}`);
      } else {
        record.acknowledged.push({ taskId: reply.body.taskId, created: reply.body.created });
      }
    };
    if (idempotencyKey === null) return send();
    while (record.acknowledged.length === 0 && !this.#isOver) {
      await send();
      if (record.acknowledged.length === 0) await pause(retryMillis);
    }
    // Sometimes it is asked for once more although it is known to run.
    if (params.size % 2 === 0) await Promise.all([send(), send()]);
  }

  async #accompany(taskId: string, type: string, given: Random): Promise<void> {
    const random = given.fork("after the start");
    if (random.chance(0.3)) this.#watch(new StreamWatcher(this.#api, taskId));
    const isCancelled = random.chance(type === "until_cancelled" ? 0.8 : 0.12);
    if (isCancelled) {
      await pause(random.int(0, 800));
      await this.#cancel(taskId, random.chance(0.2));
    }
    const follower = new PollWatcher(this.#api, taskId);
    this.#told.polls.push(follower.record);
    this.#stops.push(() => follower.stop());
    await follower.run();
  }

  async #cancel(taskId: string, force: boolean): Promise<void> {
    const body = { reason: "the crash test says so", ...(force ? { force } : {}) };
    const reply = await this.#insist(() => this.#api.rest("POST", `/tasks/${taskId}/cancel`, body));
    if (reply === "unknown") return;
    if (reply.status === 200) {
      this.#told.cancels.push({ taskId, cancelled: reply.body.cancelled });
    } else {
      this.#told.mishaps.push(`a cancel was refused: ${JSON.stringify(reply)}`);
    }
  }

  /** Repeats a call until it has a response. */
  async #insist(call: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      const reply = await call();
      if (reply !== "unknown" || this.#isOver) return reply;
      await pause(retryMillis);
    }
  }

  async #readInbox(): Promise<void> {
    while (!this.#isOver) {
      const reply = await this.#api.rest("GET", "/questions?limit=500");
      const items: QuestionData[] = reply === "unknown" ? [] : (reply.body?.items ?? []);
      for (const question of items) {
        if (this.#seenQuestions.has(question.questionId)) continue;
        this.#seenQuestions.add(question.questionId);
        this.#do(this.#race(question));
      }
      await pause(inboxMillis);
    }
  }

  /** One to three answerers of the same question, at about the same time. */
  async #race(question: QuestionData): Promise<void> {
    // The words of a prompt may differ between attempts; its start and its key do not.
    const asked = `${/start \d+/.exec(question.prompt)?.[0]} ${question.key}`;
    // A retry asks again, and is to be told something else.
    const times = (this.#timesAsked.get(asked) ?? 0) + 1;
    this.#timesAsked.set(asked, times);
    const name = `${asked} time ${times}`;
    const random = this.#random.fork(`answers to ${name}`);
    const untilDeadline = question.timeout * 1000;
    await pause(untilDeadline < 2000 ? untilDeadline * (0.4 + random.next()) : random.int(0, 400));
    const racers = Array.from({ length: random.int(1, 3) }, (_, i) =>
      this.#answer(question, `racer ${i} on ${name}`, random.fork(`racer ${i}`)),
    );
    await Promise.all(racers);
  }

  async #answer(question: QuestionData, words: string, random: Random): Promise<void> {
    const { questionId, taskId, answerableBy } = question;
    const said: AnswerRecord["said"] = random.chance(0.8)
      ? { outcome: "answered", answer: words }
      : { outcome: "declined", answer: null };
    const surface = answerableBy === "operator" ? "operator" : random.pick(surfaces);
    await pause(random.pick([0, 0, 1, 5]));
    const reply = await this.#insist(() => this.#say(questionId, said, surface, words));
    if (reply === "unknown") return;
    if (reply.status === 200) {
      const { outcome, answer } = reply.body.question;
      this.#told.answers.push({ questionId, taskId, said, told: { won: true, outcome, answer } });
    } else if (reply.status === 409) {
      const { outcome, answer } = reply.body.details;
      this.#told.answers.push({ questionId, taskId, said, told: { won: false, outcome, answer } });
    } else {
      this.#told.mishaps.push(`an answer was refused: ${JSON.stringify(reply)}`);
    }
  }

  #say(
    questionId: string,
    { outcome, answer }: AnswerRecord["said"],
    surface: (typeof surfaces)[number],
    reason: string,
  ): Promise<Reply> {
    const verb = outcome === "answered" ? "answer" : "decline";
    const body = outcome === "answered" ? { answer } : { reason };
    const path = `/questions/${questionId}/${verb}`;
    if (surface === "rest") return this.#api.rest("POST", path, body);
    if (surface === "operator") return this.#api.asOperator(path, body);
    return this.#api.trpc(`questions.${verb}`, { questionId, ...body });
  }
}

const surfaces = ["rest", "trpc", "operator"] as const;
