import { maxTasksBehind } from "../../core/answer-by.ts";
import { hasErrorCode } from "../../core/errors.ts";
import type { TaskView } from "../../core/task.ts";
import type { TaskQuestion } from "../../core/task-question.ts";
import { isTerminal } from "../../core/task-status.ts";
import type { CallersTasks } from "../../identity/callers-tasks.ts";

/** Questions with what a list shows of their tasks, and how many other tasks wait for each. */
export async function withTasks(questions: readonly TaskQuestion[], tasks: CallersTasks) {
  const views = new Map<string, Promise<TaskView | null>>();
  const viewOf = (taskId: string): Promise<TaskView | null> => {
    const known = views.get(taskId);
    if (known) return known;
    const asked = tasks.getTaskView(taskId).catch((error: unknown) => {
      // A parent may have been removed, or be nothing this caller may know of.
      if (hasErrorCode(error, "task_not_found")) return null;
      throw error;
    });
    views.set(taskId, asked);
    return asked;
  };
  return Promise.all(
    questions.map(async (question) => {
      const task = (await viewOf(question.taskId)) as TaskView;
      const tasksBehind = await countBehind(task, viewOf);
      return { ...question.toJSON(), taskType: task.type, taskStatus: task.status, tasksBehind };
    }),
  );
}

/** How many tasks cannot go on before this one does: those that started it, one above the other. */
async function countBehind(
  task: TaskView,
  viewOf: (taskId: string) => Promise<TaskView | null>,
): Promise<number> {
  let count = 0;
  for (let at = task.parentTaskId; at !== null && count < maxTasksBehind; ) {
    const parent = await viewOf(at);
    if (parent === null || isTerminal(parent.status)) break;
    count += 1;
    at = parent.parentTaskId;
  }
  return count;
}
