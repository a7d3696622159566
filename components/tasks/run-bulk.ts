import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { serverNow } from "../time/server-clock.ts";
import { type TaskFilters, toListInput } from "./task-filters.ts";

export type BulkAction = "cancel" | "rerun";

/** What became of many tasks. */
export interface BulkOutcome {
  /** How many it was done to. */
  done: number;
  /** Of a cancel: tasks that had ended before. */
  hadEnded: number;
  failed: { taskId: string; message: string }[];
}

/** The most tasks that are chosen by a filter: more than that nobody means to do at once. */
export const mostMatching = 5000;

const pageSize = 500;
// Small enough for each call to be done soon, and to be seen going on.
const callSize = 100;

/** The ids of all tasks that match filters, as far as {@link mostMatching}. */
export async function findMatching(
  filters: TaskFilters,
  signal: AbortSignal,
): Promise<{ ids: string[]; isWhole: boolean }> {
  const input = toListInput(filters, serverNow());
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: { items: { taskId: string }[]; nextCursor: string | null } =
      await api.tasks.list.query({ ...input, limit: pageSize, after }, { signal });
    ids.push(...page.items.map(({ taskId }) => taskId));
    after = page.nextCursor;
  } while (after !== null && ids.length < mostMatching);
  return { ids: ids.slice(0, mostMatching), isWhole: after === null && ids.length <= mostMatching };
}

/**
 * Does the same to many tasks, some at a time. Never throws: what could not be done is told of each
 * task, also when the server went away half-way.
 */
export async function runBulk(
  action: BulkAction,
  taskIds: readonly string[],
  { reason, onProgress }: { reason: string; onProgress(outcome: BulkOutcome): void },
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: 0, hadEnded: 0, failed: [] };
  for (let from = 0; from < taskIds.length; from += callSize) {
    const some = taskIds.slice(from, from + callSize);
    try {
      const said = reason.trim();
      const { outcomes } = await (action === "cancel"
        ? api.tasks.cancelMany.mutate({ taskIds: [...some], ...(said !== "" && { reason: said }) })
        : api.tasks.rerunMany.mutate({ taskIds: [...some] }));
      for (const { taskId, did, error } of outcomes) {
        if (error) outcome.failed.push({ taskId, message: error.message });
        else if (did === "had_ended") outcome.hadEnded += 1;
        else outcome.done += 1;
      }
    } catch (error) {
      const { message } = readApiError(error);
      outcome.failed.push(...some.map((taskId) => ({ taskId, message })));
    }
    onProgress({ ...outcome });
  }
  return outcome;
}
