import { PassThrough } from "node:stream";
import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bridgeStdio } from "../../server/adapters/mcp/stdio-bridge.ts";
import { registerRelease } from "../scenario/scenario.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ apiKey: "test-key", register: registerRelease });
});

afterAll(() => server.close());

/** The bridge with its input and output in hand. */
function openBridge({ url = server.url, apiKey = "test-key" } = {}) {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: "utf8" });
  const done = bridgeStdio({ url, apiKey, input, output });
  const lines = (async function* () {
    let text = "";
    for await (const chunk of output) {
      text += chunk;
      const whole = text.split("\n");
      text = whole.pop() ?? "";
      yield* whole;
    }
  })();
  return {
    input,
    output,
    done,
    send: (message: unknown) => input.write(`${JSON.stringify(message)}\n`),
    // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
    next: async (): Promise<any> => JSON.parse((await lines.next()).value as string),
  };
}

/** The transport of a client that has started the bridge as its server. */
function transportOver(bridge: ReturnType<typeof openBridge>): Transport {
  const transport: Transport = {
    async start() {
      void (async () => {
        for (;;) {
          // Read first: a client that has found out the revision listens with another function.
          const message: JSONRPCMessage = await bridge.next();
          transport.onmessage?.(message);
        }
      })().catch(() => transport.onclose?.());
    },
    async send(message) {
      bridge.send(message);
    },
    async close() {
      bridge.input.end();
    },
  };
  return transport;
}

test.each(["auto", "legacy"] as const)("a client (%s) has the server's tools", async (mode) => {
  const bridge = openBridge();
  const client = new Client({ name: "desktop", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transportOver(bridge));
  expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("release");
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
  const { task_id } = await call("start_task", { task_type: "release", env: "lab" });
  const polled = await call("poll_task", { task_id, wait_for: "input_or_result" });
  expect(polled).toMatchObject({ pending_question: { prompt: "Release to lab?" } });
  expect((await server.manager.getTask(task_id as string)).task.createdBy).toMatchObject({
    id: "api-key",
    surface: "mcp",
  });
  await call("cancel_task", { task_id });
  bridge.input.end();
  await bridge.done;
});

test("a wrong key, a line that is no JSON, and no server are told under the request's id", async () => {
  const refused = openBridge({ apiKey: "wrong" });
  refused.send({ jsonrpc: "2.0", id: 7, method: "tools/list" });
  expect(await refused.next()).toMatchObject({ id: 7, error: { code: -32001 } });
  refused.input.write("{\n");
  expect(await refused.next()).toMatchObject({ id: null, error: { code: -32700 } });
  // Nobody waits for what became of a notification.
  refused.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  refused.input.end();
  await refused.done;
  expect(refused.output.read()).toBeNull();
  const alone = openBridge({ url: "http://127.0.0.1:9" });
  alone.send({ jsonrpc: "2.0", id: "a", method: "ping" });
  expect(await alone.next()).toMatchObject({
    id: "a",
    error: { message: expect.stringContaining("Is it running?") },
  });
});

test("a cancelled request ends its poll on the server", async () => {
  const bridge = openBridge();
  const task_id = await server.manager.startTask("release", { env: "lab" });
  const { cursor } = await server.manager.pollTask(task_id, { waitFor: "input_or_result" });
  const args = { task_id, since: cursor, timeout: 60 };
  const params = { name: "poll_task", arguments: args };
  bridge.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  while ((await server.manager.stats()).waitingPolls === 0) await pause();
  bridge.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  while ((await server.manager.stats()).waitingPolls > 0) await pause();
  bridge.input.end();
  await bridge.done;
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
