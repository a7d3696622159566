import { Conflict, markToolthreadError, TaskNotFound } from "../../core/errors.ts";
import type { TaskEvent } from "../../core/task-event.ts";
import type { QuestionData } from "../../core/task-question.ts";
import type { AgentTasks } from "../agent-tools/agent-tasks.ts";
import { type ApiErrorCode, toApiError } from "../error-table.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { callProcedure } from "../trpc/call-procedure.ts";

/** The tasks as one caller may use them, by the same procedures as on every other surface. */
export interface ProcedureTasks extends AgentTasks {
  readEvents(taskId: string, query: { afterSeq: number; limit: number }): Promise<TaskEvent[]>;
}

/** @param signal of the request: ends what waits. */
export function procedureTasks(context: ApiContext, signal: AbortSignal): ProcedureTasks {
  const call = async <Result>(path: string, input?: unknown): Promise<Result> => {
    try {
      return (await callProcedure(path, () => input, context, signal)) as Result;
    } catch (thrown) {
      throw signal.aborted ? clientGone() : toldError(thrown);
    }
  };
  const question = (questionId: string) => call<QuestionData>("questions.get", { questionId });
  const requireOf = async (taskId: string | undefined, questionId: string) => {
    if (taskId === undefined || (await question(questionId)).taskId === taskId) return;
    throw new TaskNotFound(`Task ${taskId} has no question ${questionId}.`);
  };
  return {
    taskTypes: () => call("tasks.types"),
    async startTask(type, params, options) {
      const { taskId } = await call<{ taskId: string }>("tasks.start", {
        type,
        params,
        ...options,
      });
      return taskId;
    },
    // The procedure's own signal is the request's; a tool call has no other.
    pollTask: (taskId, { signal: _, ...options } = {}) =>
      call("tasks.poll", { taskId, ...options }),
    async respondToQuestion(taskId, questionId, answer) {
      await requireOf(taskId, questionId);
      return wins(call("questions.answer", { questionId, answer }));
    },
    async declineQuestion(questionId, { taskId, reason } = {}) {
      await requireOf(taskId, questionId);
      return { won: await wins(call("questions.decline", { questionId, reason })) };
    },
    async cancelTask(taskId, { reason } = {}) {
      const { cancelled } = await call<{ cancelled: boolean }>("tasks.cancel", { taskId, reason });
      return cancelled;
    },
    getTask: (taskId) => call("tasks.get", { taskId }),
    getQuestion: question,
    listTasks: (query) => call("tasks.list", query),
    async readEvents(taskId, query) {
      const { items } = await call<{ items: TaskEvent[] }>("tasks.events", { taskId, ...query });
      return items;
    },
  };
}

/** A question that was closed before is told by a conflict. */
async function wins(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === new Conflict("").code) return false;
    throw error;
  }
}

function clientGone(): Error {
  const code: ApiErrorCode = "client_gone";
  return markToolthreadError(new Error("The client went away."), code, {});
}

/** As the engine's own error, which the tools tell a model of; what nobody expected stays as it is. */
function toldError(thrown: unknown): unknown {
  const { code, message, details } = toApiError(thrown);
  if (code === ("internal" satisfies ApiErrorCode)) return thrown;
  return markToolthreadError(new Error(message), code, details);
}
