import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toTimestamp } from "../../server/core/timestamp.ts";
import { type IdentityServer, somebody, startIdentityServer } from "../support/identity-server.ts";
import { mcpSender } from "../support/mcp-client.ts";
import { readStream } from "../support/read-stream.ts";
import { testClock } from "../support/test-clock.ts";

// Whoever may no more has nothing left open: every way to wait ends at once, and says why.

type Headers = Record<string, string>;

const clock = testClock();
const patience = { timeout: 15_000 };
let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({
    clock,
    register: (manager) => manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?")),
  });
  // Somebody has to be left who may let people in.
  await server.person("admin");
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

/** What is told in the end over each way to wait, each already waiting when this resolves. */
async function openAll({
  cookie,
  authorization,
}: Headers): Promise<Record<string, Promise<string>>> {
  const headers: Headers = authorization ? { authorization } : { cookie: cookie as string };
  const by = authorization ? headers : { ...headers, origin: `http://localhost:${server.port}` };
  const started = await server.send("/api/v1/tasks", by, { type: "ask" });
  const { taskId } = JSON.parse(started.body);
  const { cursor } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });

  const stream = async (path: string) => {
    const { events } = await readStream(`${server.url}${path}`, headers);
    await events.next();
    const rest = async () => {
      let told = "";
      for await (const { event, data } of events) told += `${event} ${data}\n`;
      return told;
    };
    return { end: rest() };
  };
  const input = encodeURIComponent(JSON.stringify({ taskId }));
  const streams = {
    "the feed over tRPC": stream("/api/trpc/live.feed"),
    "a task's stream over tRPC": stream(`/api/trpc/live.task?input=${input}`),
    "a task's events over REST": stream(`/api/v1/tasks/${taskId}/events`),
  };
  const open: Record<string, Promise<string>> = {};
  for (const [name, opened] of Object.entries(streams)) open[name] = (await opened).end;

  const since = encodeURIComponent(JSON.stringify({ taskId, since: cursor, timeout: 60 }));
  const poll = `/api/v1/tasks/${taskId}/poll?timeout=60&since=${cursor}`;
  const told = async (path: string) => {
    const { status, body } = await server.send(path, headers);
    return `${status} ${body}`;
  };
  open["a poll over REST"] = told(poll);
  open["a poll over tRPC"] = told(`/api/trpc/tasks.poll?input=${since}`);
  if (authorization) {
    const args = { task_id: taskId, since: cursor, timeout: 60 };
    const call = { name: "poll_task", arguments: args };
    const answer = mcpSender(server.url, headers).request("tools/call", call);
    open["a poll over MCP"] = answer.then(({ body }) => JSON.stringify(body));
  }
  const polls = authorization ? 3 : 2;
  const waiting = async () => (await server.manager.stats()).waitingPolls;
  await expect.poll(waiting, patience).toBe(polls);
  return open;
}

async function expectAllEnded(open: Record<string, Promise<string>>): Promise<void> {
  for (const [name, end] of Object.entries(open)) {
    expect([name, await end]).toEqual([name, expect.stringContaining("unauthorized")]);
  }
  await expect.poll(() => server.identity.openCalls.size, patience).toBe(0);
  expect((await server.manager.stats()).waitingPolls).toBe(0);
}

describe("a key", () => {
  test("that is revoked", async () => {
    const { keyId, headers } = await server.agent();
    const open = await openAll(headers);
    await server.identity.keys.revoke(keyId, somebody);
    await expectAllEnded(open);
    expect((await server.send("/api/v1/tasks", headers)).status).toBe(401);
  });

  test("whose time comes", async () => {
    const expiresAt = toTimestamp(clock.now() + 3600 * 1_000_000);
    const { headers } = await server.agent({}, expiresAt);
    const open = await openAll(headers);
    await clock.advance(3599);
    expect((await server.send("/api/v1/tasks", headers)).status).toBe(200);
    await clock.advance(1);
    await expectAllEnded(open);
    const { status, body } = await server.send("/api/v1/tasks", headers);
    expect([status, body]).toEqual([401, expect.stringContaining("expired")]);
  });

  test("whose owner is shut out", async () => {
    const ann = await server.person("admin");
    const scopes = { start: "all", read: "own", answer: true, drive: false, metrics: false };
    const wanted = { name: "Ann's", scopes, expiresAt: null };
    const made = await server.send("/api/trpc/keys.make", ann.headers, wanted);
    const headers = { authorization: `Bearer ${JSON.parse(made.body).result.data.key}` };
    const open = await openAll(headers);
    await server.identity.changePerson(ann.userId, { isDisabled: true }, somebody);
    await expectAllEnded(open);
  });
});

describe("a person", () => {
  test.each([
    ["who is shut out", { isDisabled: true }, 401],
    ["whose role is changed", { role: "viewer" }, 200],
    ["whose groups are changed", { groups: ["ops"] }, 200],
  ] as const)("%s", async (_, change, after) => {
    const { userId, headers } = await server.person("operator");
    const open = await openAll(headers);
    const changed = "groups" in change ? { groups: [...change.groups] } : change;
    await server.identity.changePerson(userId, changed, somebody);
    await expectAllEnded(open);
    // Whoever is still in opens the stream anew, with what they may now.
    expect((await server.send("/api/v1/tasks", headers)).status).toBe(after);
  });

  test("who signs out", async () => {
    const { headers } = await server.person("operator");
    const open = await openAll(headers);
    await server.send("/api/auth/sign-out", headers, {});
    await expectAllEnded(open);
  });
});
