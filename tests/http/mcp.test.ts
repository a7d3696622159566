import * as v2 from "@modelcontextprotocol/ext-tasks/core/v2";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { toolDefinitions } from "../../server/agent-tools.ts";
import { ann } from "../engine/test-engine.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import {
  connectMcp,
  connectOldMcp,
  mcpSender,
  mcpTaskSession,
  takesTasks,
} from "../support/mcp-client.ts";

let server: ApiServer;
let mcp: ReturnType<typeof mcpSender>;

const size = z.object({ size: z.int().describe("How large"), color: z.string().optional() });

beforeAll(async () => {
  server = await startApiServer({
    register(manager) {
      const params = z.object({ env: z.string().default("lab") });
      const deploy = { type: "deploy", title: "Deploy", description: "Deploys it.", params };
      manager.registerTask(deploy, async (ctx, { env }) => {
        await ctx.update(`Checking ${env}`);
        const answer = await ctx.askCustomer("Proceed?", { choices: ["yes", "no"] });
        return { deployed: answer === "yes", env };
      });
      manager.registerTask("ask.size", async (ctx) => ctx.askCustomer("Which?", { schema: size }));
      manager.registerTask("ask_operator", async (ctx) => {
        await ctx.progress(1, 3, "Prepared");
        const { outcome } = await ctx.ask({ prompt: "Pay out?", answerableBy: "operator" });
        return outcome;
      });
      manager.registerTask("ask_secret", async (ctx) => {
        await ctx.askCustomer("Password?", { secret: true });
        return "got it";
      });
      manager.registerTask("decline", async (ctx) => (await ctx.ask({ prompt: "Sure?" })).outcome);
      manager.registerTask("fail", () => {
        throw new RangeError("out of range");
      });
      manager.registerTask("wait", (ctx) => ctx.sleep(600));
      manager.registerTask("says_update", async (ctx) => {
        await ctx.progress(1, 2);
        await ctx.update("Halfway there");
        await ctx.sleep(600);
      });
      manager.registerTask("says_progress", async (ctx) => {
        await ctx.update("Begun");
        await ctx.progress(3, 4, "Almost");
        await ctx.sleep(600);
      });
      // Names that are no tool's, or taken.
      manager.registerTask("poll_task", () => "a type named like a tool");
      manager.registerTask({ type: "of:list", params: z.array(z.string()) }, () => 1);
    },
  });
  mcp = mcpSender(server.url);
});

afterEach(() => expect(server.errors).toEqual([]));

afterAll(() => server.close());

async function startAsTask(name: string, args: object = {}): Promise<string> {
  const { body } = await mcp.request("tools/call", { name, arguments: args });
  expect(v2.CreateTaskResultV2Schema.parse(body.result)).toMatchObject({ status: "working" });
  return body.result.taskId;
}

async function untilStatus(taskId: string, ...statuses: string[]) {
  for (;;) {
    const { body } = await mcp.request("tasks/get", { taskId });
    const task = v2.GetTaskResultV2Schema.parse(body.result);
    if (statuses.includes(task.status)) return task as typeof task & Record<string, never>;
  }
}

function keyOf(task: object): string {
  const { inputRequests = {} } = task as { inputRequests?: object };
  return Object.keys(inputRequests)[0] as string;
}

describe("what a server tells of itself", () => {
  test("it has tools, prompts and the Tasks extension, and instructions", async () => {
    const { body } = await mcp.request("server/discover");
    expect(body.result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, prompts: {}, ...takesTasks },
      instructions: expect.stringContaining("`deploy`: Deploy. Deploys it."),
    });
  });

  test("the tools for every agent, and one for each task type with an object of parameters", async () => {
    const client = await connectMcp(server.url);
    expect(client.getProtocolEra()).toBe("modern");
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names.slice(0, 7)).toEqual(toolDefinitions().map(({ name }) => name));
    expect(names).toContain("ask_size");
    expect(names).toContain("poll_task_2");
    expect(names).not.toContain("of_list");
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const deploy = tools.find(({ name }) => name === "deploy");
    expect(deploy).toMatchObject({
      title: "Deploy",
      inputSchema: { properties: { env: { type: "string", default: "lab" } } },
      annotations: { readOnlyHint: false },
    });
    const byName = new Map(tools.map((tool) => [tool.name, tool.annotations]));
    expect(byName.get("poll_task")).toMatchObject({ readOnlyHint: true });
    expect(byName.get("cancel_task")).toMatchObject({ destructiveHint: true });
    await client.close();
  });

  test("the instructions are a prompt", async () => {
    const client = await connectMcp(server.url);
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: "long_running_tasks" }]);
    const { messages } = await client.getPrompt({ name: "long_running_tasks" });
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining("poll_task") });
    await expect(client.getPrompt({ name: "another" })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
});

