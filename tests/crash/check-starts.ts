import { canonicalJson } from "../../server/core/json.ts";
import type { Findings } from "./check-history.ts";
import type { History } from "./history.ts";

/** No acknowledged start or cancel is lost, and an idempotent start starts one task. */
export function checkStarts({ starts, cancels, final }: History): Findings {
  const violations: string[] = [];
  const tasks = new Map(final.tasks.map((task) => [task.taskId, task]));
  let acknowledged = 0;
  for (const { type, params, idempotencyKey, acknowledged: replies } of starts) {
    const name = `start ${params.start} (${type})`;
    acknowledged += replies.length;
    for (const { taskId } of replies) {
      const task = tasks.get(taskId);
      if (!task) violations.push(`${name} was acknowledged as ${taskId}, which is not there`);
      else if (task.type !== type || canonicalJson(task.params) !== canonicalJson({ ...params })) {
        violations.push(`${name} was acknowledged as ${taskId}, which is another task`);
      }
    }
    if (idempotencyKey === null) continue;
    const ids = new Set(replies.map(({ taskId }) => taskId));
    if (ids.size > 1) violations.push(`${name} was told of ${ids.size} tasks under one key`);
    const created = replies.filter((reply) => reply.created).length;
    if (created > 1) violations.push(`${name} was told ${created} times that it made the task`);
    const made = final.tasks.filter((task) => task.idempotencyKey === idempotencyKey).length;
    if (made > 1 || (made === 0 && replies.length > 0)) {
      violations.push(`${name} made ${made} tasks under one key`);
    }
  }
  for (const { taskId, cancelled } of cancels) {
    const task = tasks.get(taskId);
    const requests = task?.events.filter(({ kind }) => kind === "cancel_requested").length ?? 0;
    if (cancelled && (requests !== 1 || task?.cancelRequestedAt === null)) {
      violations.push(`a cancel of ${taskId} was acknowledged; its timeline has ${requests}`);
    }
  }
  return { violations, counts: { starts: acknowledged, cancels: cancels.length } };
}
