import { expect, test } from "vitest";
import { z } from "zod";
import { libraryActor, StoreUnavailable, type TaskContext } from "../../server/index.ts";
import { agent, ann, drive, otherAgent, rejection, testEngine } from "./test-engine.ts";

test("an unknown task type is refused with the names of those that exist", async () => {
  const { manager } = testEngine();
  const none = await rejection(manager.startTask("deploy"));
  expect(none).toMatchObject({ name: "UnknownTaskType", code: "unknown_task_type" });
  manager.registerTask("build", () => 1);
  manager.registerTask("test", () => 1);
  const error = await rejection(manager.startTask("deploy"));
  expect(error.message).toContain('"deploy"');
  expect(error.message).toContain("build, test");
});

test("a task type's name is taken once, and is a sensible one", () => {
  const { manager } = testEngine();
  manager.registerTask("build", () => 1);
  expect(() => manager.registerTask("build", () => 2)).toThrow(/registered already/);
  for (const name of ["", "with space", "x".repeat(101)]) {
    expect(() => manager.registerTask(name, () => 1)).toThrow(/name/);
  }
  expect(() => manager.registerTask("f", "not a function" as never)).toThrow(/function/);
});

test("task types tell their title, description and the schema of their params", () => {
  const { manager } = testEngine();
  manager.registerTask("plain", () => 1);
  const params = z.object({
    env: z.enum(["staging", "production"]),
    dry: z.boolean().default(false),
  });
  manager.registerTask(
    { type: "full", title: "Full", description: "all", params, example: true },
    () => 1,
  );
  expect(manager.taskTypes()).toMatchObject([
    { type: "plain", title: "plain", description: "", paramsSchema: null, example: false },
    {
      type: "full",
      title: "Full",
      description: "all",
      example: true,
      paramsSchema: { type: "object", required: ["env"] },
    },
  ]);
});

const limits = z.object({
  env: z.string().min(1),
  retry: z.object({ times: z.int().max(5) }).optional(),
  dry: z.boolean().default(true),
});

test.each<[string, unknown, string[]]>([
  ["a missing field", {}, ["env"]],
  ["a wrong type", { env: 7 }, ["env"]],
  ["a nested field", { env: "x", retry: { times: 9 } }, ["retry.times"]],
  ["two fields", { env: "", retry: {} }, ["env", "retry.times"]],
  ["no object", "production", [""]],
])("params with %s are refused, and the words name it", async (_, params, paths) => {
  const { manager } = testEngine();
  manager.registerTask({ type: "deploy", params: limits }, () => 1);
  const error = await rejection(manager.startTask("deploy", params));
  expect(error).toMatchObject({ name: "InvalidParams", code: "invalid_params" });
  for (const path of paths) expect(error.message).toContain(path);
  const { issues } = (error as Error & { details: { issues: { path: string }[] } }).details;
  expect(issues.map((issue) => issue.path)).toEqual(paths);
  expect((await manager.stats()).tasks.pending).toBe(0);
});

test("the handler gets params as the schema makes them, transforms applied once", async () => {
  const { manager, clock } = testEngine();
  const params = z.object({
    count: z.string().transform(Number),
    when: z.coerce.date(),
    dry: z.boolean().default(true),
  });
  let got: unknown;
  manager.registerTask({ type: "t", params }, (_ctx, given) => {
    got = given;
  });
  const taskId = await manager.startTask("t", { count: "5", when: "2026-01-01" });
  await clock.settle();
  expect(got).toEqual({ count: 5, when: new Date("2026-01-01"), dry: true });
  expect((await manager.getTask(taskId)).task.status).toBe("completed");
});

