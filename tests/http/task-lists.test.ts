import { afterAll, beforeAll, expect, test } from "vitest";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";

type Headers = Record<string, string>;

let server: IdentityServer;
let agent: Headers;

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go on?", { timeout: 600 }));
      manager.registerTask("guarded", (ctx) =>
        ctx.askCustomer("Go on?", { timeout: 600, answerableBy: "operator" }),
      );
      manager.registerTask("echo", (_ctx, params) => params);
    },
  });
  agent = (await server.agent({ read: "all" })).headers;
  server.identity.rules.change("guarded", { answer: ["group:finance"] });
});

afterAll(() => server.close());

async function start(type: string, params: unknown = {}): Promise<string> {
  const { body } = await server.send("/api/v1/tasks", agent, { type, params });
  return JSON.parse(body).taskId;
}

async function list(headers: Headers, query: string): Promise<string[]> {
  const { status, body } = await server.send(`/api/v1/tasks?${query}`, headers);
  expect(status, body).toBe(200);
  return JSON.parse(body).items.map(({ taskId }: { taskId: string }) => taskId);
}

async function call(headers: Headers, path: string, input: object) {
  const { status, body } = await server.send(`/api/trpc/${path}`, headers, input);
  expect(status, body).toBe(200);
  return JSON.parse(body).result.data;
}

async function waitForQuestion(taskId: string): Promise<void> {
  const poll = `/api/v1/tasks/${taskId}/poll?waitFor=input_or_result&timeout=20`;
  expect(JSON.parse((await server.send(poll, agent)).body).pendingQuestion).not.toBeNull();
}

test("what waits for somebody is what they may answer", async () => {
  const [open, guarded] = [await start("ask"), await start("guarded")];
  await Promise.all([open, guarded].map(waitForQuestion));
  const finance = await server.person("operator", ["finance"]);
  const other = await server.person("operator");
  const viewer = await server.person("viewer");
  const admin = await server.person("admin");
  const silent = await server.agent({ read: "all", answer: false });
  const mine = "waitsForMe=true";
  expect(await list(finance.headers, mine)).toEqual([guarded, open]);
  expect(await list(other.headers, mine)).toEqual([open]);
  expect(await list(viewer.headers, mine)).toEqual([]);
  expect(await list(admin.headers, mine)).toEqual([guarded, open]);
  expect(await list(agent, mine)).toEqual([open]);
  expect(await list(silent.headers, mine)).toEqual([]);
  expect(await list(other.headers, "activities=waiting")).toEqual([guarded, open]);
});

test("by words, time and end, over REST as over tRPC", async () => {
  const before = new Date().toISOString();
  const first = await start("echo", { note: "Invoice 4711 of Northwind" });
  await server.send(`/api/v1/tasks/${first}/poll?timeout=20&waitFor=input_or_result`, agent);
  expect(await list(agent, "text=northwind%20invoice")).toEqual([first]);
  expect(await list(agent, "text=invoices")).toEqual([]);
  expect(await list(agent, `finishedFrom=${before}&order=latest_finished`)).toEqual([first]);
  expect(await list(agent, `createdUntil=${before}&types=echo`)).toEqual([]);
  expect(await list(agent, `createdFrom=2020-01-01&types=echo&order=longest`)).toEqual([first]);
  for (const wrong of ["createdFrom=yesterday", "text=a&order=longest", "activities=asleep"]) {
    const { status } = await server.send(`/api/v1/tasks?${wrong}`, agent);
    expect([wrong, status]).toEqual([wrong, 400]);
  }
});

test("many are cancelled or run again at once, and each says what became of it", async () => {
  const ended = await start("echo", { n: 1 });
  await server.send(`/api/v1/tasks/${ended}/poll?timeout=20&waitFor=input_or_result`, agent);
  const waiting = await Promise.all(Array.from({ length: 60 }, () => start("ask")));
  const taskIds = [...waiting, ended, "task_unknown", ended];
  const { outcomes } = await call(agent, "tasks.cancelMany", { taskIds, reason: "not needed" });
  expect(outcomes.map(({ did }: { did: string }) => did)).toEqual([
    ...waiting.map(() => "cancelled"),
    "had_ended",
    null,
  ]);
  expect(outcomes.at(-1)).toMatchObject({
    taskId: "task_unknown",
    error: { code: "task_not_found" },
  });
  const again = await call(agent, "tasks.rerunMany", { taskIds: [ended, "task_unknown"] });
  expect(again.outcomes[0].did).toMatch(/^task_/);
  expect(again.outcomes[1].error.code).toBe("task_not_found");
  const { status } = await server.send("/api/trpc/tasks.cancelMany", agent, { taskIds: [] });
  expect(status).toBe(400);
});

test("the overview counts what a caller may see, and is not for keys that see their own only", async () => {
  server.identity.rules.change("echo", { see: ["admin"] });
  const overview = async (headers: Headers) => {
    const input = encodeURIComponent(JSON.stringify({ range: "1h" }));
    const { status, body } = await server.send(`/api/trpc/tasks.overview?input=${input}`, headers);
    return {
      status,
      types: JSON.parse(body).result?.data.types.map((each: { type: string }) => each.type),
    };
  };
  await start("echo");
  const [admin, operator] = [await server.person("admin"), await server.person("operator")];
  expect((await overview(admin.headers)).types).toContain("echo");
  const seen = await overview(operator.headers);
  expect(seen.types).toContain("ask");
  expect(seen.types).not.toContain("echo");
  const own = await server.agent({ read: "own" });
  expect((await overview(own.headers)).status).toBe(403);
  server.identity.rules.change("echo", null);
});
