import type { BaseTool } from "@google/adk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdkTools } from "../../server/adapters/adk/create-adk-tools.ts";
import { createAiSdkTools } from "../../server/adapters/ai-sdk/create-ai-sdk-tools.ts";
import { createToolthreadClient } from "../../server/adapters/client/create-toolthread-client.ts";
import { createAgentTools } from "../../server/agent-tools.ts";
import type { TaskContext } from "../../server/index.ts";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";
import { mcpSender } from "../support/mcp-client.ts";

// What only people may decide, against everything an agent can send over each of its surfaces.

type Headers = Record<string, string>;
interface Asked {
  taskId: string;
  questionId: string;
}

let server: IdentityServer;
let agent: Awaited<ReturnType<IdentityServer["agent"]>>;

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      const pay = async (ctx: TaskContext) => {
        const grant = await ctx.approve("refund", { amount: 40 });
        return ctx.step("pay", { grant, args: grant.args }, ({ amount }) => amount);
      };
      manager.registerTask("approval", pay);
      manager.registerTask({ type: "careful", selfApproval: false }, pay);
      manager.registerTask("operators", (ctx) =>
        ctx.askCustomer("Go?", { answerableBy: "operator" }),
      );
      manager.registerTask("secret", (ctx) => ctx.askCustomer("PIN?", { secret: true }));
    },
  });
  agent = await server.agent({ read: "all" });
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function post(path: string, headers: Headers, body: object) {
  const answer = await server.send(path, headers, body);
  return { status: answer.status, body: JSON.parse(answer.body) };
}

async function questionOf(taskId: string): Promise<string> {
  const { pendingQuestion } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  return pendingQuestion?.questionId as string;
}

async function start(type: string, headers: Headers = agent.headers): Promise<Asked> {
  const { taskId } = (await post("/api/v1/tasks", headers, { type })).body;
  return { taskId, questionId: await questionOf(taskId) };
}

/** A program's own task, which asks what only people may answer. */
async function driven(): Promise<Asked> {
  const trpc = (name: string, body: object) =>
    post(`/api/trpc/drive.${name}`, agent.headers, body).then(({ body }) => body.result.data);
  const { taskId } = await trpc("start", { type: "ci/release", driverId: "ci" });
  const asked = { key: "go", prompt: "Release?", answerableBy: "operator" };
  const { questionId } = await trpc("ask", { taskId, driverId: "ci", ...asked });
  return { taskId, questionId };
}

const answers = [{ approve: true }, { approve: true, args: { amount: 40 } }, "yes", true, null];

const client = () => createToolthreadClient({ url: server.url, apiKey: agent.key });
const arguments_ = ({ taskId, questionId }: Asked, answer: unknown) => ({
  task_id: taskId,
  question_id: questionId,
  answer: typeof answer === "string" ? answer : JSON.stringify(answer),
});
const codeOf = (told: unknown) => (told as { error?: { code?: string } }).error?.code;

/** Each says with which code an answer was refused. */
const surfaces: Record<string, (asked: Asked, answer: unknown) => Promise<unknown>> = {
  REST: async ({ questionId }, answer) =>
    (await post(`/api/v1/questions/${questionId}/answer`, agent.headers, { answer })).body.code,
  tRPC: async ({ questionId }, answer) =>
    (await post("/api/trpc/questions.answer", agent.headers, { questionId, answer })).body.error
      .data.code,
  "answerMany over tRPC": async ({ questionId }, answer) =>
    (
      await post("/api/trpc/questions.answerMany", agent.headers, {
        answers: [{ questionId, answer }],
      })
    ).body.result.data.results[0].error?.code,
  "the typed client": ({ taskId, questionId }, answer) =>
    client()
      .respondToQuestion(taskId, questionId, answer)
      .catch((error) => error.code),
  "the tool over MCP": async (asked, answer) => {
    const mcp = mcpSender(server.url, agent.headers);
    const call = { name: "respond_to_question", arguments: arguments_(asked, answer) };
    return codeOf((await mcp.request("tools/call", call)).body.result.structuredContent);
  },
  "the tools for any framework": async (asked, answer) => {
    const tools = createAgentTools(client());
    const respond = tools.find(({ name }) => name === "respond_to_question");
    return codeOf(await respond?.run(arguments_(asked, answer), {}));
  },
  "the AI SDK": async (asked, answer) => {
    const { execute } = createAiSdkTools(client()).respond_to_question;
    const options = { toolCallId: "1", messages: [], context: {} };
    return codeOf(await execute?.(arguments_(asked, answer), options as never));
  },
  ADK: async (asked, answer) => {
    const tools: BaseTool[] = createAdkTools(client());
    const respond = tools.find(({ name }) => name === "respond_to_question");
    const request = { args: arguments_(asked, answer), toolContext: {} };
    return codeOf(await respond?.runAsync(request as never));
  },
};

