import { afterAll, beforeAll, expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";

type Person = Awaited<ReturnType<IdentityServer["person"]>>;

const args = { order: "A-1", amount: 40 };
const yes = { approve: true };

let server: IdentityServer;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  const pay = (options: Parameters<TaskContext["approve"]>[2]) => async (ctx: TaskContext) => {
    const grant = await ctx.approve("refund", args, options);
    return ctx.step("pay", { grant, args: grant.args }, (approved) => approved.amount);
  };
  server = await startIdentityServer({
    register(manager) {
      manager.registerTask("quorum", pay({ approvals: 2, allowEdit: true }));
      manager.registerTask({ type: "careful", selfApproval: false }, pay({}));
    },
  });
  ann = await server.person("admin");
  ben = await server.person("operator");
});

afterAll(() => server.close());

async function post(path: string, body: object, headers: Record<string, string>) {
  const { status, body: text } = await server.send(path, headers, body);
  return { status, body: JSON.parse(text) };
}

async function start(type: string, headers: Record<string, string>): Promise<string> {
  const { taskId } = (await post("/api/v1/tasks", { type }, headers)).body;
  const { pendingQuestion } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  return pendingQuestion?.questionId as string;
}

const answer = (questionId: string, value: object, by: { headers: Record<string, string> }) =>
  post(`/api/v1/questions/${questionId}/answer`, { answer: value }, by.headers);

test("a quorum is two people who are signed in; a viewer and a key count for nothing", async () => {
  const agent = await server.agent({ answer: true, read: "all" });
  const viewer = await server.person("viewer");
  const questionId = await start("quorum", agent.headers);
  for (const nobody of [agent, viewer]) {
    expect(await answer(questionId, yes, nobody)).toMatchObject({ status: 403 });
    const path = `/api/v1/questions/${questionId}/decline`;
    expect(await post(path, {}, nobody.headers)).toMatchObject({ status: 403 });
  }
  expect((await answer(questionId, yes, ann)).body.question).toMatchObject({ outcome: null });
  expect((await answer(questionId, yes, ann)).body.question.approval.given).toHaveLength(1);
  const { approval, outcome } = (await answer(questionId, yes, ben)).body.question;
  expect(outcome).toBe("answered");
  expect(approval.given.map(({ by }: { by: { id: string } }) => by.id)).toEqual([
    ann.userId,
    ben.userId,
  ]);
});

test("two people who race for the last approval: one makes it, the other is told who did", async () => {
  const cleo = await server.person("operator");
  const { headers } = await server.agent();
  for (let round = 0; round < 5; round += 1) {
    const questionId = await start("quorum", headers);
    await answer(questionId, yes, cleo);
    const race = await Promise.all([ann, ben].map((person) => answer(questionId, yes, person)));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lost = race.find(({ status }) => status === 409)?.body;
    expect(lost).toMatchObject({ code: "conflict", details: { outcome: "answered" } });
    const { approval } = await server.manager.getQuestion(questionId);
    expect(approval?.given).toHaveLength(2);
  }
});

test("an edit and an approval that race: nobody approves what they did not see", async () => {
  const { headers } = await server.agent();
  for (let round = 0; round < 5; round += 1) {
    const questionId = await start("quorum", headers);
    const { approval } = await server.manager.getQuestion(questionId);
    const edited = { ...yes, args: { ...args, amount: 4000 } };
    const seen = { ...yes, argsDigest: approval?.argsDigest };
    const race = [() => answer(questionId, edited, ben), () => answer(questionId, seen, ann)];
    if (round % 2 === 1) race.reverse();
    await Promise.all(race.map((run) => run()));
    const after = await server.manager.getQuestion(questionId);
    expect(after.outcome).toBeNull();
    expect(after.approval?.given.map(({ by }) => by.id)).toEqual([ben.userId]);
    await server.manager.declineQuestion(questionId, { actor: after.approval?.given[0]?.by });
  }
});

test("who owns the key that started a task does not approve it, where the type says so", async () => {
  const { headers } = ann;
  const scopes = { start: "all", read: "own", answer: true, drive: false, metrics: false };
  const made = await post(
    "/api/trpc/keys.make",
    { name: "Ann's agent", scopes, expiresAt: null },
    headers,
  );
  const bearer = { authorization: `Bearer ${made.body.result.data.key}` };
  for (const by of [bearer, headers]) {
    const questionId = await start("careful", by);
    expect(await answer(questionId, yes, { headers: bearer })).toMatchObject({
      status: by === bearer ? 403 : 404,
    });
    expect(await answer(questionId, yes, ann)).toMatchObject({
      status: 403,
      body: { code: "forbidden", detail: expect.stringContaining("somebody else") },
    });
    expect(await answer(questionId, yes, ben)).toMatchObject({ status: 200 });
  }
});
