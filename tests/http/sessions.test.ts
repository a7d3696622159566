import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  cookieOf,
  type IdentityServer,
  password,
  startIdentityServer,
} from "../support/identity-server.ts";
import { readStream } from "../support/read-stream.ts";

type Headers = Record<string, string>;

let server: IdentityServer;
let page: Headers;

beforeAll(async () => {
  server = await startIdentityServer({
    register: (manager) => manager.registerTask("ask", (ctx) => ctx.askCustomer("Go on?")),
  });
  page = { origin: `http://localhost:${server.port}` };
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function post(path: string, headers: Headers, body: object = {}) {
  const { status, body: text } = await server.send(path, headers, body);
  return { status, body: JSON.parse(text) };
}

/** Signs in once more, with another browser. */
async function again(email: string, userAgent: string): Promise<Headers> {
  const headers = { ...page, "user-agent": userAgent };
  const signedIn = await server.send("/api/auth/sign-in", headers, { email, password });
  return { ...headers, cookie: cookieOf(signedIn.headers) };
}

async function sessionsOf(headers: Headers) {
  return (await post("/api/auth/sessions", headers)).body.items as {
    sessionId: string;
    userAgent: string;
    address: string;
    lastSeenAt: string;
    isThis: boolean;
  }[];
}

const statusOf = async (headers: Headers) => (await server.send("/api/v1/tasks", headers)).status;

test("a person sees where they are signed in, and nothing that would let another in", async () => {
  const { email, headers } = await server.person("viewer");
  const laptop = await again(email, "laptop");
  await statusOf(laptop);
  const sessions = await sessionsOf(laptop);
  expect(sessions).toHaveLength(2);
  const own = sessions.find(({ isThis }) => isThis);
  expect(own).toMatchObject({ userAgent: "laptop", address: "127.0.0.1" });
  const told = JSON.stringify(sessions);
  for (const { cookie = "" } of [headers, laptop]) {
    const token = decodeURIComponent(cookie.split("=")[1] ?? "").split(".")[0] as string;
    expect(token.length).toBeGreaterThan(20);
    expect(told).not.toContain(token);
  }
});

test("what a session has open ends with it, and no other session does", async () => {
  const { email, userId, headers } = await server.person("operator");
  const laptop = await again(email, "laptop");
  const taskId = await server.manager.startTask("ask");
  const poll = server.send(
    `/api/v1/tasks/${taskId}/poll?timeout=30&waitFor=input_or_result`,
    laptop,
  );
  await poll.then(({ status }) => expect(status).toBe(200));
  const cursor = (await server.manager.pollTask(taskId, { timeout: 0 })).cursor;
  const waiting = server.send(`/api/v1/tasks/${taskId}/poll?timeout=30&since=${cursor}`, laptop);
  const { cookie = "" } = laptop;
  const stream = await readStream(`${server.url}/api/trpc/live.feed`, { cookie });
  const streamed = (async () => {
    let all = "";
    for await (const { event, data } of stream.events) all += `${event} ${data}\n`;
    return all;
  })();
  await pause(50);
  const gone = (await sessionsOf(headers)).find(({ isThis }) => !isThis)?.sessionId;
  expect((await post("/api/auth/end-sessions", headers, { sessionId: gone })).body).toEqual({
    ended: 1,
  });
  expect((await waiting).status).toBe(401);
  expect(await streamed).toContain("unauthorized");
  expect(await statusOf(laptop)).toBe(401);
  expect(await statusOf(headers)).toBe(200);
  expect(server.events.at(-1)).toMatchObject({
    kind: "sessions_ended",
    actor: { id: userId },
    address: "127.0.0.1",
    details: { userId, sessions: 1, sessionIds: [gone] },
  });
  expect((await post("/api/auth/end-sessions", headers, { sessionId: gone })).body).toEqual({
    ended: 0,
  });
});

test("all others at once; one's own is ended by signing out, somebody else's not at all", async () => {
  const { email, headers } = await server.person("operator");
  const others = [await again(email, "a"), await again(email, "b")];
  for (const other of others) expect(await statusOf(other)).toBe(200);
  const stranger = await server.person("admin");
  const own = (await sessionsOf(headers)).find(({ isThis }) => isThis)?.sessionId;
  const by = (who: Headers) => post("/api/auth/end-sessions", who, { sessionId: own });
  expect((await by(stranger.headers)).body).toEqual({ ended: 0 });
  expect((await by(headers)).status).toBe(400);
  expect(await statusOf(headers)).toBe(200);
  expect((await post("/api/auth/end-sessions", headers, { others: true })).body).toEqual({
    ended: 2,
  });
  for (const other of others) expect(await statusOf(other)).toBe(401);
  expect(await sessionsOf(headers)).toMatchObject([{ isThis: true }]);
});

test("an admin ends all sessions of a person; nobody else can", async () => {
  const { userId, email, headers } = await server.person("operator");
  const laptop = await again(email, "laptop");
  const admin = await server.person("admin");
  const end = (by: Headers, of = userId) =>
    post("/api/trpc/people.endSessions", by, { userId: of });
  expect((await end(headers)).status).toBe(403);
  expect((await end(admin.headers)).body.result.data).toEqual({ ended: 2 });
  for (const each of [headers, laptop]) expect(await statusOf(each)).toBe(401);
  expect(await statusOf(await again(email, "anew"))).toBe(200);
  expect((await end(admin.headers, "user_none")).status).toBe(404);
  const { items } = await server.store.audit.list({
    actions: ["identity.sessions_ended"],
    limit: 1,
  });
  expect(items[0]).toMatchObject({ actor: { id: admin.userId }, details: { email, sessions: 2 } });
});

test("a page of another origin ends nothing", async () => {
  const { email, headers } = await server.person("operator");
  const laptop = await again(email, "laptop");
  const foreign = { ...headers, origin: "http://evil.example" };
  expect((await post("/api/auth/end-sessions", foreign, { others: true })).status).toBe(403);
  expect(await statusOf(laptop)).toBe(200);
});
