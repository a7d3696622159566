import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonValue } from "../../server/core/json.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { mcpSender } from "../support/mcp-client.ts";

// A longer look: npm run test:fuzz
const runs = Number(process.env.FUZZ_RUNS ?? 150);
const limitMs = runs > 150 ? 900_000 : 60_000;

let server: ApiServer;
let mcp: ReturnType<typeof mcpSender>;
let tools: { name: string; inputSchema: JsonObject }[];
let ids: { task_id: string; question_id: string };

beforeAll(async () => {
  server = await startApiServer({
    register(manager) {
      const params = z.object({
        env: z.enum(["lab", "prod"]),
        size: z.int().min(1).max(9),
        list: z.array(z.string()).max(3).optional(),
        deep: z.object({ flag: z.boolean() }).optional(),
      });
      manager.registerTask({ type: "shaped", params }, (_, given) => given);
      manager.registerTask("open", (ctx) => ctx.askCustomer("Well?"));
      manager.registerTask("closed", (ctx) => ctx.askCustomer("?", { answerableBy: "operator" }));
    },
  });
  mcp = mcpSender(server.url);
  ({ tools } = (await mcp.request("tools/list")).body.result);
  const taskId = await server.manager.startTask("open");
  const { pendingQuestion } = await server.manager.pollTask(taskId);
  ids = { task_id: taskId, question_id: pendingQuestion?.questionId as string };
});

afterAll(async () => {
  await server.manager.shutdown(0);
  await server.close();
});

/** Nothing of this may be in an answer: paths, stacks, the names of what is inside. */
const inside = /node_modules|\.(ts|js|mjs):\d|\n\s+at |\/work\/|prisma|better-sqlite3|ZodError/i;

function expectRefusedAtMost({ status, body }: { status: number; body: unknown }): void {
  expect(status).toBeLessThan(500);
  expect(JSON.stringify(body)).not.toMatch(inside);
  expect(server.errors).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}

const nasty = fc.constantFrom<JsonValue>(
  null,
  "",
  "__proto__",
  "\u0000\ud800",
  -1,
  1e308,
  true,
  [],
  {},
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
  Array.from({ length: 5000 }, (_, i) => i),
  "x".repeat(20_000),
  JSON.parse("[".repeat(150) + "]".repeat(150)),
);

const anything = fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>);

/** Values by a schema, and now and then others. */
function bySchema(schema: JsonValue | undefined, depth = 0): fc.Arbitrary<JsonValue> {
  const right = rightBySchema(schema as JsonObject | undefined, depth);
  return fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function rightBySchema(schema: JsonObject | undefined, depth: number): fc.Arbitrary<JsonValue> {
  if (!schema || depth > 3) return anything;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) {
    return fc.oneof(...schema.anyOf.map((part) => bySchema(part, depth + 1)));
  }
  switch (schema.type) {
    case "string":
      return fc.string({ maxLength: 30 });
    case "integer":
    case "number":
      return fc.integer({ min: -5, max: 1_000_000 });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(bySchema(schema.items, depth + 1), { maxLength: 5 });
    case "object":
      return objectBySchema((schema.properties ?? {}) as JsonObject, depth);
    default:
      return anything;
  }
}

function objectBySchema(properties: JsonObject, depth: number): fc.Arbitrary<JsonValue> {
  const members = Object.entries(properties).map(([name, part]) => [
    name,
    member(name, part, depth),
  ]);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const others = fc.dictionary(fc.string({ maxLength: 12 }), anything, { maxKeys: 1 });
  return fc.tuple(known, others).map(([a, b]) => ({ ...b, ...(a as JsonObject) }));
}

function member(name: string, part: JsonValue, depth: number): fc.Arbitrary<JsonValue> {
  const values = bySchema(part, depth + 1);
  // A right timeout is waited for: not here. And ids that lead somewhere lead further.
  if (name === "timeout") return values.map((value) => (Number(value) > 0.02 ? 0.02 : value));
  if (name === "task_type") return fc.oneof(values, fc.constantFrom("shaped", "open", "closed"));
  if (name !== "task_id" && name !== "question_id") return values;
  return fc.oneof(values, fc.constant(null)).map((value) => value ?? ids[name]);
}

