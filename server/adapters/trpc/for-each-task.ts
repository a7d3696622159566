import { isToolthreadError } from "../../core/errors.ts";

/** What became of one task of many. */
export interface TaskOutcome {
  taskId: string;
  /** `cancelled`, `had_ended`, or the id of the task that a rerun started; null when it failed. */
  did: string | null;
  /** Why it failed, with the error's code. */
  error: { code: string; message: string } | null;
}

// As many as the store commits together; more at once would only wait in line before others.
const atOnce = 25;

/**
 * Does the same to many tasks, a few at a time. A task that refuses stops none of the others. In the
 * order in which the ids were given; an id that is given twice counts once.
 */
export async function forEachTask(
  taskIds: readonly string[],
  act: (taskId: string) => Promise<string>,
): Promise<{ outcomes: TaskOutcome[] }> {
  const ids = [...new Set(taskIds)];
  const outcomes: TaskOutcome[] = [];
  for (let i = 0; i < ids.length; i += atOnce) {
    const some = ids.slice(i, i + atOnce);
    outcomes.push(...(await Promise.all(some.map((taskId) => outcomeOf(taskId, act)))));
  }
  return { outcomes };
}

async function outcomeOf(
  taskId: string,
  act: (taskId: string) => Promise<string>,
): Promise<TaskOutcome> {
  try {
    return { taskId, did: await act(taskId), error: null };
  } catch (error) {
    // What nobody foresaw is for the log, and not one task's outcome.
    if (!isToolthreadError(error)) throw error;
    return { taskId, did: null, error: { code: error.code, message: error.message } };
  }
}
