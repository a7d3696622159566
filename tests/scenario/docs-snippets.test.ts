import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { notApplicable, scenarios } from "../conformance/scenarios.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { ScriptedLlm } from "./adk-agent.ts";
import { scriptedModel } from "./ai-sdk-agent.ts";

// Runs the TypeScript of docs/agents.md; that it type-checks is tested with the other documents.

const root = join(import.meta.dirname, "../..");
const folder = join(root, "node_modules/.cache/agents-snippets");
const entryPoints: Record<string, string> = {
  toolthread: "server/index.ts",
  "toolthread/agent-tools": "server/agent-tools.ts",
  "toolthread/adk": "server/adapters/adk/create-adk-tools.ts",
  "toolthread/ai-sdk": "server/adapters/ai-sdk/create-ai-sdk-tools.ts",
};

let server: ApiServer;

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  server = await startApiServer({
    apiKey: "tt_...",
    register: (manager) => registerBuiltInTasks(manager, { filesRoot: "examples/logs" }),
  });
});

afterAll(() => server.close());

/** Runs the snippet that has this in it. @returns its exports, and what it logged. */
async function run(part: string) {
  const text = readFileSync(join(root, "docs/agents.md"), "utf8");
  const snippets = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
  const found = snippets.filter((snippet) => snippet.includes(part));
  expect(found).toHaveLength(1);
  const runnable = (found[0] ?? "")
    .replace(
      /from "(toolthread[^"]*)"/g,
      (_, name) => `from "${join(root, entryPoints[name] ?? "?")}"`,
    )
    .replaceAll("http://127.0.0.1:3000", server.url);
  const file = join(folder, `${part.replace(/\W+/g, "-")}.ts`);
  writeFileSync(file, runnable);
  const logged: unknown[][] = [];
  const { log } = console;
  console.log = (...args) => logged.push(args);
  try {
    return { exports: await import(file), logged };
  } finally {
    console.log = log;
  }
}

test("any framework: the tools and what runs them", async () => {
  const { logged } = await run("runToolCall");
  expect(logged[0]?.slice(0, 2)).toEqual([7, 7]);
  expect(logged[1]).toMatchObject([{ task_id: expect.any(String), task_type: "greet" }]);
});

test("ADK: the agent deploys, asks, and tells the result", async () => {
  const { exports } = await run("deployAgent");
  const runner = exports.deployAgent(new ScriptedLlm());
  const session = await runner.sessionService.createSession({ appName: "deploy", userId: "u" });
  const say = async (text: string) => {
    const newMessage = { role: "user", parts: [{ text }] };
    let answer = "";
    const run = { userId: "u", sessionId: session.id, newMessage };
    for await (const event of runner.runAsync(run)) {
      for (const part of event.content?.parts ?? []) answer = part.text ?? answer;
    }
    return JSON.parse(answer);
  };
  const start = { task_type: "deploy_service", service: "shop", env: "lab" };
  expect(await say(`start ${JSON.stringify(start)}`)).toMatchObject({
    question: { prompt: "Deployment ready. Run smoke tests?" },
  });
  expect(await say("answer yes")).toMatchObject({ result: { result: "Deployment complete" } });
});

test("AI SDK: the model starts the task and tells the result", async () => {
  const { exports } = await run("generateText");
  const messages = [{ role: "user", content: 'start {"task_type": "analyze", "file": "app.log"}' }];
  expect(JSON.parse(await exports.reply(scriptedModel(), messages))).toMatchObject({
    result: { result: { file: "app.log", errors: 0 } },
  });
});

test("MCP: the client of the protocol lists and calls tools", async () => {
  const { logged } = await run("StreamableHTTPClientTransport");
  const [count, types] = logged[0] as [number, { task_types: unknown[] }];
  expect(count).toBe(7 + types.task_types.length);
});

test("MCP: the configuration of a client names the endpoint", async () => {
  const text = readFileSync(join(root, "docs/agents.md"), "utf8");
  const [, json = ""] = /^```json\n(.*?)^```$/ms.exec(text) ?? [];
  const { url, headers } = JSON.parse(json).mcpServers.toolthread;
  const client = await connectMcp(url.replace("http://127.0.0.1:3000/api/mcp", server.url), {
    headers,
  });
  expect((await client.listTools()).tools.length).toBeGreaterThan(7);
  await client.close();
});

test("MCP: the command that a desktop agent starts", async () => {
  const text = readFileSync(join(root, "docs/agents.md"), "utf8");
  const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
  const { command, args, env } = JSON.parse(blocks[1] ?? "").mcpServers.toolthread;
  expect([command, args[0]]).toEqual(["npx", "toolthread"]);
  const client = new Client({ name: "desktop", version: "1" });
  const main = join(root, "server/cli/main.ts");
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--import", import.meta.resolve("tsx"), main, ...args.slice(1)],
    env: { ...env, TOOLTHREAD_URL: server.url },
  });
  await client.connect(transport);
  const { structuredContent } = await client.callTool({ name: "list_task_types", arguments: {} });
  expect(structuredContent).toMatchObject({ task_types: expect.any(Array) });
  await client.close();
});

test("conformance: every check that does not apply is named, with the reason", () => {
  const text = readFileSync(join(root, "docs/agents.md"), "utf8");
  expect(Object.keys(notApplicable).filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
  expect(text).toContain(`${scenarios.length} scenarios`);
});
