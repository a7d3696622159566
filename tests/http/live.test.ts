import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TaskContext } from "../../server/core/task-context.ts";
import type { TaskManager } from "../../server/engine/task-manager.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { readStream } from "../support/read-stream.ts";
import { trpcClient } from "../support/trpc-client.ts";

let server: ApiServer;

function register(manager: TaskManager): void {
  manager.registerTask("burst", async (ctx: TaskContext, { count }: { count: number }) => {
    for (let i = 1; i <= count; i++) {
      ctx.update(`update ${i}`);
      if (i % 10 === 0) await ctx.sleep(0.002, { key: `after ${i}` });
    }
    return count;
  });
  manager.registerTask("progress", async (ctx: TaskContext) => {
    await ctx.progress(1, 3, "one");
    await ctx.askCustomer("Go on?");
  });
}

beforeEach(async () => {
  server = await startApiServer({ register });
});

afterEach(async () => {
  await server.close();
  expect(server.errors).toEqual([]);
});

const feedUrl = (lastEventId?: string) =>
  `${server.url}/api/trpc/live.feed${lastEventId === undefined ? "" : `?lastEventId=${lastEventId}`}`;
const taskUrl = (taskId: string) =>
  `${server.url}/api/trpc/live.task?input=${encodeURIComponent(JSON.stringify({ taskId }))}`;

async function positionsOf(taskId: string): Promise<number[]> {
  return (await server.manager.readEvents(taskId)).map(({ position }) => position);
}

test("headers keep proxies from buffering and transforming", async () => {
  const { response, close } = await readStream(feedUrl(), { "accept-encoding": "gzip, br" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(response.headers.get("content-encoding")).toBeNull();
  close();
});

test("a new stream says from where on it tells everything, before there is any event", async () => {
  const stream = await readStream(feedUrl());
  for await (const { data, id } of stream.events) {
    if (id === null) continue;
    expect([JSON.parse(data), id]).toEqual([{ kind: "reset", position: 0 }, "0"]);
    break;
  }
  stream.close();
});

test("events arrive one by one while the task still runs", async () => {
  const stream = await readStream(feedUrl(), { "accept-encoding": "gzip" });
  const { events } = stream;
  await events.next();
  await events.next();
  await server.manager.startTask("progress");
  const kinds: string[] = [];
  for await (const { data, id } of events) {
    const message = id === null ? null : JSON.parse(data);
    if (message?.kind !== "event") continue;
    kinds.push(message.event.kind);
    if (message.event.kind === "question_opened") {
      expect(message.question).toMatchObject({ prompt: "Go on?", outcome: null });
      expect(message.task).toMatchObject({ status: "waiting_for_input" });
      break;
    }
  }
  expect(kinds).toEqual(["task_created", "attempt_started", "update", "question_opened"]);
  stream.close();
});

test("a stream of one task has nothing of others, and an unknown task is told", async () => {
  const taskId = await server.manager.startTask("progress");
  const stream = await readStream(taskUrl(taskId));
  await stream.events.next();
  await stream.events.next();
  const other = await server.manager.startTask("burst", { count: 5 });
  await server.manager.pollTask(other, { waitFor: "input_or_result" });
  await server.manager.cancelTask(taskId);
  for await (const { data } of stream.events) {
    const message = JSON.parse(data);
    expect((message.event ?? message.task).taskId).toBe(taskId);
    if (message.event?.kind === "task_finished") break;
  }
  stream.close();

  const unknown = await readStream(taskUrl("task_none"));
  const failures = [];
  for await (const event of unknown.events) {
    if (event.event === "serialized-error") failures.push(JSON.parse(event.data));
  }
  expect(failures).toMatchObject([{ data: { code: "task_not_found", httpStatus: 404 } }]);
});

test.each(["x", "-1", "1.5", "99999999999999999999"])("last event id %s is refused", async (id) => {
  const stream = await readStream(feedUrl(id));
  const found = [];
  for await (const event of stream.events) found.push(event);
  expect(found.at(-1)?.event).toBe("serialized-error");
  expect(JSON.parse(found.at(-1)?.data ?? "").data.code).toBe("invalid_input");
});

/** The pool of `fetch` may pick a connection that is just being cut; a client then tries again. */
async function connectAgain(lastEventId: string) {
  for (;;) {
    try {
      return await readStream(feedUrl(), { "last-event-id": lastEventId });
    } catch (error) {
      if ((error as Error).message !== "fetch failed") throw error;
    }
  }
}

describe("resuming loses and doubles nothing", () => {
  test("when the connection is cut again and again in a burst", async () => {
    const count = 400;
    let lastEventId = "0";
    const seen: number[] = [];
    const taskId = await server.manager.startTask("burst", { count });
    let cuts = 0;
    for (let isDone = false; !isDone; ) {
      const stream = await connectAgain(lastEventId);
      const cutAfter = 1 + ((cuts * 7) % 40);
      let received = 0;
      for await (const { data, id } of stream.events) {
        if (id === null || id === "") continue;
        lastEventId = id;
        const message = JSON.parse(data);
        if (message.kind !== "event") continue;
        seen.push(message.position);
        isDone = message.event.kind === "task_finished";
        received++;
        if (isDone || received === cutAfter) break;
      }
      cuts++;
      // From the server's side every other time: what it had written may be lost on the way.
      if (cuts % 2 === 0) server.http.closeAllConnections();
      stream.close();
    }
    expect(cuts).toBeGreaterThan(5);
    expect(seen).toEqual(await positionsOf(taskId));
    expect(seen.length).toBeGreaterThan(count);
  });

  test("when the server restarts, with tRPC's own client", async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolthread-live-"));
    const file = join(folder, "tasks.db");
    let store = await SQLiteStore.open(file);
    let durable = await startApiServer({ store, register });
    const { port } = durable;
    const seen: number[] = [];
    let finished = () => {};
    const hasFinished = new Promise<void>((resolve) => {
      finished = resolve;
    });
    let connected = () => {};
    const hasConnected = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const subscription = trpcClient(durable.url).live.feed.subscribe(undefined, {
      onData({ data }) {
        if (data.kind === "reset") connected();
        if (data.kind !== "event") return;
        seen.push(data.position);
        if (data.event.kind === "task_finished") finished();
      },
      onComplete: () => seen.push(Number.NaN),
    });
    try {
      await hasConnected;
      const taskId = await durable.manager.startTask("burst", { count: 3000 });
      await new Promise((resolve) => setTimeout(resolve, 150));
      await durable.close();
      await store.close();
      const before = seen.length;
      expect(before).toBeGreaterThan(0);

      store = await SQLiteStore.open(file);
      durable = await startApiServer({ store, register, port });
      await hasFinished;
      expect(seen.length).toBeGreaterThan(before);
      const events = await durable.manager.readEvents(taskId);
      expect(events.map(({ kind }) => kind)).toContain("attempt_released");
      expect(seen).toEqual(events.map(({ position }) => position));
    } finally {
      subscription.unsubscribe();
      await durable.close();
      await store.close();
      await rm(folder, { recursive: true });
    }
  });
});
