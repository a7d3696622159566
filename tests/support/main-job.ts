import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { restClient } from "./rest-client.ts";
import { trpcClient } from "./trpc-client.ts";

/**
 * Declares the tests of the main job against a server that has the built-in task types: what an
 * agent does from start to result, over each surface.
 */
export function mainJobTests(serverUrl: () => string): void {
  test("REST: start, poll, answer, result", async () => {
    const rest = restClient(serverUrl());
    const started = await rest.post("/tasks", { type: "deploy", params: { pace: 0, env: "lab" } });
    expect(started.status).toBe(201);
    const { taskId } = started.body;
    expect(started.headers.get("location")).toBe(`/api/v1/tasks/${taskId}`);

    const waiting = await pollUntil(rest, taskId, (body) => body.pendingQuestion !== null);
    expect(waiting.status).toBe("waiting_for_input");
    const { questionId, choices } = waiting.pendingQuestion;
    expect(choices.map(({ value }: { value: string }) => value)).toEqual(["yes", "no"]);
    const open = await rest.get(`/questions?taskId=${taskId}`);
    expect(open.body.items).toMatchObject([
      { questionId, taskType: "deploy", taskStatus: "waiting_for_input" },
    ]);

    const answered = await rest.post(`/questions/${questionId}/answer`, { answer: "yes" });
    expect(answered.status).toBe(200);
    expect(answered.body.question).toMatchObject({
      outcome: "answered",
      answer: "yes",
      resolvedBy: { kind: "agent", surface: "rest" },
    });
    const done = await pollUntil(rest, taskId, (body) => body.result !== null);
    expect(done).toMatchObject({ status: "completed", result: { result: "Deployed to lab" } });
    expect((await rest.get(`/questions/${questionId}`)).body.outcome).toBe("answered");
    expect((await rest.get(`/tasks/${taskId}`)).body).toMatchObject({
      task: { status: "completed", createdBy: { surface: "rest" } },
      params: { env: "lab" },
      result: "Deployed to lab",
    });
  });

  test.each([{ batch: false }, { batch: true }])(
    "tRPC: start, poll, answer, result (batching: $batch)",
    async ({ batch }) => {
      const client = trpcClient(serverUrl(), { batch });
      const { taskId, created } = await client.tasks.start.mutate({
        type: "deploy",
        params: { pace: 0 },
      });
      expect(created).toBe(true);
      let response = await client.tasks.poll.query({ taskId, waitFor: "input_or_result" });
      const question = response.pendingQuestion;
      expect(question?.prompt).toContain("Proceed anyway?");
      const { questionId } = question as { questionId: string };
      await client.questions.answer.mutate({ questionId, answer: "no" });
      while (response.result === null) {
        response = await client.tasks.poll.query({ taskId, since: response.cursor });
      }
      expect(response.result.result).toBe("Deploy aborted by customer");
      const { items } = await client.tasks.events.query({ taskId });
      expect(items.map(({ seq }) => seq)).toEqual(items.map((_, i) => i + 1));
      expect(items.find(({ kind }) => kind === "question_resolved")).toMatchObject({
        outcome: "answered",
        actor: { kind: "agent", surface: "trpc" },
      });
    },
  );

  test("an answer to a closed question is refused with the outcome", async () => {
    const rest = restClient(serverUrl());
    const { questionId } = await startDeploy(rest);
    await rest.post(`/questions/${questionId}/decline`, { reason: "Not today" });
    const late = await rest.post(`/questions/${questionId}/answer`, { answer: "yes" });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: "conflict",
      details: { outcome: "declined", declineReason: "Not today" },
    });
    expect(late.body.detail).toContain("declined");
    const error = await trpcClient(serverUrl())
      .questions.answer.mutate({ questionId, answer: "yes" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect((error as { data: unknown }).data).toMatchObject({
      code: "conflict",
      httpStatus: 409,
      details: { outcome: "declined" },
    });
  });

  test("a cancelled task ends, and a second cancel says that it had", async () => {
    const rest = restClient(serverUrl());
    const { taskId, questionId } = await startDeploy(rest);
    const cancelled = await rest.post(`/tasks/${taskId}/cancel`, { reason: "Changed my mind" });
    expect(cancelled.body).toMatchObject({ cancelled: true });
    const done = await pollUntil(rest, taskId, (body) => body.result !== null);
    expect(done.status).toBe("cancelled");
    expect((await rest.post(`/tasks/${taskId}/cancel`)).body).toEqual({
      cancelled: false,
      status: "cancelled",
    });
    expect((await rest.get(`/questions/${questionId}`)).body.outcome).toBe("cancelled");
  });

  test("an idempotency key starts one task", async () => {
    const rest = restClient(serverUrl());
    const start = { type: "deploy", params: { pace: 0 }, idempotencyKey: crypto.randomUUID() };
    const first = await rest.post("/tasks", start);
    const second = await rest.post("/tasks", start);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ taskId: first.body.taskId, created: false });
    const other = await rest.post("/tasks", { ...start, params: { pace: 0, env: "other" } });
    expect(other).toMatchObject({ status: 409, body: { code: "idempotency_conflict" } });
  });
}

type Rest = ReturnType<typeof restClient>;

async function startDeploy(rest: Rest): Promise<{ taskId: string; questionId: string }> {
  const { body } = await rest.post("/tasks", { type: "deploy", params: { pace: 0 } });
  const { taskId } = body;
  const waiting = await pollUntil(rest, taskId, (poll) => poll.pendingQuestion !== null);
  return { taskId, questionId: waiting.pendingQuestion.questionId };
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a response
async function pollUntil(rest: Rest, taskId: string, isFound: (body: any) => boolean) {
  let query = "";
  for (;;) {
    const { status, body } = await rest.get(`/tasks/${taskId}/poll?timeout=10${query}`);
    expect(status).toBe(200);
    if (isFound(body)) return body;
    query = `&since=${body.cursor}`;
  }
}
