import { type Actor, systemActor } from "../core/actor.ts";
import { ChildTaskFailed, TaskNotFound } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import { isTerminal } from "../core/task-status.ts";
import { deferred } from "./deferred.ts";
import type { EngineParts } from "./engine-parts.ts";

const pageSize = 200;

/**
 * Waits for a task's end.
 *
 * @param onWait is given a function that ends the wait with an error.
 * @returns what its handler returned.
 * @throws ChildTaskFailed when it failed or was cancelled.
 */
export async function resultOf(
  { store, hub }: EngineParts,
  taskId: string,
  onWait: (reject: (reason: unknown) => void) => void,
): Promise<JsonValue> {
  const ended = deferred<void>();
  onWait(ended.reject);
  // Listening starts before the first look, so that an end in between is not missed.
  const endWatch = hub.watchTask(taskId, ({ task }) => {
    if (isTerminal(task.status)) ended.resolve();
  });
  try {
    const task = await store.getTask(taskId);
    if (!task) throw new TaskNotFound(`There is no task ${taskId}.`);
    if (!isTerminal(task.status)) await ended.promise;
    const [finished, payload] = await Promise.all([
      store.getTask(taskId),
      store.getPayload(taskId),
    ]);
    if (finished?.status === "completed") return payload?.result ?? null;
    throw new ChildTaskFailed(
      `Task ${taskId} (${task.type}) ended ${finished?.status}: ${payload?.error ?? "no error given"}`,
      { taskId, status: finished?.status, error: payload?.error },
    );
  } finally {
    endWatch();
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
