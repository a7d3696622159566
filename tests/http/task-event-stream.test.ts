import { connect } from "node:net";
import { EventSource } from "eventsource";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { readStream, type StreamEvent } from "../support/read-stream.ts";
import { restClient } from "../support/rest-client.ts";

let server: ApiServer;
let rest: ReturnType<typeof restClient>;

beforeAll(async () => {
  server = await startApiServer({
    register(manager) {
      manager.registerTask("ask", async (ctx) => {
        ctx.update("one");
        ctx.progress(1, 2, "half");
        const answer = await ctx.askCustomer("Go?");
        ctx.update(`two ${answer}`);
        return answer;
      });
      manager.registerTask("burst", (ctx, { count }: { count: number }) => {
        for (let i = 0; i < count; i++) void ctx.update(`${i} ${"x".repeat(1000)}`);
      });
    },
  });
  rest = restClient(server.url);
});

afterEach(() => expect(server.errors).toEqual([]));
afterAll(() => server.close());

const streamOf = (taskId: string) => `${server.url}/api/v1/tasks/${taskId}/events`;

async function asking() {
  const { taskId } = (await rest.post("/tasks", { type: "ask" })).body;
  const poll = (await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`)).body;
  return { taskId, questionId: poll.pendingQuestion.questionId };
}

async function readAll(events: AsyncGenerator<StreamEvent>) {
  const all: { id: string; kind: string; message?: string }[] = [];
  for await (const { event, data, id } of events) {
    if (event === "message") all.push({ ...JSON.parse(data), id });
    else expect(event).toBe("progress");
  }
  return all;
}

test("tells everything from the beginning until the end, and then there is nothing more", async () => {
  const { taskId, questionId } = await asking();
  const { events, response } = await readStream(streamOf(taskId));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reading = readAll(events);
  await rest.post(`/questions/${questionId}/answer`, { answer: "yes" });
  const all = await reading;
  expect(all.map(({ id }) => Number(id))).toEqual(all.map((_, i) => i + 1));
  expect(all.map(({ kind }) => kind)).toEqual([
    "task_created",
    "attempt_started",
    "update",
    "update",
    "question_opened",
    "question_resolved",
    "update",
    "task_finished",
  ]);
  const after = await fetch(streamOf(taskId), { headers: { "last-event-id": `${all.length}` } });
  expect([after.status, await after.text()]).toEqual([204, ""]);
});

test("goes on after the last id, and tells progress as it is", async () => {
  const { taskId } = await asking();
  const { events, close } = await readStream(streamOf(taskId), { "last-event-id": "4" });
  const first = (await events.next()).value as StreamEvent;
  expect([first.id, JSON.parse(first.data).kind]).toEqual(["5", "question_opened"]);
  const second = (await events.next()).value as StreamEvent;
  expect([second.event, second.id]).toEqual(["progress", null]);
  expect(JSON.parse(second.data)).toMatchObject({ done: 1, total: 2 });
  close();
  const query = await readStream(`${streamOf(taskId)}?afterSeq=4`);
  expect(((await query.events.next()).value as StreamEvent).id).toBe("5");
  query.close();
});

test("a browser's EventSource that is cut off in between hears each event once, and stops", async () => {
  const { taskId, questionId } = await asking();
  const ids: string[] = [];
  let connections = 0;
  const source = new EventSource(streamOf(taskId), {
    fetch: (url, init) => {
      connections += 1;
      return fetch(url, init);
    },
  });
  const closed = new Promise<void>((resolve) => {
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) resolve();
    });
  });
  source.addEventListener("message", ({ lastEventId }) => {
    ids.push(lastEventId);
    if (lastEventId === "5") server.http.closeAllConnections();
  });
  await expect.poll(() => connections, { timeout: 15_000 }).toBeGreaterThan(1);
  await rest.post(`/questions/${questionId}/answer`, { answer: "yes" });
  await closed;
  expect(ids).toEqual(ids.map((_, i) => `${i + 1}`));
  expect(ids).toHaveLength(8);
});

test.each([
  ["an id that no stream gave", "nonsense", 400, "invalid_input"],
  ["a negative one", "-1", 400, "invalid_input"],
  ["one past the timeline, as another task's", "999999", 400, "invalid_input"],
])("%s is refused", async (_, id, status, code) => {
  const { taskId } = await asking();
  const response = await fetch(streamOf(taskId), { headers: { "last-event-id": id } });
  expect([response.status, (await response.json()).code]).toEqual([status, code]);
});

test("an unknown task is not found, and HEAD opens no stream", async () => {
  const response = await fetch(streamOf("task_none"));
  expect([response.status, (await response.json()).code]).toEqual([404, "task_not_found"]);
  const { taskId } = await asking();
  const head = await fetch(streamOf(taskId), { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("a client that never reads holds up nobody, and costs no memory", async () => {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  const { taskId } = (await rest.post("/tasks", { type: "burst", params: { count: 2000 } })).body;
  socket.write(`GET /api/v1/tasks/${taskId}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  socket.pause();
  await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`);
  const { events } = await readStream(streamOf(taskId));
  expect((await readAll(events)).at(-1)?.kind).toBe("task_finished");
  socket.destroy();
  await expect
    .poll(() => new Promise<number>((resolve) => server.http.getConnections((_, n) => resolve(n))))
    .toBeLessThan(10);
});
