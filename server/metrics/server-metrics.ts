import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Change, DurableTaskStore } from "../core/durable-task-store.ts";
import type { TaskEvent } from "../core/task-event.ts";
import { secondsBetween, type Timestamp } from "../core/timestamp.ts";
import type { TaskManager } from "../engine/task-manager.ts";

const secondsOfAnswers = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400, 604_800];
const secondsOfWrites = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const commandsOfWrites = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000];

/** One transaction of the store. */
export interface StoreWrite {
  commands: number;
  seconds: number;
}

/**
 * The figures of this process and its store, in Prometheus' text format. Names follow its conventions:
 * seconds, `_total` for what only rises. What is counted begins anew with the process.
 */
export class ServerMetrics {
  readonly #registry = new Registry();
  readonly #started = this.#counter("tasks_started_total", "Tasks started", ["type"]);
  readonly #finished = this.#counter("tasks_finished_total", "Tasks that ended", [
    "type",
    "status",
  ]);
  readonly #answerSeconds = new Histogram({
    name: "toolthread_question_seconds",
    help: "Seconds from asking a question to its resolution",
    labelNames: ["type", "outcome"] as const,
    buckets: secondsOfAnswers,
    registers: [this.#registry],
  });
  readonly #writeSeconds = new Histogram({
    name: "toolthread_write_seconds",
    help: "Seconds a write transaction of the store took, its flush to the disk included",
    buckets: secondsOfWrites,
    registers: [this.#registry],
  });
  readonly #writeCommands = new Histogram({
    name: "toolthread_write_commands",
    help: "Commands that shared a write transaction",
    buckets: commandsOfWrites,
    registers: [this.#registry],
  });
  readonly #tasks = this.#gauge("tasks", "Tasks that have not ended", ["type", "status"]);
  readonly #questions = this.#gauge("questions_open", "Questions nobody has answered yet");
  readonly #oldest = this.#gauge(
    "question_open_age_seconds",
    "Seconds the question that is open for longest has waited; 0 when none is",
  );
  readonly #polls = this.#gauge("polls_waiting", "Long polls that wait");
  readonly #feeds = this.#gauge(
    "feeds_open",
    "Live feeds that are followed: streams of pages and programs, and one of push notifications",
  );

  constructor(version: string) {
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge("info", "1, with the version", ["version"]).set({ version }, 1);
  }

  /** Counts what happens in a store, for as long as that is open. */
  watch(store: DurableTaskStore): void {
    store.subscribe((change) => this.#count(change));
  }

  readonly countWrite = ({ commands, seconds }: StoreWrite): void => {
    this.#writeCommands.observe(commands);
    this.#writeSeconds.observe(seconds);
  };

  /** @throws StoreUnavailable */
  async read(manager: TaskManager, now: Timestamp): Promise<{ text: string; contentType: string }> {
    const [stats, { live, longestWaiting }] = await Promise.all([
      manager.stats(),
      manager.overview("1h"),
    ]);
    this.#tasks.reset();
    for (const { type, status, count } of live.byType) this.#tasks.set({ type, status }, count);
    this.#questions.set(stats.openQuestions);
    const [oldest] = longestWaiting;
    this.#oldest.set(oldest ? Math.max(0, secondsBetween(oldest.askedAt, now)) : 0);
    this.#polls.set(stats.waitingPolls);
    this.#feeds.set(manager.followerCount);
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }

  #count({ task, events, questions }: Change): void {
    for (const event of events) {
      if (event.kind === "task_created") this.#started.inc({ type: task.type });
      if (event.kind === "task_finished") {
        this.#finished.inc({ type: task.type, status: event.status });
      }
      if (event.kind === "question_resolved") this.#countAnswer(task.type, event, questions);
    }
  }

  #countAnswer(
    type: string,
    event: TaskEvent & { kind: "question_resolved" },
    questions: Change["questions"],
  ): void {
    const question = questions.find(({ questionId }) => questionId === event.questionId);
    if (!question) return;
    const { outcome, at } = event;
    this.#answerSeconds.observe({ type, outcome }, secondsBetween(question.askedAt, at));
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]) {
    const registers = [this.#registry];
    return new Counter({ name: `toolthread_${name}`, help, labelNames, registers });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    return new Gauge({
      name: `toolthread_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
    });
  }
}
