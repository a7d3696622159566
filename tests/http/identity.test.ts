import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { sendRequest } from "../support/send-request.ts";

const key = "a-key-for-tests-only";
let open: ApiServer;
let locked: ApiServer;

beforeAll(async () => {
  const register: NonNullable<Parameters<typeof startApiServer>[0]>["register"] = (manager) => {
    manager.registerTask("echo", (_ctx, params) => params);
    manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?", { answerableBy: "operator" }));
  };
  open = await startApiServer({ register, allowedHosts: ["tasks.example.com"] });
  locked = await startApiServer({ register, apiKey: key });
});

afterAll(() => Promise.all([open.close(), locked.close()]));

const bearer = { authorization: `Bearer ${key}` };

function send(
  server: ApiServer,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
) {
  return sendRequest({
    port: server.port,
    path,
    ...(body
      ? {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        }
      : { headers }),
  });
}

async function actorOf(server: ApiServer, headers: Record<string, string> = {}) {
  const { status, body } = await send(server, "/api/trpc/system.info", headers);
  return status === 200 ? JSON.parse(body).result.data.actor : JSON.parse(body).error.data.code;
}

async function openSession(server: ApiServer): Promise<string> {
  const { headers } = await sendRequest({
    port: server.port,
    path: "/api/session",
    method: "POST",
    headers: { origin: `http://localhost:${server.port}` },
  });
  return String(headers["set-cookie"]).split(";")[0] as string;
}

describe("Host", () => {
  test.each([
    ["localhost", 200],
    ["LOCALHOST:1234", 200],
    ["app.localhost", 200],
    ["127.0.0.1:3000", 200],
    ["[::1]:3000", 200],
    ["192.168.1.20", 200],
    ["tasks.example.com:8443", 200],
    ["Tasks.Example.Com.", 200],
    ["evil.example", 421],
    ["localhost.evil.example", 421],
    ["127.0.0.1.evil.example", 421],
    ["evil.example:3000", 421],
  ])("%s gives %i, on the API and on pages", async (host, status) => {
    for (const path of ["/api/v1/task-types", "/api/trpc/tasks.types", "/tasks"]) {
      const response = await send(open, path, { host });
      expect([path, response.status]).toEqual([path, status]);
    }
  });

  test("the refusal says what to do", async () => {
    const { body } = await send(open, "/api/v1/tasks", { host: "evil.example" });
    expect(JSON.parse(body)).toMatchObject({ code: "unknown_host" });
    expect(JSON.parse(body).detail).toContain("TOOLTHREAD_ALLOWED_HOSTS");
  });
});

