import { afterAll, beforeAll, expect, test } from "vitest";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";
import { readStream } from "../support/read-stream.ts";

type Person = Awaited<ReturnType<IdentityServer["person"]>>;

let server: IdentityServer;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go on?"));
      manager.registerTask({ type: "ask_finance", access: { answer: ["group:finance"] } }, (ctx) =>
        ctx.askCustomer("Pay?"),
      );
    },
  });
  ann = await server.person("operator");
  ben = await server.person("operator");
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function post(path: string, by: { headers: Record<string, string> }, body: object = {}) {
  const { status, body: text } = await server.send(path, by.headers, body);
  return { status, body: JSON.parse(text) };
}

async function open(type = "ask"): Promise<string> {
  const taskId = await server.manager.startTask(type);
  const { pendingQuestion } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  return pendingQuestion?.questionId as string;
}

const claim = (questionId: string, by: { headers: Record<string, string> }, body?: object) =>
  post(`/api/v1/questions/${questionId}/claim`, by, body);

test("a claim is told to every open page, and a second person is told who has it", async () => {
  const questionId = await open();
  const { cookie = "" } = ben.headers;
  const stream = await readStream(`${server.url}/api/trpc/live.feed`, { cookie });
  await stream.events.next();
  await stream.events.next();
  expect((await claim(questionId, ann)).body.question).toMatchObject({
    claimedBy: { id: ann.userId },
    claimedUntil: expect.any(String),
    isResolved: false,
  });
  let told: unknown;
  for await (const { data } of stream.events) {
    const { event, question } = JSON.parse(data);
    if (event?.kind !== "question_claimed") continue;
    told = question;
    break;
  }
  stream.close();
  expect(told).toMatchObject({ questionId, claimedBy: { id: ann.userId } });

  const refused = await claim(questionId, ben);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "conflict", details: { claimedBy: { id: ann.userId }, outcome: null } },
  });
  expect(refused.body.detail).toMatch(/operator 1 is on question .*takeOver/);
  const path = `/api/trpc/questions.release`;
  expect((await post(path, ben, { questionId })).status).toBe(409);
  expect((await claim(questionId, ben, { takeOver: true })).body.question).toMatchObject({
    claimedBy: { id: ben.userId },
  });
  expect((await post(path, ben, { questionId })).body.result.data.question).toMatchObject({
    claimedBy: null,
  });
});

test("no key claims anything, whatever its scopes; nor a viewer, nor who may not answer", async () => {
  const [questionId, paying] = [await open(), await open("ask_finance")];
  const agent = await server.agent({ answer: true, read: "all" });
  const viewer = await server.person("viewer");
  const finance = await server.person("operator", ["finance"]);
  for (const nobody of [agent, viewer]) {
    expect((await claim(questionId, nobody, { takeOver: true })).status).toBe(403);
    expect((await post("/api/trpc/questions.claim", nobody, { questionId })).status).toBe(403);
  }
  expect((await claim(paying, ann)).status).toBe(403);
  expect((await claim(paying, finance)).status).toBe(200);
  expect((await claim("q_none", ann)).status).toBe(404);
});

test("a claim keeps nobody from answering, and is in the audit log with who and from where", async () => {
  const questionId = await open();
  await claim(questionId, ann);
  const agent = await server.agent({ answer: true, read: "all" });
  const answered = await post(`/api/v1/questions/${questionId}/answer`, agent, { answer: "yes" });
  expect(answered.body.question).toMatchObject({ outcome: "answered", claimedBy: null });
  expect(await claim(questionId, ann)).toMatchObject({
    status: 409,
    body: { details: { outcome: "answered" } },
  });
  const { items } = await server.store.audit.list({ actions: ["question.claimed"], limit: 1 });
  expect(items[0]).toMatchObject({
    actor: { id: ann.userId },
    surface: "dashboard",
    address: "127.0.0.1",
    questionId,
    details: { prompt: "Go on?" },
  });
});
