import { expect, test } from "vitest";
import {
  isTaskStore,
  type TaskContext,
  TaskManager,
  TaskNotFound,
  TaskQuestion,
  TaskResult,
  type TaskStatus,
  type TaskStore,
  TaskUpdate,
} from "../../server/index.ts";
import { PlainStore } from "../support/plain-store.ts";
import { rest } from "./mortal-process.ts";
import { agent, rejection, type TestEngine, testEngine, watch } from "./test-engine.ts";

const methods = [
  "createTask",
  "getTaskStatus",
  "setTaskStatus",
  "addUpdate",
  "getUpdates",
  "addQuestion",
  "getPendingQuestion",
  "answerQuestion",
  "setResult",
  "getResult",
] as const satisfies (keyof TaskStore)[];

/** Writes down what a store is told, and makes each method take `turns` turns of the event loop. */
function overheard(store: TaskStore, turns: number) {
  const told: [string, ...unknown[]][] = [];
  const entries = methods.map((name) => [
    name,
    (...args: unknown[]) => {
      if (!name.startsWith("get")) told.push([name, ...args]);
      const call = () => (store[name] as (...given: unknown[]) => unknown)(...args);
      if (turns === 0) return call();
      return (async () => {
        for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
        return call();
      })();
    },
  ]);
  return { store: Object.fromEntries(entries) as unknown as TaskStore, told };
}

async function answerFirst({ manager, clock }: TestEngine, taskId: string, answer: string) {
  const poll = watch(manager.pollTask(taskId, { waitFor: "input_or_result" }));
  await rest({ clock });
  const questionId = poll.value?.pendingQuestion?.questionId ?? "";
  return manager.respondToQuestion(taskId, questionId, answer);
}

test.each([0, 3])(
  "with a ten-method store whose methods take %i turns, everything works",
  async (turns) => {
    const { store, told } = overheard(new PlainStore(), turns);
    expect(isTaskStore(store)).toBe(true);
    const engine = testEngine({ store });
    engine.manager.registerTask("deploy", async (ctx: TaskContext, { env }) => {
      ctx.update("one");
      ctx.update("two", "warning");
      const step = await ctx.step("s", () => 1);
      const answer = await ctx.askCustomer("Proceed?");
      ctx.progress(1, 1, "three");
      return { env, step, answer };
    });
    const taskId = await engine.manager.startTask("deploy", { env: "x" });
    await rest(engine);
    expect(await answerFirst(engine, taskId, "yes")).toBe(true);
    await rest(engine);
    await rest(engine);
    const { result } = await engine.manager.pollTask(taskId);
    expect(result?.result).toEqual({ env: "x", step: 1, answer: "yes" });

    expect(told.map(([name, ...args]) => [name, args.at(-1)])).toEqual([
      ["createTask", { env: "x" }],
      ["setTaskStatus", "running"],
      ["addUpdate", expect.any(TaskUpdate)],
      ["addUpdate", expect.any(TaskUpdate)],
      ["addQuestion", expect.any(TaskQuestion)],
      ["setTaskStatus", "waiting_for_input"],
      ["answerQuestion", "yes"],
      ["setTaskStatus", "running"],
      ["addUpdate", expect.any(TaskUpdate)],
      ["setResult", expect.any(TaskResult)],
      ["setTaskStatus", "completed"],
    ]);
    expect(await store.getTaskStatus(taskId)).toBe("completed");
    expect((await store.getResult(taskId))?.result).toEqual({ env: "x", step: 1, answer: "yes" });
    expect((await store.getUpdates(taskId)).map((update) => update.message)).toEqual([
      "one",
      "two",
      "three",
    ]);
  },
);

test("updates keep their order in a store that is slow now and then", async () => {
  const plain = new PlainStore();
  const { store } = overheard(plain, 0);
  let n = 0;
  const slowNowAndThen: TaskStore = {
    ...store,
    async addUpdate(update) {
      n += 1;
      for (let i = 0; i < (n % 3) * 4; i++) await new Promise((resolve) => setImmediate(resolve));
      plain.addUpdate(update);
    },
  };
  const engine = testEngine({ store: slowNowAndThen });
  engine.manager.registerTask("t", (ctx: TaskContext) => {
    for (let i = 0; i < 12; i++) ctx.update(`u${i}`);
  });
  const taskId = await engine.manager.startTask("t");
  const poll = watch(engine.manager.pollTask(taskId, { waitFor: "input_or_result" }));
  for (let i = 0; i < 5; i++) await rest(engine);
  expect(poll.value?.updates.map((update) => update.message)).toEqual(
    Array.from({ length: 12 }, (_, i) => `u${i}`),
  );
  expect(plain.getUpdates(taskId).map((update) => update.message)).toEqual(
    Array.from({ length: 12 }, (_, i) => `u${i}`),
  );
});

test("a cancel, a failure and a timeout leave the store with the right status and result", async () => {
  const plain = new PlainStore();
  const engine = testEngine({ store: plain });
  engine.manager.registerTask("fails", () => {
    throw new RangeError("no");
  });
  engine.manager.registerTask("asks", (ctx: TaskContext) => ctx.askCustomer("?", { timeout: 5 }));
  const ids = [
    await engine.manager.startTask("fails"),
    await engine.manager.startTask("asks"),
    await engine.manager.startTask("asks"),
  ];
  await engine.manager.cancelTask(ids[2] ?? "", { reason: "enough" });
  await engine.clock.advance(5);
  await rest(engine);
  const ends = ids.map(async (id) => [plain.getTaskStatus(id), (await plain.getResult(id))?.error]);
  expect(await Promise.all(ends)).toEqual([
    ["failed", "RangeError: no"],
    ["failed", expect.stringMatching(/^TaskTimeout/)],
    ["cancelled", "TaskCancelled: enough"],
  ]);
});