describe("Origin", () => {
  const start = { type: "echo" };

  test("no Origin is a program's request", async () => {
    expect((await send(open, "/api/v1/tasks", {}, start)).status).toBe(201);
  });

  test.each([
    ["http://localhost:PORT", 201],
    ["https://localhost:PORT", 201],
    ["http://localhost:1", 403],
    ["http://evil.example", 403],
    ["http://localhost:PORT.evil.example", 403],
    ["http://evil.example/localhost:PORT", 403],
    ["null", 403],
    ["", 403],
  ])("%j gives %i", async (template, status) => {
    const origin = template.replace("PORT", String(open.port));
    const response = await send(open, "/api/v1/tasks", { origin }, start);
    expect(response.status).toBe(status);
    if (status === 403) expect(JSON.parse(response.body).code).toBe("foreign_origin");
  });

  test("the default port may be left out on either side", async () => {
    const host = "tasks.example.com";
    const headers = { host: `${host}:443`, origin: `https://${host}` };
    expect((await send(open, "/api/v1/tasks", headers, start)).status).toBe(201);
  });

  test("no response allows another origin to read it", async () => {
    const { headers } = await send(open, "/api/v1/tasks");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("the API key", () => {
  test("when none is set, a program without one is the local agent", async () => {
    expect(await actorOf(open)).toMatchObject({ kind: "agent", id: "local", surface: "trpc" });
  });

  test("when none is set, sending one is told to be a mistake", async () => {
    expect(await actorOf(open, bearer)).toBe("unauthorized");
  });

  test("the right one makes an agent, over each surface", async () => {
    expect(await actorOf(locked, bearer)).toMatchObject({ kind: "agent", id: "api-key" });
    const { body } = await send(locked, "/api/v1/tasks", bearer, { type: "echo" });
    const { taskId } = JSON.parse(body);
    const task = JSON.parse((await send(locked, `/api/v1/tasks/${taskId}`, bearer)).body);
    expect(task.task.createdBy).toMatchObject({ id: "api-key", surface: "rest" });
    const lower = { authorization: bearer.authorization.replace("Bearer", "bearer") };
    expect(await actorOf(locked, lower)).toMatchObject({ id: "api-key" });
  });

  test.each([
    ["none", {}],
    ["a wrong one", { authorization: "Bearer wrong" }],
    ["a beginning of it", { authorization: bearer.authorization.slice(0, -1) }],
    ["an empty one", { authorization: "Bearer " }],
    ["another scheme", { authorization: `Basic ${bearer.authorization.slice(7)}` }],
    ["no scheme", { authorization: bearer.authorization.slice(7) }],
  ])("%s is refused with 401, over each surface", async (_, headers) => {
    for (const path of ["/api/v1/tasks", "/api/trpc/tasks.list", "/api/trpc/live.feed"]) {
      const response = await send(locked, path, headers);
      expect([path, response.status]).toEqual([path, 401]);
      expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
    }
  });

  test("health needs none", async () => {
    expect((await send(locked, "/api/health")).status).toBe(200);
  });

  test("a name in a payload makes nobody", async () => {
    const actor = { kind: "operator", id: "operator", name: "Operator", surface: "dashboard" };
    const response = await send(open, "/api/v1/tasks", {}, { type: "echo", actor });
    expect(response.status).toBe(400);
  });
});

describe("sessions", () => {
  test.each([
    ["its own page", { origin: "http://localhost:PORT" }, 200],
    ["its own page, by Sec-Fetch-Site", { "sec-fetch-site": "same-origin" }, 200],
    ["a page on another port", { "sec-fetch-site": "same-site" }, 403],
    ["a foreign page", { origin: "http://evil.example" }, 403],
    ["a foreign page, by Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }, 403],
    ["a program", {}, 403],
  ])("%s asking for one", async (_, template, status) => {
    const headers = Object.fromEntries(
      Object.entries(template).map(([name, value]) => [
        name,
        value.replace("PORT", String(locked.port)),
      ]),
    );
    const { port } = locked;
    const response = await sendRequest({ port, path: "/api/session", method: "POST", headers });
    expect(response.status).toBe(status);
    if (status !== 200) expect(response.headers["set-cookie"]).toBeUndefined();
  });

  test("the cookie is for this server's pages only, and is out of reach of scripts", async () => {
    const headers = { origin: `http://localhost:${open.port}` };
    const request = { port: open.port, path: "/api/session", method: "POST" };
    const plain = await sendRequest({ ...request, headers });
    const cookie = String(plain.headers["set-cookie"]);
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const tls = { origin: `https://localhost:${open.port}` };
    const secure = await sendRequest({ ...request, headers: tls });
    expect(String(secure.headers["set-cookie"])).toMatch(/; Secure$/);
  });

  test("a session makes the operator, also where a key is set", async () => {
    for (const server of [open, locked]) {
      const cookie = await openSession(server);
      expect(await actorOf(server, { cookie })).toEqual({
        kind: "operator",
        id: "operator",
        name: "Operator",
        surface: "dashboard",
        address: "127.0.0.1",
      });
    }
  });

  test.each([
    ["same-origin", 200],
    ["none", 200],
    ["same-site", 403],
    ["cross-site", 403],
  ])("a session used with Sec-Fetch-Site %s gives %i", async (site, status) => {
    const cookie = await openSession(open);
    const headers = { cookie, "sec-fetch-site": site };
    expect((await send(open, "/api/v1/tasks", headers)).status).toBe(status);
  });

  test("a forged or foreign session is refused, so that the page asks for another", async () => {
    const cookie = await openSession(open);
    const [name, value] = cookie.split("=") as [string, string];
    const forged = [
      `${name}=${value.slice(0, -2)}xx`,
      `${name}=9${value}`,
      `${name}=x`,
      `${name}=`,
      `${name}=..`,
    ];
    for (const bad of forged) {
      expect([bad, await actorOf(open, { cookie: bad })]).toEqual([bad, "session_expired"]);
    }
    expect(await actorOf(open, { cookie: `other=1; ${cookie}; more=2` })).toMatchObject({
      kind: "operator",
    });
    expect(await actorOf(open, { cookie: "other=1" })).toMatchObject({ kind: "agent" });
  });

  test("only the operator answers what only the operator may", async () => {
    const { body } = await send(open, "/api/v1/tasks", {}, { type: "ask" });
    const { taskId } = JSON.parse(body);
    const poll = JSON.parse((await send(open, `/api/v1/tasks/${taskId}/poll`)).body);
    const path = `/api/v1/questions/${poll.pendingQuestion.questionId}/answer`;
    const refused = await send(open, path, {}, { answer: "yes" });
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([403, "forbidden"]);
    const cookie = await openSession(open);
    const program = await send(open, path, { cookie }, { answer: "yes" });
    expect([program.status, JSON.parse(program.body).code]).toEqual([403, "foreign_origin"]);
    const page = { cookie, origin: `http://localhost:${open.port}` };
    const answered = await send(open, path, page, { answer: "yes" });
    expect(JSON.parse(answered.body).question.resolvedBy).toMatchObject({
      kind: "operator",
      surface: "dashboard",
    });
  });
});

test("the audit log has the address of everybody, also where nobody signs in", async () => {
  const session = { cookie: await openSession(open), origin: `http://localhost:${open.port}` };
  const cases = [
    [open, {}, "local"],
    [open, session, "operator"],
    [locked, bearer, "api-key"],
  ] as const;
  for (const [server, headers, id] of cases) {
    await send(server, "/api/v1/tasks", headers, { type: "echo" });
    const { items } = await server.manager.audit.list({ actions: ["task.started"], limit: 1 });
    expect(items[0]).toMatchObject({ actor: { id }, address: "127.0.0.1" });
  }
});
