import { withoutOldClaim } from "../core/claim.ts";
import type { Clock } from "../core/clock.ts";
import type { Change, DurableTaskStore } from "../core/durable-task-store.ts";
import { type TaskRecord, type TaskView, toTaskView } from "../core/task.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { QuestionData } from "../core/task-question.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { ChangeHub } from "./change-hub.ts";

/** What a follower is told. */
export type FeedMessage =
  | {
      kind: "event";
      position: number;
      event: TaskEvent;
      task: TaskView;
      /** The question the event is about, as it is now. */
      question: QuestionData | null;
    }
  /** State that changed without an event: progress. */
  | { kind: "task"; task: TaskView }
  /** Too far behind: read everything anew, then go on from `position`. */
  | { kind: "reset"; position: number };

export interface FollowOptions {
  /** Continue after this position; null means from now on. */
  afterPosition: number | null;
  /** Only this task. */
  taskId?: string;
  signal: AbortSignal;
}

// Beyond these a follower is better served by reading the present state.
const maxReplayedEvents = 5000;
const maxQueuedChanges = 10_000;
const pageSize = 500;

/** Follows the events of all tasks or one: replays what was missed, then goes on live. */
export class Feed {
  readonly #store: DurableTaskStore;
  readonly #clock: Clock;
  readonly #hub: ChangeHub;
  readonly #closing = new AbortController();
  #followerCount = 0;

  constructor(options: { store: DurableTaskStore; clock: Clock; hub: ChangeHub }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#hub = options.hub;
  }

  /** Who follows now. */
  get followerCount(): number {
    return this.#followerCount;
  }

  /** Ends all followers. */
  close(): void {
    this.#closing.abort();
  }

  /** Yields each event once and in order, until the signal aborts or the engine shuts down. */
  async *follow(options: FollowOptions): AsyncGenerator<FeedMessage, void, undefined> {
    const queue = new ChangeQueue(AbortSignal.any([options.signal, this.#closing.signal]));
    // Listening starts before the replay, so that nothing falls in between; what comes twice is
    // known by its position.
    const endWatch =
      options.taskId === undefined
        ? this.#hub.watchAll(queue.push)
        : this.#hub.watchTask(options.taskId, queue.push);
    this.#followerCount += 1;
    try {
      let position = options.afterPosition ?? (await this.#store.lastPosition());
      // How far each replayed task was shown; what waits in the queue can be older.
      const shown = new Map<string, number>();
      for await (const message of this.#replay(position, options.taskId)) {
        if (queue.isClosed) return;
        if (message.kind !== "task") position = message.position;
        if (message.kind === "event") shown.set(message.task.taskId, message.task.lastSeq);
        yield message;
      }
      for (;;) {
        const change = await queue.next();
        if (change === "closed") return;
        if (change === "overflow") {
          position = await this.#store.lastPosition();
          yield { kind: "reset", position };
          continue;
        }
        const { taskId, lastSeq } = change.task;
        if (change.events.length === 0 && lastSeq >= (shown.get(taskId) ?? 0)) {
          yield { kind: "task", task: this.#view(change.task) };
        }
        for (const event of change.events) {
          if (event.position <= position) continue;
          position = event.position;
          yield this.#message(event, change.task, findQuestion(event, change.questions));
        }
      }
    } finally {
      this.#followerCount -= 1;
      endWatch();
      queue.close();
    }
  }

  async *#replay(after: number, taskId?: string): AsyncGenerator<FeedMessage, void, undefined> {
    const newest = await this.#store.lastPosition();
    if (after > newest) {
      // A position of another database: nothing can be replayed from there.
      yield { kind: "reset", position: newest };
      return;
    }
    if (newest - after > maxReplayedEvents && taskId === undefined) {
      yield { kind: "reset", position: newest };
      return;
    }
    for (let position = after; position < newest; ) {
      const query = { afterPosition: position, limit: pageSize };
      const page = await this.#store.readFeed(taskId === undefined ? query : { ...query, taskId });
      // Read anew for each page, since the next one may hold what happened meanwhile.
      const tasks = new Map<string, TaskRecord>();
      const questions = new Map<string, QuestionData>();
      for (const event of page) {
        const task = tasks.get(event.taskId) ?? (await this.#store.getTask(event.taskId));
        if (!task) continue;
        tasks.set(event.taskId, task);
        yield this.#message(event, task, await this.#questionOf(event, questions));
      }
      if (page.length < pageSize) return;
      position = page.at(-1)?.position ?? newest;
    }
  }

  /** The question an event is about; those of its task are read together, and once. */
  async #questionOf(
    event: TaskEvent,
    known: Map<string, QuestionData>,
  ): Promise<QuestionData | null> {
    if (!("questionId" in event)) return null;
    const { taskId, questionId } = event;
    if (!known.has(questionId)) {
      for (const question of await this.#store.getQuestions(taskId)) {
        known.set(question.questionId, question);
      }
    }
    return known.get(questionId) ?? null;
  }

  #message(event: TaskEvent, task: TaskRecord, question: QuestionData | null): FeedMessage {
    const shown = question && withoutOldClaim(question, toTimestamp(this.#clock.now()));
    const view = this.#view(task);
    return { kind: "event", position: event.position, event, task: view, question: shown };
  }

  #view(task: TaskRecord): TaskView {
    return toTaskView(task, toTimestamp(this.#clock.now()));
  }
}

function findQuestion(event: TaskEvent, questions: QuestionData[]): QuestionData | null {
  if (!("questionId" in event)) return null;
  return questions.find((question) => question.questionId === event.questionId) ?? null;
}

/** Changes a follower has not taken yet; bounded, because a follower may never take them. */
class ChangeQueue {
  readonly #signal: AbortSignal;
  #changes: Change[] = [];
  #overflowed = false;
  #wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#ring);
  }

  readonly #ring = () => this.#wake?.();

  get isClosed(): boolean {
    return this.#signal.aborted;
  }

  readonly push = (change: Change): void => {
    if (this.#changes.length >= maxQueuedChanges) {
      this.#changes = [];
      this.#overflowed = true;
    }
    if (!this.#overflowed) this.#changes.push(change);
    this.#ring();
  };

  async next(): Promise<Change | "overflow" | "closed"> {
    for (;;) {
      if (this.#signal.aborted) return "closed";
      if (this.#overflowed) {
        this.#overflowed = false;
        return "overflow";
      }
      const change = this.#changes.shift();
      if (change) return change;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#ring);
  }
}
