import { afterAll, beforeAll, expect, test } from "vitest";
import { answeredManyResponse } from "../../server/adapters/rest/response-schemas.ts";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";

let server: IdentityServer;
let ann: { headers: Record<string, string> };

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go on?", { choices: ["yes", "no"] }));
      manager.registerTask("approve", (ctx) => ctx.approve("pay", { amount: 1 }));
      manager.registerTask("secret", (ctx) => ctx.askCustomer("Password?", { secret: true }));
      manager.registerTask("parent", async (ctx) => (await ctx.startTask("ask")).result());
    },
  });
  ann = await server.person("operator");
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function open(type: string): Promise<string> {
  const taskId = await server.manager.startTask(type);
  const { pendingQuestion } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  return pendingQuestion?.questionId as string;
}

async function post(path: string, body: object) {
  const sent = await server.send(path, ann.headers, body);
  return { status: sent.status, body: JSON.parse(sent.body) };
}

test("each question comes to its own end, and approvals and secrets are not taken", async () => {
  const [first, late, wrong, approval, secret] = await Promise.all(
    ["ask", "ask", "ask", "approve", "secret"].map(open),
  );
  await server.manager.answerQuestion(late as string, "no");
  const ids = [first, late, wrong, approval, secret, "q_none"] as string[];
  const said: Record<string, unknown> = {
    [wrong as string]: "perhaps",
    [approval as string]: { approve: true },
  };
  const answers = ids.map((questionId) => ({ questionId, answer: said[questionId] ?? "yes" }));
  const { status, body } = await post("/api/v1/questions/answers", { answers });
  expect(status).toBe(200);
  expect(answeredManyResponse.safeParse(body).error).toBeUndefined();
  expect(body.results).toMatchObject([
    { questionId: first, result: "answered", question: { answer: "yes" } },
    { questionId: late, result: "closed", question: { answer: "no" } },
    { questionId: wrong, result: "refused", error: { code: "invalid_answer" } },
    { questionId: approval, result: "refused", error: { code: "forbidden" } },
    { questionId: secret, result: "refused", error: { code: "forbidden" } },
    { questionId: "q_none", result: "refused", error: { code: "task_not_found" } },
  ]);
  expect((await server.manager.getQuestion(wrong as string)).outcome).toBeNull();
  expect((await server.manager.getQuestion(approval as string)).approval?.given).toEqual([]);
});

test("a check says what would be refused, and changes nothing", async () => {
  const questionId = await open("ask");
  const check = (answer: string) => post("/api/trpc/questions.check", { questionId, answer });
  expect((await check("perhaps")).status).toBe(400);
  expect((await check("yes")).status).toBe(200);
  expect((await server.manager.getQuestion(questionId)).outcome).toBeNull();
});

test("the list says how many tasks wait behind a question", async () => {
  await server.manager.startTask("parent");
  await expect
    .poll(async () => {
      const { body } = await server.send("/api/v1/questions", ann.headers);
      return JSON.parse(body).items.some((each: { tasksBehind: number }) => each.tasksBehind === 1);
    })
    .toBe(true);
});
