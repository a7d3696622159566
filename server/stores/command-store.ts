import { libraryActor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Command, CommandKind, CommandResult } from "../core/command.ts";
import type { Change, EventQuery } from "../core/durable-task-store.ts";
import { TaskNotFound } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { plainStart } from "../core/plain-start.ts";
import { systemClock } from "../core/system-clock.ts";
import type { TaskPayload, TaskRecord } from "../core/task.ts";
import type { TaskEvent } from "../core/task-event.ts";
import { newQuestionData, type QuestionData, TaskQuestion } from "../core/task-question.ts";
import type { TaskResult } from "../core/task-result.ts";
import { isTerminal, type TaskStatus } from "../core/task-status.ts";
import type { TaskStore } from "../core/task-store.ts";
import type { TaskUpdate } from "../core/task-update.ts";
import { toTaskResult, toTaskUpdate } from "../core/task-views.ts";
import type { Timestamp } from "../core/timestamp.ts";

/**
 * What every store of ours has in common: the ten methods of the seed's protocol, expressed by
 * commands and reads, and the list of listeners.
 */
export abstract class CommandStore implements TaskStore {
  readonly #listeners = new Set<(change: Change) => void>();
  protected readonly clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  abstract commit<K extends CommandKind>(command: Command<K>): Promise<CommandResult<K>>;
  abstract getTask(taskId: string): Promise<TaskRecord | null>;
  abstract getPayload(taskId: string): Promise<TaskPayload | null>;
  abstract getQuestion(questionId: string): Promise<QuestionData | null>;
  abstract getOpenQuestions(taskId: string): Promise<QuestionData[]>;
  abstract readEvents(taskId: string, query: EventQuery): Promise<TaskEvent[]>;

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected publish(change: Change): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        // A mistake of the listener's must be seen, but the write is done and others wait to hear.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  async createTask(taskId: string, taskType: string, params: JsonObject): Promise<void> {
    await this.#commit(taskId, {
      ...plainStart,
      type: taskType,
      params,
    });
  }

  async getTaskStatus(taskId: string): Promise<TaskStatus> {
    return (await this.#require(taskId)).status;
  }

  async setTaskStatus(taskId: string, status: TaskStatus): Promise<void> {
    await this.#commit(taskId, { kind: "set_status", status });
  }

  async addUpdate(update: TaskUpdate): Promise<void> {
    const { taskId, updateId, level, message, timestamp } = update;
    await this.#commit(taskId, {
      kind: "post_update",
      epoch: null,
      updateId,
      level,
      message,
      timestamp,
    });
  }

  async getUpdates(taskId: string, since: Timestamp | null = null): Promise<TaskUpdate[]> {
    await this.#require(taskId);
    const query: EventQuery = { kinds: ["update"] };
    if (since !== null) query.afterTimestamp = since;
    return (await this.readEvents(taskId, query)).flatMap(toTaskUpdate);
  }

  async addQuestion(question: TaskQuestion): Promise<void> {
    const data = newQuestionData({ ...question });
    await this.#commit(data.taskId, { kind: "ask", epoch: null, question: data });
  }

  async getPendingQuestion(taskId: string): Promise<TaskQuestion | null> {
    await this.#require(taskId);
    const [oldest] = await this.getOpenQuestions(taskId);
    return oldest ? new TaskQuestion(oldest) : null;
  }

  async answerQuestion(questionId: string, answer: JsonValue): Promise<void> {
    const question = await this.getQuestion(questionId);
    if (!question) throw new TaskNotFound(`There is no question ${questionId}.`);
    await this.#commit(question.taskId, {
      kind: "resolve",
      questionId,
      outcome: "answered",
      answer,
      declineReason: null,
      actor: libraryActor,
    });
  }

  async setResult(taskId: string, result: TaskResult): Promise<void> {
    await this.#commit(taskId, {
      kind: "finish",
      epoch: null,
      status: result.status,
      result: result.result,
      error: result.error,
    });
  }

  async getResult(taskId: string): Promise<TaskResult | null> {
    const task = await this.#require(taskId);
    if (!isTerminal(task.status)) return null;
    const payload = await this.getPayload(taskId);
    return toTaskResult(task, payload);
  }

  #commit<K extends CommandKind>(
    taskId: string,
    input: Omit<Command<K>, "taskId" | "at">,
  ): Promise<CommandResult<K>> {
    return this.commit({ ...input, taskId, at: this.clock.now() } as unknown as Command<K>);
  }

  async #require(taskId: string): Promise<TaskRecord> {
    const task = await this.getTask(taskId);
    if (!task) throw new TaskNotFound(`There is no task ${taskId}.`);
    return task;
  }
}
