import type { Clock } from "../core/clock.ts";
import type { Command, CommandKind, CommandResult } from "../core/command.ts";
import { hasErrorCode } from "../core/errors.ts";
import { isJsonObject } from "../core/json.ts";
import { plainStart } from "../core/plain-start.ts";
import { newTaskRecord } from "../core/state-machine.ts";
import type { TaskRecord } from "../core/task.ts";
import type { DraftEvent, TaskDraft } from "../core/task-draft.ts";
import { TaskQuestion } from "../core/task-question.ts";
import { TaskResult } from "../core/task-result.ts";
import { isTerminal, taskStatuses } from "../core/task-status.ts";
import type { TaskStore } from "../core/task-store.ts";
import { TaskUpdate } from "../core/task-update.ts";
import { parseTimestamp } from "../core/timestamp.ts";
import { idempotencyScope } from "./idempotency-scope.ts";
import { MemoryStore } from "./memory-store.ts";

/**
 * Makes a user's own ten-method store do for the engine. Everything is written to it first; the
 * outcomes, the journal and the guards that the ten methods cannot hold are kept in memory beside
 * it. Tasks it holds from an earlier process can be read, polled and cancelled, but not resumed.
 */
export class CustomStore extends MemoryStore {
  readonly #inner: TaskStore;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(inner: TaskStore, clock?: Clock) {
    super(clock);
    this.#inner = inner;
  }

  override commit<K extends CommandKind>(command: Command<K>): Promise<CommandResult<K>> {
    // Starts with one idempotency key are writes to one task.
    const scope =
      command.kind === "start" ? idempotencyScope(command as unknown as Command<"start">) : null;
    return this.#inTurn(scope ?? command.taskId, async () => {
      if (command.kind !== "start") await this.#adoptIfUnknown(command.taskId);
      const { draft, result } = this.decideOnly(command);
      if (draft) {
        await this.#mirror(draft);
        this.applyDraft(draft);
      }
      return result;
    });
  }

  override async getTask(taskId: string): Promise<TaskRecord | null> {
    const known = await super.getTask(taskId);
    if (known) return known;
    await this.#inTurn(taskId, () => this.#adoptIfUnknown(taskId));
    return super.getTask(taskId);
  }

  /** One write to a task at a time: between deciding and applying, the inner store is awaited. */
  #inTurn<T>(scope: string, run: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(scope) ?? Promise.resolve();
    const turn = before.then(run, run);
    const settled = turn.then(
      () => {},
      () => {},
    );
    this.#turns.set(scope, settled);
    void settled.then(() => {
      if (this.#turns.get(scope) === settled) this.#turns.delete(scope);
    });
    return turn;
  }

  async #mirror(draft: TaskDraft): Promise<void> {
    const { task, created, ended } = draft;
    const inner = this.#inner;
    if (created) {
      const params = isJsonObject(created.params) ? created.params : {};
      await inner.createTask(task.taskId, task.type, params);
    }
    for (const event of draft.events) {
      if (event.kind === "update") await inner.addUpdate(toUpdate(event));
      if (event.kind !== "question_opened" && event.kind !== "question_resolved") continue;
      const question = draft.question(event.questionId);
      if (event.kind === "question_opened") await inner.addQuestion(new TaskQuestion(question));
      else if (question.outcome === "answered") {
        await inner.answerQuestion(question.questionId, question.answer);
      }
    }
    if (ended && isTerminal(task.status)) {
      const { taskId, status, finishedAt } = task;
      const completedAt = finishedAt ?? task.lastEventAt;
      await inner.setResult(taskId, new TaskResult({ taskId, status, ...ended, completedAt }));
    }
    const before = created ? "pending" : (await super.getTask(task.taskId))?.status;
    if (before !== task.status) await inner.setTaskStatus(task.taskId, task.status);
  }

  async #adoptIfUnknown(taskId: string): Promise<void> {
    if (await super.getTask(taskId)) return;
    const status = await this.#statusOf(taskId);
    if (status === null) return;
    const updates = await this.#inner.getUpdates(taskId, null);
    const result = await this.#inner.getResult(taskId);
    const pending = isTerminal(status) ? null : await this.#inner.getPendingQuestion(taskId);
    const started = updates[0]?.timestamp ?? result?.completedAt;
    const record = newTaskRecord({
      ...plainStart,
      taskId,
      at: started ? parseTimestamp(started) : this.clock.now(),
      type: "unknown",
    });
    const events = updates.map((update, i) => toEvent(update, i + 1));
    this.adopt(
      {
        ...record,
        status,
        wakeAt: null,
        lastSeq: events.length,
        lastEventAt: events.at(-1)?.at ?? record.createdAt,
        finishedAt: result?.completedAt ?? null,
        openQuestions: pending ? 1 : 0,
      },
      { params: null, result: result?.result ?? null, error: result?.error ?? null },
      events,
      pending ? [new TaskQuestion({ ...pending }).toJSON()] : [],
    );
  }

  async #statusOf(taskId: string) {
    try {
      const status = await this.#inner.getTaskStatus(taskId);
      return taskStatuses.includes(status) ? status : null;
    } catch (error) {
      // Whatever a user's store throws or gives for an unknown id: to us the task does not exist.
      if (hasErrorCode(error, "store_unavailable")) throw error;
      return null;
    }
  }
}

function toUpdate(event: DraftEvent & { kind: "update" }): TaskUpdate {
  const { taskId, message, level, updateId, at } = event;
  return new TaskUpdate({ taskId, message, level, updateId, timestamp: at });
}

function toEvent(update: TaskUpdate, seq: number): DraftEvent {
  const { taskId, message, level, updateId, timestamp } = update;
  return { kind: "update", taskId, seq, at: timestamp, message, level, updateId };
}
