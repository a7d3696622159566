import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createToolthreadClient } from "../../server/adapters/client/create-toolthread-client.ts";
import type { Surface } from "../../server/core/actor.ts";
import type { TaskEvent } from "../../server/core/task-event.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { adkAgent } from "./adk-agent.ts";
import { aiSdkAgent } from "./ai-sdk-agent.ts";
import { mcpTasksDriver, mcpToolsDriver } from "./mcp-drivers.ts";
import { clientDriver, restDriver, trpcDriver } from "./rpc-drivers.ts";
import { type Driver, registerRelease, scenarios } from "./scenario.ts";
import { userOf } from "./scripted-agent.ts";
import { shellDriver } from "./shell-driver.ts";

let server: ApiServer;

const surfaces: { name: string; surface: Surface; open(): Promise<Driver> }[] = [
  { name: "tRPC", surface: "trpc", open: () => trpcDriver(server.url) },
  { name: "the typed client", surface: "trpc", open: () => clientDriver(server.url) },
  { name: "REST", surface: "rest", open: () => restDriver(server.url) },
  { name: "MCP tools", surface: "mcp", open: () => mcpToolsDriver(server.url) },
  { name: "MCP Tasks", surface: "mcp", open: () => mcpTasksDriver(server.url) },
  {
    name: "Google ADK",
    surface: "agent-tools",
    open: async () => userOf((await adkAgent(server.manager)).say),
  },
  {
    name: "Google ADK, on the client of a server",
    surface: "trpc",
    open: async () => userOf((await adkAgent(createToolthreadClient({ url: server.url }))).say),
  },
  {
    name: "AI SDK",
    surface: "agent-tools",
    open: async () => userOf((await aiSdkAgent(server.manager)).say),
  },
  { name: "the shell", surface: "cli", open: () => shellDriver(server.url) },
];

beforeAll(async () => {
  server = await startApiServer({ register: registerRelease });
});

afterEach(() => expect(server.errors).toEqual([]));

afterAll(() => server.close());

describe.each(surfaces)("the same job over $name", ({ surface, open }) => {
  test.each(scenarios)("$name", async ({ params, onceAsked, end, timeline }) => {
    const driver = await open();
    let halt = await driver.begin(params);
    // A question with a deadline may be over before a slow machine gets to see it.
    if (halt.kind === "question") {
      expect(halt.prompt).toBe("Release to lab?");
      halt = await onceAsked(driver);
    }
    expect(halt).toEqual(end);
    const { items } = await server.manager.listTasks({ limit: 1 });
    const [task] = items;
    expect(task?.createdBy).toMatchObject({ kind: "agent", surface });
    const events = await server.manager.readEvents(task?.taskId as string);
    expect(events.flatMap(told)).toEqual(timeline);
    for (const event of events) {
      if (!("actor" in event) || event.actor === null) continue;
      if (event.actor.kind === "agent") expect(event.actor.surface).toBe(surface);
    }
    await driver.close?.();
  });
});

/** What an event says, in the words of the scenarios. */
function told(event: TaskEvent): string[] {
  switch (event.kind) {
    case "task_created":
      return ["task_created"];
    case "update":
      return [`update ${event.message}`];
    case "question_opened":
      return [`question_opened ${event.prompt}`];
    case "question_resolved":
      return [`question_resolved ${event.outcome}`];
    case "cancel_requested":
      return ["cancel_requested"];
    case "task_finished":
      return [`task_finished ${event.status}`];
    default:
      return [];
  }
}