test(
  "every tool, with arguments by its own schema and with any others",
  async () => {
    const calls = fc
      .constantFrom(...tools)
      .chain(({ name, inputSchema }) =>
        fc.record({ name: fc.constant(name), arguments: bySchema(inputSchema) }),
      );
    await fc.assert(
      fc.asyncProperty(calls, fc.boolean(), async (params, takes) => {
        const waits = "arguments" in params && isPollWithoutTimeout(params);
        if (waits) (params.arguments as JsonObject).timeout = 0;
        const answer = await mcp.request("tools/call", params, takes ? undefined : {});
        expectRefusedAtMost(answer);
        const { error, result } = answer.body;
        if (error) expect(error.code).toBe(-32602);
        if (result?.isError) {
          expect(result.structuredContent.error.next_step.length).toBeGreaterThan(10);
          expect(result.structuredContent.error.code).not.toBe("internal");
        }
      }),
      { numRuns: runs },
    );
  },
  limitMs,
);

/** Such a poll waits for half a minute, as it should. */
function isPollWithoutTimeout({ name, arguments: args }: { name: string; arguments: JsonValue }) {
  if (name !== "poll_task" || typeof args !== "object" || args === null) return false;
  return !("timeout" in args);
}

const methods = [
  "server/discover",
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "completion/complete",
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
  "tasks/list",
  "tasks/result",
  "no/such",
  "__proto__",
  "",
];

test(
  "every method, with parameters of any kind",
  async () => {
    const params = fc.record(
      {
        name: fc.oneof(anything, fc.constantFrom("list_tasks", "shaped", "long_running_tasks")),
        arguments: anything,
        taskId: fc.oneof(anything, fc.constant(null)).map((value) => value ?? ids.task_id),
        inputResponses: fc.oneof(
          anything,
          fc
            .record({
              action: fc.constantFrom("accept", "decline", "cancel", "else"),
              content: anything,
            })
            .map((response) => ({ q_none: response as JsonValue })),
        ),
        cursor: anything,
        requestState: anything,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), params, async (method, given) => {
        // Cancelling the one task that the others need is tried elsewhere.
        if (method === "tasks/cancel") delete (given as JsonObject).taskId;
        expectRefusedAtMost(await mcp.request(method, given as JsonObject));
      }),
      { numRuns: runs },
    );
  },
  limitMs,
);

test(
  "messages that are none: any JSON, batches, wrong envelopes",
  async () => {
    const message = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant("2.0"), anything),
        id: fc.oneof(fc.integer(), anything),
        method: fc.oneof(fc.constantFrom(...methods), anything),
        params: fc.oneof(anything, fc.record({ _meta: anything })),
        result: anything,
        error: anything,
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(anything, message, fc.array(message, { maxLength: 4 }));
    const version = fc.constantFrom(
      {},
      { "mcp-protocol-version": "2026-07-28" },
      {
        "mcp-protocol-version": "1999-01-01",
        "mcp-method": "tools/list",
      },
    );
    await fc.assert(
      fc.asyncProperty(body, version, async (value, headers) => {
        expectRefusedAtMost(
          await mcp.raw(JSON.stringify(value), headers as Record<string, string>),
        );
      }),
      { numRuns: runs },
    );
  },
  limitMs,
);

test("clients that vanish in the middle of a poll leave nothing behind", async () => {
  const task_id = await server.manager.startTask("open");
  const { cursor } = await server.manager.pollTask(task_id);
  const leaving = new AbortController();
  const params = { name: "poll_task", arguments: { task_id, since: cursor, timeout: 60 } };
  const ofBefore = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const polls = Array.from({ length: 10 }, () => [
    mcp.request("tools/call", params, {}, leaving.signal),
    mcp.raw(ofBefore, {}, leaving.signal),
  ]);
  const left = Promise.allSettled(polls.flat());
  while ((await server.manager.stats()).waitingPolls < 20) await pause();
  leaving.abort();
  await left;
  while ((await server.manager.stats()).waitingPolls > 0) await pause();
  expect(server.errors).toEqual([]);
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