describe.each(["auto", "legacy", "the SDK of 2025"] as const)(
  "the tools, by a %s client",
  (how) => {
    test("start, poll, answer, result; and what goes wrong is a result", async () => {
      const client =
        how === "the SDK of 2025"
          ? await connectOldMcp(server.url)
          : await connectMcp(server.url, { mode: how });
      const call = async (name: string, args: object) => {
        const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
        // biome-ignore lint/suspicious/noExplicitAny: what a tool returned
        return result as any;
      };
      const { structuredContent: started } = await call("start_task", { task_type: "deploy" });
      const { task_id } = started;
      let { structuredContent: polled } = await call("poll_task", { task_id, timeout: 20 });
      while (!polled.pending_question) {
        ({ structuredContent: polled } = await call("poll_task", {
          task_id,
          since: polled.cursor,
        }));
      }
      const { question_id } = polled.pending_question;
      const wrong = await call("respond_to_question", { task_id, question_id, answer: "maybe" });
      expect(wrong).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "invalid_answer" } },
      });
      expect(JSON.parse(wrong.content[0].text)).toEqual(wrong.structuredContent);
      await call("respond_to_question", { task_id, question_id, answer: "Yes" });
      const wait = { task_id, since: polled.cursor, wait_for: "input_or_result" };
      do ({ structuredContent: polled } = await call("poll_task", wait));
      while (!polled.result);
      expect(polled.result.result).toEqual({ deployed: true, env: "lab" });
      const { task, questions } = await server.manager.getTask(task_id);
      expect(task.createdBy).toMatchObject({ kind: "agent", surface: "mcp" });
      expect(questions[0]?.resolvedBy).toMatchObject({ kind: "agent", surface: "mcp" });
      // No client said that it takes tasks: the tool of a type returns at once, and no task.
      const own = await call("deploy", { env: "x" });
      expect(own.structuredContent).toMatchObject({
        task_type: "deploy",
        next_step: expect.stringContaining("poll_task"),
      });
      await client.close();
    });
  },
);