describe("an agent cannot give what only people may", () => {
  const kinds = { approval: start, operators: start, secret: start, "a driven task's": driven };

  test.each(Object.keys(surfaces))("over %s", async (surface) => {
    for (const [kind, ask] of Object.entries(kinds)) {
      const asked = await ask(kind);
      for (const answer of answers) {
        const code = await surfaces[surface]?.(asked, answer);
        expect([kind, answer, code]).toEqual([kind, answer, "forbidden"]);
      }
      const { outcome, approval } = await server.manager.getQuestion(asked.questionId);
      expect([outcome, approval?.given ?? []]).toEqual([null, []]);
    }
  });

  test("over MCP's Tasks extension: it is not told as a request for input, and an answer counts for nothing", async () => {
    const mcp = mcpSender(server.url, agent.headers);
    for (const [kind, ask] of Object.entries(kinds)) {
      const { taskId, questionId } = await ask(kind);
      const told = (await mcp.request("tasks/get", { taskId })).body.result;
      expect([kind, told.status, told.inputRequests]).toEqual([kind, "working", undefined]);
      for (const action of ["accept", "decline"]) {
        const content = { answer: "yes", approve: true };
        const inputResponses = { [questionId]: { action, content } };
        await mcp.request("tasks/update", { taskId, inputResponses });
      }
      const { outcome, approval } = await server.manager.getQuestion(questionId);
      expect([kind, outcome, approval?.given ?? []]).toEqual([kind, null, []]);
    }
  });

  test("and declines none, over either surface", async () => {
    for (const [kind, ask] of Object.entries(kinds)) {
      const { questionId } = await ask(kind);
      const rest = `/api/v1/questions/${questionId}/decline`;
      expect((await post(rest, agent.headers, {})).body.code).toBe("forbidden");
      const trpc = await post("/api/trpc/questions.decline", agent.headers, { questionId });
      expect(trpc.body.error.data.code).toBe("forbidden");
    }
  });

  test("the driver of a task cannot finish around its own open question and claim an answer", async () => {
    const { taskId, questionId } = await driven();
    const finish = { taskId, driverId: "ci", status: "completed", result: { answer: "yes" } };
    await post("/api/trpc/drive.finish", agent.headers, finish);
    const { outcome, answer } = await server.manager.getQuestion(questionId);
    expect(outcome).not.toBe("answered");
    expect(answer).toBeNull();
  });
});

describe("nobody approves their own task where its type says so", () => {
  const yes = { approve: true };

  /** Ann's task, or one of a key that Ann made, started over each surface there is. */
  async function startedFor(ann: Headers): Promise<[by: string, taskId: string][]> {
    const scopes = { start: "all", read: "all", answer: true, drive: true, metrics: false };
    const wanted = { name: "Ann's", scopes, expiresAt: null };
    const made = await post("/api/trpc/keys.make", ann, wanted);
    const bearer = { authorization: `Bearer ${made.body.result.data.key}` };
    const mcp = mcpSender(server.url, bearer);
    const tool = { name: "start_task", arguments: { task_type: "careful" } };
    const started: [string, string][] = [];
    for (const [who, headers] of [
      ["her", ann],
      ["her key", bearer],
    ] as const) {
      const rest = await post("/api/v1/tasks", headers, { type: "careful" });
      const trpc = await post("/api/trpc/tasks.start", headers, { type: "careful" });
      started.push([`${who} over REST`, rest.body.taskId]);
      started.push([`${who} over tRPC`, trpc.body.result.data.taskId]);
    }
    const { structuredContent } = (await mcp.request("tools/call", tool, {})).body.result;
    started.push(["her key over MCP", structuredContent.task_id]);
    return started;
  }

  test("neither who started it nor who owns the key that did, over any surface; somebody else does", async () => {
    const [ann, ben] = [await server.person("admin"), await server.person("operator")];
    for (const [by, taskId] of await startedFor(ann.headers)) {
      const questionId = await questionOf(taskId);
      const path = `/api/v1/questions/${questionId}/answer`;
      const rest = await post(path, ann.headers, { answer: yes });
      expect([by, rest.status, rest.body.code]).toEqual([by, 403, "forbidden"]);
      const input = { questionId, answer: yes };
      const trpc = await post("/api/trpc/questions.answer", ann.headers, input);
      expect([by, trpc.body.error.data.code]).toEqual([by, "forbidden"]);
      const other = await post(path, ben.headers, { answer: yes });
      expect([by, other.status]).toEqual([by, 200]);
    }
  });

  test("also of a rerun, whose starter is who asked for it", async () => {
    const [ann, ben] = [await server.person("operator"), await server.person("operator")];
    const first = await start("careful", ann.headers);
    const answer = (questionId: string, by: Headers) =>
      post(`/api/v1/questions/${questionId}/answer`, by, { answer: yes });
    expect((await answer(first.questionId, ben.headers)).status).toBe(200);
    await server.manager.pollTask(first.taskId, { waitFor: "input_or_result", timeout: 5 });
    await expect
      .poll(async () => (await server.manager.getTask(first.taskId)).task.status)
      .toBe("completed");
    const again = await post(`/api/v1/tasks/${first.taskId}/rerun`, ben.headers, {});
    const questionId = await questionOf(again.body.taskId);
    expect((await answer(questionId, ben.headers)).status).toBe(403);
    expect((await answer(questionId, ann.headers)).status).toBe(200);
  });
});
