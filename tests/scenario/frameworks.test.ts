import { afterEach, expect, test } from "vitest";
import { AdkToolset, createAdkTools } from "../../server/adapters/adk/create-adk-tools.ts";
import { createAiSdkTools } from "../../server/adapters/ai-sdk/create-ai-sdk-tools.ts";
import { createToolthreadClient } from "../../server/adapters/client/create-toolthread-client.ts";
import { createAgentTools, toolDefinitions } from "../../server/agent-tools.ts";
import { TaskManager } from "../../server/index.ts";
import { startApiServer } from "../support/api-server.ts";
import { adkAgent } from "./adk-agent.ts";
import { aiSdkAgent } from "./ai-sdk-agent.ts";
import { registerRelease } from "./scenario.ts";

let manager: TaskManager;

function newManager(): TaskManager {
  manager = new TaskManager();
  registerRelease(manager);
  return manager;
}

afterEach(() => manager.shutdown(0));

test.each([
  { name: "ADK", open: adkAgent },
  { name: "AI SDK", open: aiSdkAgent },
])(
  "$name: parameters that do not fit come back to the model with the next step",
  async ({ open }) => {
    const agent = await open(newManager());
    const said = JSON.parse(await agent.say('start {"task_type": "release", "env": 5}'));
    expect(said).toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining("env"),
      next_step: expect.stringContaining("start_task"),
    });
    const unknown = JSON.parse(await agent.say('start {"task_type": "relaese"}'));
    expect(unknown).toMatchObject({
      code: "unknown_task_type",
      message: expect.stringContaining("release"),
    });
    expect(await manager.listTasks({ limit: 1 })).toMatchObject({ items: [] });
  },
);

test.each([
  { name: "ADK", open: adkAgent },
  { name: "AI SDK", open: aiSdkAgent },
])("$name: wrong arguments of a tool come back to the model as well", async ({ open }) => {
  const agent = await open(newManager());
  const said = JSON.parse(await agent.say('start {"type": "release"}'));
  expect(said).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("task_type"),
  });
});

test("ADK: a model is told of the tools in JSON Schema, and of the task types", async () => {
  const agent = await adkAgent(newManager());
  await agent.say("hello");
  const config = agent.model.requests[0]?.config;
  const declared = (config?.tools ?? []).flatMap((tool) =>
    "functionDeclarations" in tool ? (tool.functionDeclarations ?? []) : [],
  );
  expect(
    declared.map(({ name, description, parametersJsonSchema }) => ({
      name,
      description,
      parameters: parametersJsonSchema,
    })),
  ).toEqual(toolDefinitions());
  expect(JSON.stringify(config?.systemInstruction)).toContain("`release`: Release. Releases it.");
});

test("ADK: a toolset gives an agent a part of the tools", async () => {
  const names = async (toolset: AdkToolset, context?: never) =>
    (await toolset.getTools(context)).map(({ name }) => name);
  newManager();
  expect(await names(new AdkToolset(manager))).toHaveLength(7);
  const some = new AdkToolset(manager, { toolFilter: ["poll_task", "get_task"] });
  expect(await names(some)).toEqual(["poll_task", "get_task"]);
  const test = new AdkToolset(manager, { toolFilter: ({ name }) => name.startsWith("list_") });
  expect(await names(test, {} as never)).toEqual(["list_task_types", "list_tasks"]);
  await test.close();
});

test("ADK and AI SDK: the end of a run ends a poll", async () => {
  newManager();
  const taskId = await manager.startTask("release", { env: "lab" });
  const { cursor } = await manager.pollTask(taskId, { waitFor: "input_or_result" });
  const args = { task_id: taskId, since: cursor, timeout: 60 };
  for (const poll of [adkPoll, aiSdkPoll]) {
    const leaving = new AbortController();
    const waiting = poll(args, leaving.signal);
    while ((await manager.stats()).waitingPolls === 0) await undefined;
    leaving.abort();
    expect(await waiting).toMatchObject({ error: { next_step: expect.any(String) } });
    expect((await manager.stats()).waitingPolls).toBe(0);
  }
});

function adkPoll(args: object, abortSignal: AbortSignal): Promise<unknown> {
  const tool = createAdkTools(manager).find(({ name }) => name === "poll_task");
  const toolContext = { abortSignal } as never;
  return tool?.runAsync({ args: { ...args }, toolContext }) as Promise<unknown>;
}

function aiSdkPoll(args: object, abortSignal: AbortSignal): Promise<unknown> {
  const { execute } = createAiSdkTools(manager).poll_task;
  return execute?.(args, {
    abortSignal,
    toolCallId: "1",
    messages: [],
  } as never) as Promise<unknown>;
}

test("on the client of a server, its refusals reach the model, and that it is away", async () => {
  const server = await startApiServer({ register: registerRelease });
  const client = createToolthreadClient({ url: server.url, retrySeconds: 0 });
  const [start] = createAgentTools(client);
  const wrong = await start?.run({ task_type: "release", env: 5 });
  expect(wrong).toMatchObject({ error: { code: "invalid_params" } });
  await server.close();
  const away = await start?.run({ task_type: "release", env: "lab" });
  expect(away).toMatchObject({
    error: { code: "server_unreachable", next_step: expect.stringContaining("again") },
  });
});
