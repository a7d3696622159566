import { createToolthreadClient } from "../../server/adapters/client/create-toolthread-client.ts";
import type { JsonObject } from "../../server/core/json.ts";
import { restClient } from "../support/rest-client.ts";
import { trpcClient } from "../support/trpc-client.ts";
import type { Driver, Halt } from "./scenario.ts";

interface Polled {
  result: { status: string; result: unknown; error: string | null } | null;
  pendingQuestion: { questionId: string; prompt: string } | null;
  cursor: string;
}

interface Calls {
  start(params: object): Promise<string>;
  poll(taskId: string, since: string | null): Promise<Polled>;
  answer(questionId: string, answer: string): Promise<unknown>;
  cancel(taskId: string): Promise<unknown>;
}

/** A program that polls, over whatever the calls go. */
function pollingDriver(calls: Calls): Driver {
  let taskId = "";
  let questionId = "";
  let cursor: string | null = null;
  const follow = async (): Promise<Halt> => {
    for (;;) {
      const { result, pendingQuestion, cursor: next } = await calls.poll(taskId, cursor);
      cursor = next;
      if (result) return { kind: "end", ...pick(result) };
      if (!pendingQuestion || pendingQuestion.questionId === questionId) continue;
      questionId = pendingQuestion.questionId;
      return { kind: "question", prompt: pendingQuestion.prompt };
    }
  };
  return {
    async begin(params) {
      taskId = await calls.start(params);
      return follow();
    },
    async answer(answer) {
      await calls.answer(questionId, answer);
      return follow();
    },
    async cancel() {
      await calls.cancel(taskId);
      return follow();
    },
    wait: follow,
  };
}

function pick({ status, result, error }: NonNullable<Polled["result"]>) {
  return { status, result, error };
}

const waitFor = "input_or_result";

export async function trpcDriver(url: string): Promise<Driver> {
  const { tasks, questions } = trpcClient(url);
  return pollingDriver({
    start: async (params) =>
      (await tasks.start.mutate({ type: "release", params: params as JsonObject })).taskId,
    poll: (taskId, since) => tasks.poll.query({ taskId, since, waitFor }),
    answer: (questionId, answer) => questions.answer.mutate({ questionId, answer }),
    cancel: (taskId) => tasks.cancel.mutate({ taskId }),
  });
}

export async function restDriver(url: string): Promise<Driver> {
  const rest = restClient(url);
  return pollingDriver({
    start: async (params) => (await rest.post("/tasks", { type: "release", params })).body.taskId,
    async poll(taskId, since) {
      const query = since === null ? "" : `&since=${since}`;
      return (await rest.get(`/tasks/${taskId}/poll?waitFor=${waitFor}${query}`)).body;
    },
    answer: (questionId, answer) => rest.post(`/questions/${questionId}/answer`, { answer }),
    cancel: (taskId) => rest.post(`/tasks/${taskId}/cancel`),
  });
}

export async function clientDriver(url: string): Promise<Driver> {
  const client = createToolthreadClient({ url });
  return pollingDriver({
    start: (params) => client.startTask("release", params),
    poll: (taskId, since) => client.pollTask(taskId, { since, waitFor }),
    answer: (questionId, answer) => client.answerQuestion(questionId, answer),
    cancel: (taskId) => client.cancelTask(taskId),
  });
}
