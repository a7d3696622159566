import { type Actor, systemActor } from "../core/actor.ts";
import { ChildTaskFailed, TaskNotFound } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { ChildOptions } from "../core/task-context.ts";
import { isTerminal } from "../core/task-status.ts";
import type { AttemptParts } from "./attempt-parts.ts";
import { deferred } from "./deferred.ts";
import type { EngineParts } from "./engine-parts.ts";

const pageSize = 200;

/** The children one attempt starts and waits for. */
export class Children {
  readonly #shared: AttemptParts;
  readonly #awaited = new Set<string>();

  constructor(shared: AttemptParts) {
    this.#shared = shared;
  }

  /** The children whose end the handler waits for now. */
  get awaited(): string[] {
    return [...this.#awaited];
  }

  /** Starts a child and returns its id; a resumed handler gets the id of the same child. */
  async start(type: string, params: unknown, options: ChildOptions): Promise<string> {
    const { attempt, engine, replay } = this.#shared;
    const { key: explicitKey, ...rest } = options;
    const { taskId: parentTaskId, createdBy } = attempt.task;
    const key = replay.nextKey(`start ${type}`, explicitKey);
    if (!replay.isReplaying) attempt.checkCancelled();
    // The idempotency key is the journal here.
    const idempotencyKey = `child ${parentTaskId} ${key}`;
    const call = { ...rest, actor: createdBy, idempotencyKey };
    const origin = { parentTaskId, parentSecrets: attempt.secrets };
    const { task } = await engine.starter().start(type, params, call, origin);
    return task.taskId;
  }

  /**
   * Waits for a child's end and returns what its handler returned.
   *
   * @throws ChildTaskFailed when it failed or was cancelled.
   */
  async resultOf(taskId: string): Promise<JsonValue> {
    const { attempt, replay, waits, engine } = this.#shared;
    attempt.checkCancelled();
    const ended = deferred<void>();
    // It may be rejected while the child is still being looked at and nobody awaits it.
    ended.promise.catch(() => {});
    // Listening starts before the first look, so that an end in between is not missed.
    const endWatch = engine.hub.watchTask(taskId, ({ task }) => {
      if (isTerminal(task.status)) ended.resolve();
    });
    const removeWait = waits.add({ reject: ended.reject, until: null });
    const endCall = replay.begin();
    const endWait = attempt.slot.beginWait("other");
    this.#awaited.add(taskId);
    try {
      const task = await engine.store.getTask(taskId);
      if (!task) throw new TaskNotFound(`There is no task ${taskId}.`);
      if (!isTerminal(task.status)) await ended.promise;
      return await this.#readResult(taskId);
    } finally {
      this.#awaited.delete(taskId);
      endWatch();
      removeWait();
      endCall();
      await endWait();
    }
  }

  async #readResult(taskId: string): Promise<JsonValue> {
    const { store } = this.#shared.engine;
    const [task, payload] = await Promise.all([store.getTask(taskId), store.getPayload(taskId)]);
    if (task?.status === "completed") return payload?.result ?? null;
    throw new ChildTaskFailed(
      `Task ${taskId} (${task?.type}) ended ${task?.status}: ${payload?.error ?? "no error given"}`,
      { taskId, status: task?.status, error: payload?.error },
    );
  }
}

/** Passes a cancel on to the children of a task, and theirs. */
export async function cancelChildren(
  parts: Pick<EngineParts, "store" | "clock">,
  parentTaskId: string,
  options: { actor?: Actor; force: boolean },
): Promise<void> {
  const { store, clock } = parts;
  for (let after: string | null = null; ; ) {
    const page = await store.listTasks({
      parentTaskId,
      statuses: ["pending", "running", "waiting_for_input"],
      limit: pageSize,
      order: "oldest",
      after,
    });
    await Promise.all(
      page.items.map(async ({ taskId }) => {
        await cancelChildren(parts, taskId, options);
        await store.commit({
          kind: "request_cancel",
          taskId,
          at: clock.now(),
          actor: options.actor ?? systemActor,
          reason: `its parent ${parentTaskId} was cancelled`,
          force: options.force,
        });
      }),
    );
    after = page.nextCursor;
    if (after === null) return;
  }
}
