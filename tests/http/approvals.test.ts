import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { questionSchema } from "../../server/adapters/rest/response-schemas.ts";
import type { TaskContext } from "../../server/index.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { restClient } from "../support/rest-client.ts";
import { trpcClient } from "../support/trpc-client.ts";

const key = "a-key-for-approvals-only";
const bearer = { authorization: `Bearer ${key}` };
const args = { order: "A-1", amount: 40 };
const yes = { approve: true };

let server: ApiServer;
/** What the browser of a signed-in person sends along. */
let person: Record<string, string>;

beforeAll(async () => {
  server = await startApiServer({
    apiKey: key,
    register(manager) {
      const pay = async (ctx: TaskContext, options: Parameters<TaskContext["approve"]>[2] = {}) => {
        const grant = await ctx.approve("refund", args, options);
        return ctx.step("pay", { grant, args: grant.args }, (approved) => ({ paid: approved }));
      };
      manager.registerTask("refund", (ctx, params) => pay(ctx, params));
      manager.registerTask({ type: "careful", selfApproval: false }, (ctx) => pay(ctx));
      manager.registerTask("twice", async (ctx) => {
        const grant = await ctx.approve("refund", args);
        await ctx.step("pay", { grant, args }, () => "paid");
        await ctx.step("pay more", { grant, args }, () => "paid again");
      });
      manager.registerTask("other", async (ctx) => {
        const grant = await ctx.approve("refund", args);
        await ctx.step("pay", { grant, args: { ...args, amount: 4000 } }, () => "paid");
      });
      manager.registerTask("late", async (ctx) => {
        const grant = await ctx.approve("refund", args, { expiresIn: 0.05 });
        await ctx.sleep(0.1);
        await ctx.step("pay", { grant, args }, () => "paid");
      });
    },
  });
  person = await signedIn();
});

afterAll(() => server.close());

async function signedIn(): Promise<Record<string, string>> {
  const origin = server.url;
  const headers = { origin, "sec-fetch-site": "same-origin" };
  const response = await fetch(`${server.url}/api/session`, { method: "POST", headers });
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { ...headers, cookie };
}

const agent = () => restClient(server.url, bearer);
const operator = () => restClient(server.url, person);

async function start(type: string, params: object = {}, by = agent()): Promise<string> {
  const { body } = await by.post("/tasks", { type, params });
  return body.taskId;
}

async function question(taskId: string) {
  const { body } = await agent().get(`/tasks/${taskId}/poll?waitFor=input_or_result&timeout=10`);
  return body.pendingQuestion;
}