test("one idempotency key starts one task, also when the store is slow", async () => {
  const { store, told } = overheard(new PlainStore(), 3);
  const engine = testEngine({ store });
  engine.manager.registerTask("t", () => 1);
  const start = () => engine.manager.startTask("t", {}, { idempotencyKey: "k", actor: agent });
  const started = await Promise.all([start(), start(), start()]);
  expect(new Set(started).size).toBe(1);
  expect(told.filter(([name]) => name === "createTask")).toHaveLength(1);
});

test("tasks of an earlier process can be polled, with their updates, question and result", async () => {
  const plain = new PlainStore();
  const stamps = ["2026-11-30T10:00:00.000001Z", "2026-11-30T10:00:00.000002Z"];
  for (const taskId of ["task_aaaaaaa01", "task_aaaaaaa02"]) {
    plain.createTask(taskId, "t", {});
    for (const [i, timestamp] of stamps.entries()) {
      plain.addUpdate(new TaskUpdate({ taskId, message: `u${i}`, timestamp }));
    }
  }
  const taskId = "task_aaaaaaa01";
  plain.addQuestion(
    new TaskQuestion({ taskId, prompt: "Well?", askedAt: "2026-11-30T11:59:00.000000Z" }),
  );
  plain.setTaskStatus(taskId, "waiting_for_input");
  const done = "task_aaaaaaa02";
  plain.setResult(done, new TaskResult({ taskId: done, status: "completed", result: 7 }));
  plain.setTaskStatus(done, "completed");

  const engine = testEngine({ store: plain });
  const open = await engine.manager.pollTask(taskId, { timeout: 0 });
  expect(open).toMatchObject({ status: "waiting_for_input", result: null });
  expect(open.updates.map((update) => [update.message, update.timestamp])).toEqual([
    ["u0", stamps[0]],
    ["u1", stamps[1]],
  ]);
  expect(open.pendingQuestion?.prompt).toBe("Well?");
  const later = await engine.manager.pollTask(taskId, { since: stamps[0], timeout: 0 });
  expect(later.updates.map((update) => update.message)).toEqual(["u1"]);
  const ended = await engine.manager.pollTask(done);
  expect(ended.result).toMatchObject({ status: "completed", result: 7 });
});

test("a question of an earlier process is answered at the first call", async () => {
  const plain = new PlainStore();
  const taskId = "task_aaaaaaa03";
  plain.createTask(taskId, "t", {});
  const question = new TaskQuestion({
    taskId,
    prompt: "Well?",
    askedAt: "2026-11-30T11:59:00.000000Z",
  });
  plain.addQuestion(question);
  plain.setTaskStatus(taskId, "waiting_for_input");
  const { manager } = testEngine({ store: plain });
  expect(await manager.respondToQuestion(taskId, question.questionId, "yes")).toBe(true);
  expect(plain.getPendingQuestion(taskId)).toBeNull();
});

test("a task of an earlier process can be cancelled", async () => {
  const plain = new PlainStore();
  plain.createTask("task_aaaaaaa04", "t", {});
  plain.setTaskStatus("task_aaaaaaa04", "running");
  const { manager } = testEngine({ store: plain });
  expect(await manager.cancelTask("task_aaaaaaa04")).toBe(true);
  expect(plain.getTaskStatus("task_aaaaaaa04")).toBe("cancelled");
});

test.each<[string, (taskId: string) => TaskStatus]>([
  [
    "throws TaskNotFound",
    (taskId) => {
      throw new TaskNotFound(taskId);
    },
  ],
  [
    "throws a TypeError",
    () => {
      throw new TypeError("undefined is not an object");
    },
  ],
  ["gives undefined", () => undefined as unknown as TaskStatus],
])("an unknown task is not found in a store that %s", async (_, getTaskStatus) => {
  const { store } = overheard(new PlainStore(), 0);
  const { manager } = testEngine({
    store: {
      ...store,
      getTaskStatus,
      getUpdates: () => [],
      getPendingQuestion: () => null,
      getResult: () => null,
    },
  });
  expect((await rejection(manager.pollTask("task_nowhere"))).code).toBe("task_not_found");
  expect((await rejection(manager.cancelTask("task_nowhere"))).code).toBe("task_not_found");
});

test("a store that fails in a write fails the call, and the task goes on being told the truth", async () => {
  const plain = new PlainStore();
  const { store } = overheard(plain, 0);
  let fails = true;
  const engine = testEngine({
    store: {
      ...store,
      addUpdate(update) {
        if (fails) throw new Error("connection reset");
        plain.addUpdate(update);
      },
    },
  });
  engine.manager.registerTask("t", async (ctx: TaskContext) => {
    const first = await ctx.update("lost").catch((error: Error) => error.message);
    fails = false;
    await ctx.update("kept");
    return first;
  });
  const taskId = await engine.manager.startTask("t");
  await rest(engine);
  const { result, updates } = await engine.manager.pollTask(taskId);
  expect(result?.result).toBe("connection reset");
  expect(updates.map((update) => update.message)).toEqual(["kept"]);
});

test("a store that lacks a method is refused in words", () => {
  const { store } = overheard(new PlainStore(), 0);
  const { getResult: _, ...nine } = store;
  expect(isTaskStore(nine)).toBe(false);
  expect(() => new TaskManager({ store: nine as TaskStore })).toThrow(/ten methods/);
});
