import { expect, test } from "vitest";
import { z } from "zod";
import type { TaskContext } from "../../server/index.ts";
import { drive, openQuestion, type TestEngine, testEngine, watch } from "./test-engine.ts";

/** A type whose tasks note when they begin, and work for `seconds` in a step. */
function noting(engine: TestEngine, seconds = 10) {
  const began: string[] = [];
  engine.manager.registerTask("notes", async (ctx: TaskContext, { name }) => {
    began.push(name);
    await ctx.step("work", () => new Promise<void>((end) => engine.clock.after(seconds, end)));
  });
  const start = (name: string, priority = 0) =>
    engine.manager.startTask("notes", { name }, { priority });
  return { began, start };
}

test("tasks beyond the concurrency wait, and run in the order they came", async () => {
  const engine = testEngine({ concurrency: 2 });
  const { began, start } = noting(engine);
  for (const name of "abcde") {
    await start(name);
    await engine.clock.advance(0.01);
  }
  expect(began).toEqual(["a", "b"]);
  await engine.clock.advance(10);
  expect(began).toEqual(["a", "b", "c", "d"]);
  await engine.clock.advance(10);
  expect(began).toEqual(["a", "b", "c", "d", "e"]);
});

test("a higher priority runs first", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { began, start } = noting(engine);
  for (const [name, priority] of [
    ["first", 0],
    ["low", -1],
    ["normal", 0],
    ["high", 5],
    ["high 2", 5],
  ] as const) {
    await start(name, priority);
    await engine.clock.advance(0.01);
  }
  await engine.clock.advance(100);
  expect(began).toEqual(["first", "high", "high 2", "normal", "low"]);
});

test("a task that is started the moment a slot frees does not overtake those that wait", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { began, start } = noting(engine);
  const first = await drive(engine);
  await start("waiting");
  engine.store.subscribe(({ task }) => {
    if (task.taskId === first.taskId && task.status === "completed") void start("new");
  });
  first.finish();
  await engine.clock.advance(30);
  expect(began).toEqual(["waiting", "new"]);
});

test.each<[string, (ctx: TaskContext) => Promise<unknown>]>([
  ["sleeps", (ctx) => ctx.sleep(100)],
  ["waits for an answer", (ctx) => ctx.ask({ prompt: "Well?" })],
])("a task that %s gives its slot to another", async (_, wait) => {
  const engine = testEngine({ concurrency: 1 });
  const { began, start } = noting(engine);
  const { ctx } = await drive(engine);
  await start("other");
  await engine.clock.settle();
  expect(began).toEqual([]);
  void wait(ctx);
  await engine.clock.settle();
  expect(began).toEqual(["other"]);
});

test("a wait that is over takes a slot again, ahead of tasks that have not begun", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { began, start } = noting(engine);
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Well?"));
  await engine.clock.settle();
  await start("a");
  await engine.clock.settle();
  await start("b");
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.respondToQuestion(taskId, questionId, "yes");
  await engine.clock.advance(9.9);
  // Answered, but "a" has the only slot.
  expect(answer.state).toBe("pending");
  await engine.clock.advance(0.2);
  expect(answer.value).toBe("yes");
  await engine.clock.advance(60);
  expect(began).toEqual(["a"]);
});

test("a cancelled task cleans up at once, though others have all the slots", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { start } = noting(engine, 1000);
  const cleaned: string[] = [];
  engine.manager.registerTask("waits", async (ctx: TaskContext, { how }) => {
    try {
      if (how === "asks") await ctx.askCustomer("Well?");
      else await ctx.sleep(500);
    } finally {
      await ctx.step("clean up", () => cleaned.push(how), { evenIfCancelled: true });
    }
  });
  const ids: string[] = [];
  for (const how of ["asks", "sleeps"]) {
    ids.push(await engine.manager.startTask("waits", { how }));
    await engine.clock.settle();
  }
  await start("busy");
  await engine.clock.settle();
  for (const taskId of ids) await engine.manager.cancelTask(taskId);
  await engine.clock.settle();
  expect(cleaned).toEqual(["asks", "sleeps"]);
  for (const taskId of ids) {
    expect((await engine.manager.getTask(taskId)).task.status).toBe("cancelled");
  }
});

test.each([false, true])(
  "a step that waits for a slot does not run once its task is cancelled (force: %s)",
  async (force) => {
    const engine = testEngine({ concurrency: 1 });
    const { began, start } = noting(engine, 10);
    const { taskId, ctx } = await drive(engine);
    void ctx.ask({ prompt: "Well?" });
    await engine.clock.settle();
    await start("busy");
    await engine.clock.settle();
    let ran = false;
    const step = watch(
      ctx.step("work", () => {
        ran = true;
      }),
    );
    await engine.clock.settle();
    await engine.manager.cancelTask(taskId, { force });
    await engine.clock.advance(20);
    expect(step.error).toMatchObject({ code: force ? "lease_lost" : "task_cancelled" });
    expect(ran).toBe(false);
    // And the slot it waited for is not lost.
    await start("next");
    await engine.clock.settle();
    expect(began).toEqual(["busy", "next"]);
  },
);