describe("the Tasks extension", () => {
  test("a tool of a task type returns a task, which asks and ends", async () => {
    const taskId = await startAsTask("deploy", { env: "prod" });
    const asking = await untilStatus(taskId, "input_required");
    expect(asking).toMatchObject({ statusMessage: "Asks: Proceed?", ttlMs: null });
    const key = keyOf(asking);
    expect(asking.inputRequests[key]).toEqual({
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Proceed?",
        requestedSchema: {
          type: "object",
          properties: {
            answer: {
              type: "string",
              title: "Answer",
              oneOf: [
                { const: "yes", title: "yes" },
                { const: "no", title: "no" },
              ],
            },
          },
          required: ["answer"],
        },
      },
    });
    const inputResponses = { [key]: { action: "accept", content: { answer: "yes" } } };
    const { body } = await mcp.request("tasks/update", { taskId, inputResponses });
    expect(v2.UpdateTaskResultV2Schema.parse(body.result)).toMatchObject({
      resultType: "complete",
    });
    expect(await untilStatus(taskId, "completed")).toMatchObject({
      result: {
        content: [{ type: "text", text: '{"deployed":true,"env":"prod"}' }],
        structuredContent: { deployed: true, env: "prod" },
        isError: false,
      },
    });
  });

  test("an object of plain fields is asked for as a form of its own", async () => {
    const taskId = await startAsTask("ask_size");
    const asking = await untilStatus(taskId, "input_required");
    const key = keyOf(asking);
    expect(asking.inputRequests[key]).toMatchObject({
      params: {
        requestedSchema: { properties: { size: { type: "integer" } }, required: ["size"] },
      },
    });
    const wrong = { [key]: { action: "accept", content: { size: "huge" } } };
    const refused = await mcp.request("tasks/update", { taskId, inputResponses: wrong });
    expect(refused.body.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/size/),
    });
    const right = { [key]: { action: "accept", content: { size: 3 } } };
    await mcp.request("tasks/update", { taskId, inputResponses: right });
    expect(await untilStatus(taskId, "completed")).toMatchObject({
      result: { structuredContent: { size: 3 } },
    });
  });

  test("unknown keys are passed over, cancel leaves a question open, decline closes it", async () => {
    const taskId = await startAsTask("decline");
    const key = keyOf(await untilStatus(taskId, "input_required"));
    const update = (inputResponses: object) =>
      mcp.request("tasks/update", { taskId, inputResponses });
    const accept = { action: "accept", content: { answer: "x" } };
    expect((await update({ q_unknown: accept })).body.result).toBeDefined();
    expect((await update({ [key]: { action: "cancel" } })).body.result).toBeDefined();
    expect(keyOf(await untilStatus(taskId, "input_required"))).toBe(key);
    const broken = await update({ [key]: "yes" });
    expect(broken.body.error).toMatchObject({ code: -32602 });
    await update({ [key]: { action: "decline" } });
    expect(await untilStatus(taskId, "completed")).toMatchObject({
      result: { content: [{ text: "declined" }] },
    });
    // Answered already: passed over.
    expect((await update({ [key]: accept })).body.result).toBeDefined();
  });

  test("whoever is first wins, in the browser or here", async () => {
    const taskId = await startAsTask("decline");
    const key = keyOf(await untilStatus(taskId, "input_required"));
    await server.manager.answerQuestion(key, "from the browser", { actor: ann });
    const inputResponses = { [key]: { action: "accept", content: { answer: "late" } } };
    expect(
      (await mcp.request("tasks/update", { taskId, inputResponses })).body.result,
    ).toBeDefined();
    await untilStatus(taskId, "completed");
    expect((await server.manager.getQuestion(key)).answer).toBe("from the browser");
  });

  test("questions for operators and for secrets are no client's: it hears who must answer", async () => {
    for (const name of ["ask_operator", "ask_secret"]) {
      const taskId = await startAsTask(name);
      const { items } = await untilAsked(taskId);
      const { questionId } = items[0] as { questionId: string };
      const told = await untilStatus(taskId, "working");
      expect(told.statusMessage).toMatch(/operator.*dashboard/);
      expect(told).not.toHaveProperty("inputRequests");
      const inputResponses = { [questionId]: { action: "accept", content: { answer: "yes" } } };
      await mcp.request("tasks/update", { taskId, inputResponses });
      expect((await server.manager.getQuestion(questionId)).outcome).toBeNull();
      await server.manager.answerQuestion(questionId, "yes", { actor: ann });
      await untilStatus(taskId, "completed");
    }
  });

  test("a task that failed is a result marked as error, and a cancelled one says so", async () => {
    const failed = await untilStatus(await startAsTask("fail"), "completed");
    expect(failed).toMatchObject({
      statusMessage: "RangeError: out of range",
      result: { isError: true, content: [{ text: "RangeError: out of range" }] },
    });
    const taskId = await startAsTask("wait");
    const { body } = await mcp.request("tasks/cancel", { taskId });
    expect(v2.CancelTaskResultV2Schema.parse(body.result)).toBeDefined();
    expect(await untilStatus(taskId, "cancelled")).not.toHaveProperty("result");
  });

  test("parameters that do not fit are a result, and no task", async () => {
    const { body } = await mcp.request("tools/call", { name: "deploy", arguments: { env: 5 } });
    expect(body.result).toMatchObject({
      resultType: "complete",
      isError: true,
      structuredContent: { error: { code: "invalid_params" } },
    });
  });

  test("never a task for a client that does not declare it, with each request anew", async () => {
    const call = { name: "decline", arguments: {} };
    const { body } = await mcp.request("tools/call", call, {});
    expect(body.result).toMatchObject({
      resultType: "complete",
      structuredContent: { task_id: expect.any(String) },
    });
    const taskId = body.result.structuredContent.task_id;
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      for (const capabilities of [{}, { extensions: {} }, { extensions: { other: {} } }]) {
        const params = { taskId, inputResponses: {} };
        const refused = await mcp.request(method, params, capabilities);
        expect(refused).toMatchObject({
          status: 400,
          body: { error: { code: -32021, data: { requiredCapabilities: takesTasks } } },
        });
      }
    }
    const listen = { notifications: { taskIds: [taskId] } };
    expect((await mcp.request("subscriptions/listen", listen, {})).body.error?.code).toBe(-32021);
    await mcp.request("tasks/cancel", { taskId });
  });

  test("a task that is not there, and no id at all", async () => {
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const none = await mcp.request(method, { taskId: "task_none", inputResponses: {} });
      expect(none.body.error).toMatchObject({ code: -32602 });
      const missing = await mcp.request(method, { inputResponses: {} });
      expect(missing.body.error).toMatchObject({ code: -32602 });
    }
  });

  test("the last update or the progress, whichever is newer, is the status message", async () => {
    for (const [name, said] of [
      ["says_update", "Halfway there"],
      ["says_progress", "3 of 4: Almost"],
    ] as const) {
      const taskId = await startAsTask(name);
      let body = (await mcp.request("tasks/get", { taskId })).body;
      while (body.result.statusMessage !== said) {
        ({ body } = await mcp.request("tasks/get", { taskId }));
      }
      expect(body.result).toMatchObject({ status: "working", pollIntervalMs: 1000 });
      await mcp.request("tasks/cancel", { taskId });
    }
  });

  test("the extension's own client drives a tool to its result", async () => {
    const asked: unknown[] = [];
    const { session, close } = await mcpTaskSession(server.url, async (request) => {
      asked.push(request.params);
      return { action: "accept", content: { answer: "yes" } } as never;
    });
    const execution = await session.callTool("deploy", { env: "prod" });
    expect(execution.kind).toBe("task");
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({
      status: "completed",
      result: { structuredContent: { deployed: true, env: "prod" } },
    });
    expect(asked).toMatchObject([{ message: "Proceed?" }]);
    await close();
  });
});

async function untilAsked(taskId: string) {
  for (;;) {
    const page = await server.manager.listQuestions({ state: "open", taskId, limit: 1 });
    if (page.items.length > 0) return page;
    await server.manager.pollTask(taskId, { timeout: 1 });
  }
}
