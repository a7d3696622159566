import type { JsonValue } from "../../server/core/json.ts";
import type { TaskManager, TaskQuestion } from "../../server/index.ts";

export interface RunTask {
  /** What a question is answered with; undefined leaves it open. */
  answer?(question: TaskQuestion): JsonValue | undefined;
}

/** Starts a task and follows it to its end. */
export async function runTask(
  manager: TaskManager,
  type: string,
  params: unknown,
  { answer }: RunTask = {},
) {
  return followTask(manager, await manager.startTask(type, params), { answer });
}

/** Follows a task to its end, answering what it asks. */
export async function followTask(manager: TaskManager, taskId: string, { answer }: RunTask = {}) {
  const messages: string[] = [];
  const questions: TaskQuestion[] = [];
  for (let since: string | undefined; ; ) {
    const response = await manager.pollTask(taskId, { since, timeout: 10 });
    since = response.cursor;
    messages.push(...response.updates.map(({ level, message }) => `${level}: ${message}`));
    const question = response.pendingQuestion;
    if (question && !questions.some(({ questionId }) => questionId === question.questionId)) {
      questions.push(question);
      const value = answer?.(question);
      if (value !== undefined) {
        await manager.respondToQuestion(taskId, question.questionId, value);
      }
    }
    if (response.result) return { messages, questions, ...response.result };
  }
}