test("many waits take no slot, and none is lost", async () => {
  const engine = testEngine({ concurrency: 1 });
  const tasks = [];
  for (let i = 0; i < 20; i++) {
    const driven = await drive(engine);
    tasks.push({ ...driven, sleep: watch(driven.ctx.sleep(50 + i)) });
    await engine.clock.settle();
  }
  await engine.clock.advance(45);
  for (const { sleep, finish } of tasks) {
    await engine.clock.advance(30);
    expect(sleep.state).toBe("fulfilled");
    finish();
    await engine.clock.settle();
  }
  const { tasks: counts } = await engine.manager.stats();
  expect(counts.completed).toBe(20);
});

test("while one question of several is open, the task only waits and takes no slot", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { began, start } = noting(engine);
  const { taskId, ctx } = await drive(engine);
  const both = watch(
    Promise.all([ctx.askCustomer("a?", { key: "a" }), ctx.askCustomer("b?", { key: "b" })]),
  );
  await engine.clock.settle();
  const [first, second] = await engine.store.getOpenQuestions(taskId);
  await engine.manager.respondToQuestion(taskId, first?.questionId ?? "", "yes");
  await engine.clock.settle();
  await start("other");
  await engine.clock.settle();
  expect(began).toEqual(["other"]);
  await engine.clock.advance(10);
  await engine.manager.respondToQuestion(taskId, second?.questionId ?? "", "no");
  await engine.clock.settle();
  expect(both.value).toEqual(["yes", "no"]);
});

test("a step that runs while a question is open keeps the slot", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { began, start } = noting(engine);
  const { ctx } = await drive(engine);
  void ctx.ask({ prompt: "Well?" });
  void ctx.step("work", () => new Promise<void>((end) => engine.clock.after(20, end)));
  await engine.clock.settle();
  await start("other");
  await engine.clock.advance(19);
  expect(began).toEqual([]);
  await engine.clock.advance(1);
  expect(began).toEqual(["other"]);
});

test("a task type may have fewer slots than the process", async () => {
  const engine = testEngine();
  const began: string[] = [];
  const params = z.object({ name: z.string() });
  engine.manager.registerTask({ type: "narrow", concurrency: 1, params }, async (ctx, { name }) => {
    began.push(name);
    await ctx.step("work", () => new Promise<void>((end) => engine.clock.after(10, end)));
  });
  const wide = noting(engine);
  for (const name of "abc") await engine.manager.startTask("narrow", { name });
  await wide.start("w");
  await engine.clock.settle();
  expect([...began, ...wide.began]).toEqual(["a", "w"]);
  await engine.clock.advance(10);
  expect(began).toEqual(["a", "b"]);
  await engine.clock.advance(10);
  expect(began).toEqual(["a", "b", "c"]);
});

test("a start does not overtake tasks that wait for a slot of their type", async () => {
  const engine = testEngine();
  const began: string[] = [];
  const params = z.object({ name: z.string() });
  engine.manager.registerTask({ type: "narrow", concurrency: 1, params }, async (ctx, { name }) => {
    began.push(name);
    await ctx.step("work", () => new Promise<void>((end) => engine.clock.after(10, end)));
  });
  const start = (name: string) => engine.manager.startTask("narrow", { name });
  const first = await start("first");
  await start("waiting");
  engine.store.subscribe(({ task }) => {
    if (task.taskId === first && task.status === "completed") void start("new");
  });
  await engine.clock.advance(30);
  expect(began).toEqual(["first", "waiting", "new"]);
});

test("waiting never consumes a task type's timeout, working does", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine, { timeout: 60 });
  const both = watch(
    Promise.all([ctx.askCustomer("a?", { key: "a" }), ctx.askCustomer("b?", { key: "b" })]),
  );
  await engine.clock.advance(100);
  const [first, second] = await engine.store.getOpenQuestions(taskId);
  await engine.manager.respondToQuestion(taskId, first?.questionId ?? "", "yes");
  await engine.clock.advance(100);
  await engine.manager.respondToQuestion(taskId, second?.questionId ?? "", "no");
  await engine.clock.advance(59);
  expect(both.value).toEqual(["yes", "no"]);
  expect(ctx.signal.aborted).toBe(false);
  await engine.clock.advance(1);
  expect(ctx.signal.reason).toMatchObject({ code: "task_timeout" });
});

test("a handler whose time is up and that does not stop fails with TaskTimeout after its grace", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine, { timeout: 10, cancelGrace: 5 });
  await engine.clock.advance(10);
  expect(() => ctx.checkCancelled()).toThrow(/10 s/);
  expect(ctx.isCancelled).toBe(false);
  await engine.clock.advance(5);
  const { task, error } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("failed");
  expect(error).toMatch(/^TaskTimeout: /);
});

test("time worked and time waited are told apart", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  await engine.clock.advance(5);
  void ctx.ask({ prompt: "Well?" });
  await engine.clock.advance(100);
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.respondToQuestion(taskId, questionId, "yes");
  await engine.clock.advance(3);
  const { workedSeconds, waitedSeconds } = await engine.manager.getTask(taskId);
  expect(workedSeconds).toBeCloseTo(8, 3);
  expect(waitedSeconds).toBeCloseTo(100, 3);
});
