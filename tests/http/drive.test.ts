import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MemoryStore } from "../../server/stores/memory-store.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { startIdentityServer } from "../support/identity-server.ts";
import { restClient } from "../support/rest-client.ts";

const stores = {
  MemoryStore: async () => new MemoryStore(),
  SQLiteStore: () => SQLiteStore.open(":memory:"),
};

const register = (manager: ApiServer["manager"]) =>
  manager.registerTask("handled", (ctx) => ctx.askCustomer("Go?"));

describe.each(Object.entries(stores))("a task driven from outside, on %s", (_, open) => {
  let server: ApiServer;
  let store: Awaited<ReturnType<typeof open>>;
  let rest: ReturnType<typeof restClient>;

  beforeAll(async () => {
    store = await open();
    server = await startApiServer({ store, register });
    rest = restClient(server.url);
  });
  afterEach(() => expect(server.errors).toEqual([]));
  afterAll(async () => {
    await server.close();
    await store.close();
  });

  async function drive(body: object = {}) {
    const { status, body: started } = await rest.post("/drive", { type: "ci/build", ...body });
    expect(status).toBe(201);
    const { taskId, driverId } = started;
    const call = (name: string, more: object = {}) =>
      rest.post(`/drive/${taskId}/${name}`, { driverId, ...more });
    return { taskId, driverId, call, started };
  }
  const taskOf = async (taskId: string) => (await rest.get(`/tasks/${taskId}`)).body;

  test("from its start to its result", async () => {
    const { taskId, call, started } = await drive({ params: { commit: "4f1a" } });
    expect(started).toMatchObject({ status: "running", cancelRequested: false, created: true });
    expect((await call("update", { message: "one", sequence: 1 })).status).toBe(200);
    await call("progress", { done: 1, total: 2, message: "half" });
    const open = await call("ask", { key: "go", prompt: "Deploy?", choices: ["yes", "no"] });
    expect(open.body).toMatchObject({ status: "waiting_for_input", outcome: null });
    const { questionId } = open.body;
    // People answer it, and no agent.
    const agents = await rest.post(`/questions/${questionId}/answer`, { answer: "yes" });
    expect(agents.status).toBe(403);
    const waiting = call("ask", { key: "go", prompt: "Deploy?", choices: ["yes", "no"], wait: 30 });
    const actor = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;
    await server.manager.answerQuestion(questionId, "yes", { actor });
    expect((await waiting).body).toMatchObject({
      outcome: "answered",
      answer: "yes",
      by: "Ann",
      status: "running",
    });
    const done = await call("finish", { status: "completed", result: { ok: true } });
    expect(done.body).toMatchObject({ status: "completed", leaseExpiresAt: null });
    const { task, result, params } = await taskOf(taskId);
    expect([task.status, result, params]).toEqual(["completed", { ok: true }, { commit: "4f1a" }]);
    const poll = (await rest.get(`/tasks/${taskId}/poll`)).body;
    expect(poll.updates.map(({ message }: { message: string }) => message)).toEqual([
      "one",
      "half",
    ]);
    expect(poll.progress).toMatchObject({ done: 1, total: 2 });
  });

  test("calls that are repeated do nothing twice", async () => {
    const key = { idempotencyKey: "build-1", driverId: "ci-1" };
    const { taskId, call } = await drive(key);
    const again = await rest.post("/drive", { type: "ci/build", ...key });
    expect([again.status, again.body.taskId, again.body.created]).toEqual([200, taskId, false]);
    for (const sequence of [1, 1, 2, 1, 2])
      await call("update", { message: `${sequence}`, sequence });
    const asks = await Promise.all(
      [1, 2, 3].map(() => call("ask", { key: "go", prompt: "Deploy?" })),
    );
    expect(new Set(asks.map(({ body }) => body.questionId)).size).toBe(1);
    expect((await taskOf(taskId)).questions).toHaveLength(1);
    const other = await call("ask", { key: "go", prompt: "Deploy?", choices: ["a"] });
    expect([other.status, other.body.code]).toEqual([409, "conflict"]);
    for (const _ of [1, 2]) {
      const done = await call("finish", { status: "failed", error: "Exit: 1" });
      expect([done.status, done.body.status]).toEqual([200, "failed"]);
    }
    const otherwise = await call("finish", { status: "completed" });
    expect(otherwise).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(otherwise.body.detail).toContain("Exit: 1");
    const { updates } = (await rest.get(`/tasks/${taskId}/poll`)).body;
    expect(updates.map(({ message }: { message: string }) => message)).toEqual(["1", "2"]);
  });

  test("of two drivers the second is refused", async () => {
    const { taskId } = await drive({ idempotencyKey: "build-2", driverId: "ci-1" });
    const second = { type: "ci/build", idempotencyKey: "build-2", driverId: "ci-2" };
    expect((await rest.post("/drive", second)).status).toBe(409);
    for (const [name, more] of Object.entries({
      heartbeat: {},
      update: { message: "x" },
      progress: { done: 1 },
      ask: { key: "k", prompt: "?" },
      finish: { status: "completed" },
    })) {
      const { status, body } = await rest.post(`/drive/${taskId}/${name}`, {
        driverId: "ci-2",
        ...more,
      });
      expect([name, status, body.code]).toEqual([name, 409, "lease_lost"]);
    }
    expect((await taskOf(taskId)).task.status).toBe("running");
  });

  test("a cancel is told with every answer, closes what was asked, and is confirmed", async () => {
    const { taskId, call } = await drive();
    const waiting = call("ask", { key: "go", prompt: "Deploy?", wait: 30 });
    await expect.poll(async () => (await taskOf(taskId)).questions.length).toBe(1);
    await rest.post(`/tasks/${taskId}/cancel`, { reason: "enough" });
    expect((await waiting).body).toMatchObject({ outcome: "cancelled", cancelRequested: true });
    const beat = (await call("heartbeat", { leaseSeconds: 3600 })).body;
    expect(beat).toMatchObject({ cancelRequested: true, cancelReason: "enough" });
    // What is left is its grace, and no heartbeat makes it longer.
    expect(Date.parse(beat.leaseExpiresAt) - Date.now()).toBeLessThan(31_000);
    expect((await call("ask", { key: "more", prompt: "More?" })).body.outcome).toBe("cancelled");
    await call("update", { message: "cleaning up" });
    const done = await call("finish", { status: "cancelled" });
    expect(done.body.status).toBe("cancelled");
    expect((await taskOf(taskId)).error).toBe("TaskCancelled: enough");
  });

  test("a forced cancel ends it at once, and its driver is told so", async () => {
    const { taskId, call } = await drive();
    await rest.post(`/tasks/${taskId}/cancel`, { force: true });
    const beat = await call("heartbeat");
    expect([beat.status, beat.body.code]).toEqual([409, "conflict"]);
    expect(beat.body.detail).toContain("already ended (cancelled");
    expect((await call("finish", { status: "completed" })).status).toBe(409);
    expect((await taskOf(taskId)).task.status).toBe("cancelled");
  });

  test("finish against cancel: it ends once, whoever is first", async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const { taskId, call } = await drive();
      const racers = [
        () => call("finish", { status: "completed", result: 1 }),
        () => rest.post(`/tasks/${taskId}/cancel`, { force: true }),
      ];
      if (round % 2 === 1) racers.reverse();
      await Promise.all(racers.map((race) => race()));
      const events = (await server.manager.readEvents(taskId)).map(({ kind }) => kind);
      expect(events.filter((kind) => kind === "task_finished")).toHaveLength(1);
      ends.add((await taskOf(taskId)).task.status);
    }
    for (const end of ends) expect(["completed", "cancelled"]).toContain(end);
  });

  test("what is run by a handler cannot be driven, nor a type that has one", async () => {
    const refused = await rest.post("/drive", { type: "handled" });
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    const { taskId } = (await rest.post("/tasks", { type: "handled" })).body;
    const call = await rest.post(`/drive/${taskId}/heartbeat`, { driverId: "x" });
    expect([call.status, call.body.code]).toEqual([409, "conflict"]);
  });

  test("it cannot be run again by the server", async () => {
    const { taskId, call } = await drive();
    await call("finish", { status: "completed" });
    const again = await rest.post(`/tasks/${taskId}/rerun`);
    expect([again.status, again.body.code]).toEqual([409, "conflict"]);
    expect(again.body.detail).toContain("driven from outside");
  });

  test.each([
    ["a type that is no name", { type: "a b" }],
    ["params that are no object", { type: "ci", params: [1] }],
    ["a lease of a second", { type: "ci", leaseSeconds: 1 }],
    ["a driver that is no name", { type: "ci", driverId: "a b" }],
  ])("%s is refused", async (_, body) => {
    expect((await rest.post("/drive", body)).status).toBe(400);
  });

  test.each([
    ["finish", { status: "failed" }],
    ["finish", { status: "completed", error: "no" }],
    ["finish", { status: "running" }],
    ["update", { message: "" }],
    ["ask", { prompt: "Deploy?" }],
    ["ask", { key: "k", prompt: "Deploy?", choices: [] }],
    ["ask", { key: "k", prompt: "Deploy?", choices: ["a"], schema: { type: "string" } }],
    ["ask", { key: "k", prompt: "Deploy?", wait: 61 }],
  ])("%s with %j is refused, and the task goes on", async (name, body) => {
    const { call } = await drive();
    const refused = await call(name, body);
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_input"]);
    expect((await call("heartbeat")).body.status).toBe("running");
  });
});

test("nobody drives another caller's task, and what one cannot see does not exist", async () => {
  const server = await startIdentityServer();
  try {
    const post = async (path: string, headers: Record<string, string>, body: object) => {
      const sent = await server.send(`/api/v1${path}`, headers, body);
      return { status: sent.status, body: JSON.parse(sent.body) };
    };
    const mine = await server.agent({ start: [] });
    const blind = await server.agent();
    const sees = await server.agent({ read: "all" });
    const { body } = await post("/drive", mine.headers, { type: "ci" });
    const beat = (headers: Record<string, string>) =>
      post(`/drive/${body.taskId}/heartbeat`, headers, { driverId: body.driverId });
    expect((await beat(mine.headers)).status).toBe(200);
    expect((await beat(blind.headers)).status).toBe(404);
    expect((await beat(sees.headers)).status).toBe(403);
    const person = await server.person("operator");
    expect((await beat(person.headers)).status).toBe(403);
  } finally {
    await server.close();
  }
});