async function result(taskId: string) {
  for (;;) {
    const { body } = await agent().get(`/tasks/${taskId}`);
    if (["completed", "failed", "cancelled"].includes(body.task.status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("an approval is shown whole, and a person's yes lets the task go on", async () => {
  const taskId = await start("refund");
  const asked = await question(taskId);
  expect(questionSchema.parse(asked).approval).toMatchObject({
    action: "refund",
    args,
    argsDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    needed: 1,
    given: [],
    allowEdit: false,
  });
  const answered = await operator().post(`/questions/${asked.questionId}/answer`, { answer: yes });
  expect(answered).toMatchObject({
    status: 200,
    body: {
      question: { outcome: "answered", approval: { given: [{ by: { kind: "operator" } }] } },
    },
  });
  expect((await result(taskId)).result).toEqual({ paid: args });
});

describe("an agent", () => {
  const posing = {
    actor: { kind: "operator", id: "operator", name: "Operator", surface: "dashboard" },
    answerableBy: "anyone",
    approval: { needed: 0 },
  };
  const bodies = [
    { answer: yes },
    { answer: { approve: true, args } },
    { answer: { ...yes, ...posing } },
    { answer: yes, ...posing },
    { answer: "yes" },
    { answer: null },
  ];
  const posingHeaders = {
    "x-forwarded-user": "operator",
    "x-toolthread-actor": "operator",
    "sec-fetch-site": "same-origin",
  };

  test("cannot answer or decline its own approval over REST, whatever it sends", async () => {
    const taskId = await start("refund", { allowEdit: true });
    const { questionId } = await question(taskId);
    for (const headers of [bearer, { ...bearer, ...posingHeaders }, { ...person, ...bearer }]) {
      const rest = restClient(server.url, headers);
      for (const body of bodies) {
        const { status } = await rest.post(`/questions/${questionId}/answer`, body);
        // 400 where the body itself has what does not belong there.
        expect(status).toBe("actor" in body ? 400 : 403);
      }
      const plain = await rest.post(`/questions/${questionId}/answer`, { answer: yes });
      expect(plain).toMatchObject({ status: 403, body: { code: "forbidden" } });
      expect((await rest.post(`/questions/${questionId}/decline`, {})).status).toBe(403);
    }
    expect(await question(taskId)).toMatchObject({ outcome: null, approval: { given: [] } });
  });

  test("cannot over tRPC, alone or in a batch", async () => {
    const taskId = await start("refund", { approvals: 2 });
    const { questionId } = await question(taskId);
    for (const batch of [false, true]) {
      const trpc = trpcClient(server.url, { batch, headers: { ...person, ...bearer } });
      const calls = [
        trpc.questions.answer.mutate({ questionId, answer: yes }),
        trpc.questions.answer.mutate({ questionId, answer: yes }),
        trpc.questions.decline.mutate({ questionId }),
      ];
      for (const call of await Promise.allSettled(calls)) {
        expect(call).toMatchObject({ status: "rejected", reason: { data: { code: "forbidden" } } });
      }
    }
    expect(await question(taskId)).toMatchObject({ outcome: null, approval: { given: [] } });
  });

  test("is told of the last time in its own task, and not of other tasks", async () => {
    const first = await start("refund");
    const asked = await question(first);
    const second = await start("refund");
    const { questionId } = await question(second);
    const byAgent = trpcClient(server.url, { headers: bearer });
    expect(await byAgent.questions.previousApproval.query({ questionId })).toEqual({
      previous: null,
    });
    const byPerson = trpcClient(server.url, { headers: person });
    expect(await byPerson.questions.previousApproval.query({ questionId })).toMatchObject({
      previous: { questionId: asked.questionId, approval: { args } },
    });
  });
});

test("nobody approves their own task where the type says so, over either surface", async () => {
  const taskId = await start("careful", {}, operator());
  const { questionId } = await question(taskId);
  const rest = await operator().post(`/questions/${questionId}/answer`, { answer: yes });
  expect(rest).toMatchObject({ status: 403, body: { code: "forbidden" } });
  const trpc = trpcClient(server.url, { headers: person });
  await expect(trpc.questions.answer.mutate({ questionId, answer: yes })).rejects.toMatchObject({
    data: { code: "forbidden" },
  });
  const byAgent = await start("careful");
  const asked = await question(byAgent);
  await operator().post(`/questions/${asked.questionId}/answer`, { answer: yes });
  expect((await result(byAgent)).result).toEqual({ paid: args });
});

test("one person alone is no quorum, however often they say yes", async () => {
  const taskId = await start("refund", { approvals: 2 });
  const { questionId } = await question(taskId);
  const answers = await Promise.all(
    [1, 2, 3].map(() => operator().post(`/questions/${questionId}/answer`, { answer: yes })),
  );
  for (const { status, body } of answers) {
    expect([status, body.question.outcome]).toEqual([200, null]);
  }
  expect((await question(taskId)).approval.given).toHaveLength(1);
  const ben = { kind: "operator", id: "ben", name: "Ben", surface: "dashboard" } as const;
  await server.manager.answerQuestion(questionId, yes, { actor: ben });
  expect((await result(taskId)).result).toEqual({ paid: args });
});

test("edited arguments are what is paid; a yes to what stood before is a conflict", async () => {
  const taskId = await start("refund", { approvals: 2, allowEdit: true });
  const { questionId, approval } = await question(taskId);
  const changed = { order: "A-1", amount: 30 };
  const ben = { kind: "operator", id: "ben", name: "Ben", surface: "dashboard" } as const;
  await server.manager.answerQuestion(questionId, { ...yes, args: changed }, { actor: ben });
  const answer = { ...yes, argsDigest: approval.argsDigest };
  const stale = await operator().post(`/questions/${questionId}/answer`, { answer });
  expect(stale).toMatchObject({ status: 409, body: { code: "conflict" } });
  const { argsDigest } = (await question(taskId)).approval;
  expect(stale.body.details).toEqual({ argsDigest });
  const fresh = { answer: { ...yes, argsDigest } };
  await operator().post(`/questions/${questionId}/answer`, fresh);
  expect((await result(taskId)).result).toEqual({ paid: changed });
});

test.each([
  ["twice", /^GrantRefused: .*has used it/],
  ["other", /^GrantRefused: .*with other arguments/],
  ["late", /^GrantRefused: .*expired/],
])("a grant that is used %s fails the task", async (type, error) => {
  const taskId = await start(type);
  const { questionId } = await question(taskId);
  await operator().post(`/questions/${questionId}/answer`, { answer: yes });
  const ended = await result(taskId);
  expect(ended.task.status).toBe("failed");
  expect(ended.error).toMatch(error);
});
