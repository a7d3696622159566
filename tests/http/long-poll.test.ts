import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { maxPollSeconds } from "../../server/adapters/trpc/input-schemas.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { restClient } from "../support/rest-client.ts";

let server: ApiServer;
let taskId: string;
let cursor: string;

beforeEach(async () => {
  server = await startApiServer({
    register: (manager) => manager.registerTask("wait", (ctx) => ctx.askCustomer("Go?")),
  });
  taskId = await server.manager.startTask("wait");
  const poll = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  cursor = poll.cursor;
});

afterEach(async () => {
  await server.close();
  expect(server.errors).toEqual([]);
});

const paths = (): Record<string, string> => {
  const input = { taskId, since: cursor, timeout: 50 };
  return {
    REST: `/api/v1/tasks/${taskId}/poll?timeout=50&since=${cursor}`,
    tRPC: `/api/trpc/tasks.poll?input=${encodeURIComponent(JSON.stringify(input))}`,
    batch: `/api/trpc/tasks.poll?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`,
  };
};

async function waitingPolls(): Promise<number> {
  return (await server.manager.stats()).waitingPolls;
}

async function untilWaiting(count: number): Promise<void> {
  await expect.poll(waitingPolls, { timeout: 5000, interval: 5 }).toBe(count);
}

function openSocket(path: string): Socket {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

test.each(["REST", "tRPC", "batch"])(
  "a poll over %s ends when its client goes away",
  async (surface) => {
    const path = paths()[surface] as string;
    const sockets = [openSocket(path), openSocket(path)];
    await untilWaiting(2);
    sockets[0]?.destroy();
    await untilWaiting(1);
    sockets[1]?.resetAndDestroy();
    await untilWaiting(0);
  },
);

test.each(["REST", "tRPC", "batch"])(
  "a poll over %s is answered by what it waits for",
  async (surface) => {
    const waiting = fetch(server.url + paths()[surface]);
    await untilWaiting(1);
    const { items } = (await restClient(server.url).get("/questions")).body;
    await server.manager.respondToQuestion(taskId, items[0].questionId, "yes");
    const response = await waiting;
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(taskId);
  },
);

test("shutting down answers every waiting poll long before its timeout, and in order", async () => {
  const waiting = Array.from({ length: 100 }, () => fetch(server.url + paths().REST));
  await untilWaiting(100);
  const began = performance.now();
  const closed = server.close();
  const responses = await Promise.all(waiting);
  expect(performance.now() - began).toBeLessThan(10_000);
  for (const response of responses) {
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      taskId,
      status: "waiting_for_input",
      pendingQuestion: { prompt: "Go?" },
      cursor: expect.stringMatching(/^c_/),
    });
  }
  await closed;
  await expect(fetch(server.url)).rejects.toThrow();
});

test("health says that the server closes, before it stops to answer", async () => {
  const { handleApi } = server;
  const health = () => handleApi(new Request(`${server.url}/api/health`, withHost));
  const withHost = { headers: { host: "localhost" } };
  expect((await health()).status).toBe(200);
  const closed = server.close();
  const response = await health();
  expect([response.status, (await response.json()).status]).toEqual([503, "closing"]);
  await closed;
});

test("connections outlast the longest poll, and the time allowed for a request the connection", () => {
  const { keepAliveTimeout, headersTimeout, requestTimeout } = server.http;
  expect(keepAliveTimeout).toBeGreaterThan(maxPollSeconds * 1000);
  expect(headersTimeout).toBeGreaterThan(keepAliveTimeout);
  expect(requestTimeout).toBeGreaterThan(headersTimeout);
});