test("without a schema, params are an object; none is an empty one", async () => {
  const { manager, clock } = testEngine();
  manager.registerTask("echo", (_ctx, params) => params);
  for (const [given, got] of [
    [undefined, {}],
    [{ a: 1, b: undefined }, { a: 1 }],
  ]) {
    const taskId = await manager.startTask("echo", given);
    await clock.settle();
    expect((await manager.getTask(taskId)).result).toEqual(got);
  }
  for (const wrong of ["text", 7, [1]]) {
    expect((await rejection(manager.startTask("echo", wrong))).code).toBe("invalid_params");
  }
});

const cycle: { self?: unknown } = {};
cycle.self = cycle;

test.each([{ f: () => 1 }, { n: 1n }, cycle, { d: new Map() }, { x: Number.NaN }])(
  "params that JSON cannot hold are refused: %o",
  async (params) => {
    const { manager } = testEngine();
    manager.registerTask("echo", () => 1);
    const error = await rejection(manager.startTask("echo", params));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/^params\./);
  },
);

test("the params a task has are its own, whatever the caller does with theirs", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { manager, clock } = engine;
  const blocking = await drive(engine);
  manager.registerTask("echo", (_ctx, params) => params);
  const params = { list: [1] };
  const taskId = await manager.startTask("echo", params);
  params.list.push(2);
  blocking.finish();
  await clock.settle();
  expect((await manager.getTask(taskId)).result).toEqual({ list: [1] });
});

test("who started a task is kept; in-process callers are the library", async () => {
  const { manager } = testEngine();
  manager.registerTask("t", () => 1);
  const byLibrary = await manager.startTask("t");
  const byAnn = await manager.startTask("t", {}, { actor: ann });
  expect((await manager.getTask(byLibrary)).task.createdBy).toEqual(libraryActor);
  expect((await manager.getTask(byAnn)).task.createdBy).toEqual(ann);
  expect((await manager.readEvents(byAnn))[0]).toMatchObject({ kind: "task_created", actor: ann });
});

test("the same idempotency key and params start one task, also all at once", async () => {
  const { manager, clock } = testEngine();
  let runs = 0;
  manager.registerTask("t", () => ++runs);
  const start = () =>
    manager.startTaskDetailed("t", { a: 1, b: 2 }, { idempotencyKey: "k", actor: agent });
  const started = await Promise.all([start(), start(), start()]);
  await clock.settle();
  started.push(
    await manager.startTaskDetailed("t", { b: 2, a: 1 }, { idempotencyKey: "k", actor: agent }),
  );
  expect(new Set(started.map(({ task }) => task.taskId)).size).toBe(1);
  expect(started.filter(({ created }) => created)).toHaveLength(1);
  expect(runs).toBe(1);
});

test("a repeated start takes no slot", async () => {
  const { manager, clock } = testEngine({ concurrency: 1 });
  manager.registerTask("t", () => 1);
  for (let i = 0; i < 3; i++) await manager.startTask("t", {}, { idempotencyKey: "k" });
  await clock.settle();
  const taskId = await manager.startTask("t");
  await clock.settle();
  expect((await manager.getTask(taskId)).task.status).toBe("completed");
});

test("the same idempotency key with other params is refused, and names the task", async () => {
  const { manager } = testEngine();
  manager.registerTask("t", () => 1);
  const taskId = await manager.startTask("t", { a: 1 }, { idempotencyKey: "k" });
  const error = await rejection(manager.startTask("t", { a: 2 }, { idempotencyKey: "k" }));
  expect(error).toMatchObject({ name: "IdempotencyConflict", code: "idempotency_conflict" });
  expect(error.message).toContain(taskId);
});

test("an idempotency key is scoped to the actor and the type", async () => {
  const { manager } = testEngine();
  manager.registerTask("t", () => 1);
  manager.registerTask("u", () => 1);
  const ids = [
    await manager.startTask("t", {}, { idempotencyKey: "k", actor: agent }),
    await manager.startTask("t", {}, { idempotencyKey: "k", actor: otherAgent }),
    await manager.startTask("t", {}, { idempotencyKey: "k", actor: { ...ann, id: agent.id } }),
    await manager.startTask("u", {}, { idempotencyKey: "k", actor: agent }),
  ];
  expect(new Set(ids).size).toBe(4);
  const sameAgent = { ...agent, surface: "mcp" as const, name: "renamed" };
  const again = await manager.startTask("t", {}, { idempotencyKey: "k", actor: sameAgent });
  expect(again).toBe(ids[0]);
});

