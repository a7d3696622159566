import {
  type JsonObject,
  type JsonValue,
  TaskNotFound,
  TaskQuestion,
  type TaskResult,
  type TaskStatus,
  type TaskStore,
  type TaskUpdate,
  type Timestamp,
} from "../../server/index.ts";

interface PlainTask {
  type: string;
  params: JsonObject;
  status: TaskStatus;
  updates: TaskUpdate[];
  questions: TaskQuestion[];
  result: TaskResult | null;
}

/**
 * What a user writes who follows the guide: a class with the ten methods and nothing else. It
 * knows no transactions, and answers at once where the protocol allows a promise.
 */
export class PlainStore implements TaskStore {
  readonly #tasks = new Map<string, PlainTask>();

  createTask(taskId: string, type: string, params: JsonObject): void {
    this.#tasks.set(taskId, {
      type,
      params,
      status: "pending",
      updates: [],
      questions: [],
      result: null,
    });
  }

  getTaskStatus(taskId: string): TaskStatus {
    return this.#get(taskId).status;
  }

  setTaskStatus(taskId: string, status: TaskStatus): void {
    this.#get(taskId).status = status;
  }

  addUpdate(update: TaskUpdate): void {
    this.#get(update.taskId).updates.push(update);
  }

  getUpdates(taskId: string, since: Timestamp | null = null): TaskUpdate[] {
    const { updates } = this.#get(taskId);
    return updates.filter((update) => since === null || update.timestamp > since);
  }

  addQuestion(question: TaskQuestion): void {
    this.#get(question.taskId).questions.push(question);
  }

  getPendingQuestion(taskId: string): TaskQuestion | null {
    return this.#get(taskId).questions.find((question) => !question.isResolved) ?? null;
  }

  async answerQuestion(questionId: string, answer: JsonValue): Promise<void> {
    for (const { questions } of this.#tasks.values()) {
      const index = questions.findIndex((question) => question.questionId === questionId);
      const question = questions[index];
      if (!question) continue;
      const answeredAt = new Date().toISOString().replace("Z", "000Z");
      questions[index] = new TaskQuestion({ ...question.toJSON(), answer, answeredAt });
      return;
    }
    throw new TaskNotFound(`no question ${questionId}`);
  }

  async setResult(taskId: string, result: TaskResult): Promise<void> {
    this.#get(taskId).result = result;
  }

  async getResult(taskId: string): Promise<TaskResult | null> {
    return this.#get(taskId).result;
  }

  #get(taskId: string): PlainTask {
    const task = this.#tasks.get(taskId);
    if (!task) throw new TaskNotFound(`no task ${taskId}`);
    return task;
  }
}