test.each<[string, object]>([
  ["an empty idempotency key", { idempotencyKey: "" }],
  ["a long idempotency key", { idempotencyKey: "k".repeat(201) }],
  ["a priority that is no number", { priority: Number.NaN }],
  ["a broken priority", { priority: 1.5 }],
  ["a startAfter that is no time", { startAfter: "tomorrow" }],
  ["a label that is no text", { labels: { a: 1 } }],
])("a start with %s is refused", async (_, options) => {
  const { manager } = testEngine();
  manager.registerTask("t", () => 1);
  expect((await rejection(manager.startTask("t", {}, options))).code).toBe("invalid_input");
});

test("a task with startAfter begins then, however its time was written", async () => {
  const { manager, clock } = testEngine();
  manager.registerTask("t", () => "ran");
  const ids = [
    await manager.startTask("t", {}, { startAfter: "2026-11-30T14:00:10+02:00" }),
    await manager.startTask("t", {}, { startAfter: "2026-11-30T12:00:10Z" }),
    await manager.startTask("t", {}, { startAfter: "2026-11-30 12:00:10" }),
  ];
  const statuses = async () =>
    Promise.all(ids.map(async (id) => (await manager.getTask(id)).task.status));
  await clock.advance(9.9);
  expect(await statuses()).toEqual(["pending", "pending", "pending"]);
  await clock.advance(0.2);
  expect(await statuses()).toEqual(["completed", "completed", "completed"]);
  const past = await manager.startTask("t", {}, { startAfter: "2020-01-01T00:00:00Z" });
  await clock.settle();
  expect((await manager.getTask(past)).task.status).toBe("completed");
});

test("labels and priority are kept, and labels find the task", async () => {
  const { manager } = testEngine();
  manager.registerTask("t", () => 1);
  const taskId = await manager.startTask("t", {}, { labels: { team: "a" }, priority: 5 });
  await manager.startTask("t", {}, { labels: { team: "b" } });
  const { items } = await manager.listTasks({ labels: { team: "a" }, limit: 10 });
  expect(items.map((task) => [task.taskId, task.priority])).toEqual([[taskId, 5]]);
});

test("a type that is registered later runs the tasks that wait for it", async () => {
  const first = testEngine();
  first.manager.registerTask("t", async (ctx: TaskContext) => ctx.sleep(5));
  const taskId = await first.manager.startTask("t", {}, { startAfter: "2026-11-30T12:00:10Z" });
  await first.manager.drain();
  const second = testEngine({ store: first.store, clock: first.clock });
  await second.manager.ready();
  await second.clock.advance(20);
  expect((await second.manager.getTask(taskId)).task.status).toBe("pending");
  second.manager.registerTask("t", () => "ran");
  await second.clock.settle();
  expect((await second.manager.getTask(taskId)).result).toBe("ran");
});

test("a store that is away at first does not keep the manager from starting later", async () => {
  const engine = testEngine();
  const listWorkers = engine.store.listWorkers.bind(engine.store);
  let isAway = true;
  engine.store.listWorkers = async () => {
    if (isAway) throw new StoreUnavailable("the disk is busy");
    return listWorkers();
  };
  engine.manager.registerTask("t", () => "ran");
  expect((await rejection(engine.manager.startTask("t"))).code).toBe("store_unavailable");
  isAway = false;
  const taskId = await engine.manager.startTask("t");
  await engine.clock.settle();
  expect((await engine.manager.getTask(taskId)).result).toBe("ran");
});
