import { afterEach, beforeEach, expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { UpdateLevel } from "../../server/index.ts";
import {
  drive,
  eventKinds,
  messagesOf,
  rejection,
  type TestEngine,
  testEngine,
  watch,
} from "./test-engine.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

async function run(handler: (ctx: TaskContext) => unknown, engine: TestEngine = testEngine()) {
  const type = `t${Math.floor(engine.clock.now())}`;
  engine.manager.registerTask(type, handler);
  const taskId = await engine.manager.startTask(type);
  await engine.clock.advance(1);
  return { engine, taskId, ...(await engine.manager.getTask(taskId)) };
}

test("updates that nobody awaits are committed in the order of the calls, before the result", async () => {
  const { engine, taskId } = await run((ctx) => {
    for (let i = 0; i < 50; i++) ctx.update(`u${i}`);
    return "done";
  });
  expect(await messagesOf(engine, taskId)).toEqual(Array.from({ length: 50 }, (_, i) => `u${i}`));
  expect((await eventKinds(engine, taskId)).at(-1)).toBe("task_finished");
});

test("updates of a handler that throws are kept too", async () => {
  const { engine, taskId, task } = await run((ctx) => {
    ctx.update("one");
    ctx.progress(3, 4, "three");
    throw new Error("no");
  });
  expect(await messagesOf(engine, taskId)).toEqual(["one", "three"]);
  expect(task).toMatchObject({ status: "failed", progress: { done: 3, total: 4 } });
});

test("updates keep their order among progress messages, steps and questions", async () => {
  const { engine, taskId } = await run(async (ctx) => {
    ctx.update("a");
    ctx.progress(1, 2, "b");
    const step = ctx.step("s", () => ctx.update("c"));
    ctx.update("d");
    await step;
    ctx.update("e");
    const asked = ctx.ask({ prompt: "q?", timeout: 0.5 });
    ctx.update("f");
    await asked;
  });
  const messages = await messagesOf(engine, taskId);
  expect(messages.filter((message) => message !== "c")).toEqual(["a", "b", "d", "e", "f"]);
  const kinds = await eventKinds(engine, taskId);
  expect(kinds.indexOf("question_opened")).toBeLessThan(kinds.lastIndexOf("update"));
});

test.each(Object.values(UpdateLevel))("an update may have the level %s", async (level) => {
  const { engine, taskId } = await run((ctx) => ctx.update("one", level));
  const [update] = (await engine.manager.pollTask(taskId)).updates;
  expect(update).toMatchObject({ taskId, message: "one", level });
});

test("an unknown level is refused and fails the attempt, awaited or not", async () => {
  const { error } = await run((ctx) => {
    ctx.update("one", "fatal" as "error");
  });
  expect(error).toMatch(/^InvalidInput: .*fatal/);
});

test("a step that fails and that nobody awaits fails the attempt", async () => {
  const { task, error } = await run((ctx) => {
    void ctx.step("work", () => {
      throw new RangeError("something went wrong");
    });
    return "looks fine";
  });
  expect(task.status).toBe("failed");
  expect(error).toBe("RangeError: something went wrong");
});

test("a step that goes on after the handler has returned is waited for", async () => {
  const engine = testEngine();
  const { taskId, task } = await run((ctx) => {
    void ctx.step("slow", () => new Promise((end) => engine.clock.after(20, () => end(1))));
    return "done";
  }, engine);
  expect(task.status).toBe("running");
  await engine.clock.advance(20);
  expect((await engine.manager.getTask(taskId)).result).toBe("done");
  expect((await eventKinds(engine, taskId)).slice(-2)).toEqual(["step_completed", "task_finished"]);
});

test.each<[string, (call: Promise<unknown>) => unknown]>([
  ["caught with await", (call) => (async () => await call)().catch(() => {})],
  ["caught with catch", (call) => call.catch(() => {})],
  ["caught with then", (call) => call.then(undefined, () => {})],
  ["in Promise.allSettled", (call) => Promise.allSettled([call])],
  ["in Promise.race", (call) => Promise.race([call, Promise.resolve()])],
  ["in Promise.any", (call) => Promise.any([call, Promise.resolve()])],
])("a failed step that is %s does not fail the attempt", async (_, handle) => {
  const { task } = await run(async (ctx) => {
    await handle(
      ctx.step("work", () => {
        throw new Error("no");
      }),
    );
    return "recovered";
  });
  expect(task.status).toBe("completed");
});

test("a step awaited only after it has failed was looked at in time", async () => {
  const { task, result } = await run(async (ctx) => {
    const step = ctx.step("work", () => Promise.reject(new Error("no")));
    await ctx.sleep(0.1);
    return step.catch((error: Error) => error.message);
  });
  expect(task.status).toBe("completed");
  expect(result).toBe("no");
});

test("a question that nobody awaits and nobody answers fails the attempt if it runs that long", async () => {
  const { error } = await run(async (ctx) => {
    void ctx.askCustomer("Well?", { timeout: 0.1 });
    await ctx.sleep(0.5);
  });
  expect(error).toMatch(/^TaskTimeout: /);
});

test("a question left open when the handler returns is closed as cancelled", async () => {
  const { task, questions, engine } = await run((ctx) => {
    void ctx.askCustomer("Well?");
    return "done";
  });
  expect(task).toMatchObject({ status: "completed", openQuestions: 0 });
  expect(questions[0]?.outcome).toBe("cancelled");
  await engine.clock.advance(400);
});

test("the handler's own error stands before one of a call it ignored", async () => {
  const { error } = await run((ctx) => {
    void ctx.step("work", () => Promise.reject(new Error("ignored")));
    throw new TypeError("its own");
  });
  expect(error).toBe("TypeError: its own");
});

test("after the handler has settled, ctx is refused, crashes nothing and changes nothing", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  finish("done");
  await engine.clock.settle();
  const before = await eventKinds(engine, taskId);
  void ctx.update("late");
  void ctx.progress(1);
  void ctx.step("late", () => 1);
  const calls = [
    ctx.update("late"),
    ctx.progress(2, 3, "late"),
    ctx.step("late", () => 1, { key: "2" }),
    ctx.ask({ prompt: "late?" }),
    ctx.askCustomer("late?", { key: "2" }),
    ctx.sleep(1),
  ];
  for (const call of calls) expect((await rejection(call)).message).toMatch(/settled/);
  expect(() => ctx.checkCancelled()).toThrow(/settled/);
  await engine.clock.advance(10);
  expect(await eventKinds(engine, taskId)).toEqual(before);
  expect((await engine.manager.getTask(taskId)).task.progress).toBeNull();
});

test("a sleep that lost a race leaves no timer behind when the handler ends", async () => {
  const engine = testEngine();
  const { taskId } = await run(async (ctx) => {
    await Promise.race([ctx.step("quick", () => 1), ctx.sleep(86_400)]);
    return "done";
  }, engine);
  expect((await engine.manager.getTask(taskId)).result).toBe("done");
  // What is left are the engine's own: the next renewal and the next look for due work.
  await engine.clock.advance(60);
  expect(engine.clock.pendingTimers).toBe(0);
});

test("progress is in every poll at once, and stored at most once a second", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const stored: (number | undefined)[] = [];
  engine.store.subscribe(({ task }) => {
    if (task.progress) stored.push(task.progress.done);
  });
  for (let i = 1; i <= 100; i++) {
    await ctx.progress(i, 100);
    const { progress } = await engine.manager.pollTask(taskId, { timeout: 0 });
    expect(progress).toMatchObject({ done: i, total: 100 });
    expect((await engine.manager.getTask(taskId)).task.progress?.done).toBe(i);
    await engine.clock.advance(0.031);
  }
  expect(stored).toEqual([1, 33, 65, 97]);
  finish();
  await engine.clock.settle();
  expect((await engine.store.getTask(taskId))?.progress?.done).toBe(100);
});

test("a progress message is posted as an update when it changes", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const { cursor } = await engine.manager.pollTask(taskId, { timeout: 0 });
  const poll = watch(engine.manager.pollTask(taskId, { since: cursor, timeout: 100 }));
  await ctx.progress(1, 9);
  await ctx.progress(2, 9);
  await engine.clock.advance(5);
  expect(poll.state).toBe("pending");
  await ctx.progress(3, 9, "reading");
  await engine.clock.advance(1);
  expect(poll.value?.updates.map((update) => update.message)).toEqual(["reading"]);
  await ctx.progress(4, 9, "reading");
  await ctx.progress(5, 9);
  await ctx.progress(6, 9, "reading");
  await ctx.progress(7, 9, "writing");
  expect(await messagesOf(engine, taskId)).toEqual(["reading", "writing"]);
  expect((await engine.manager.getTask(taskId)).task.progress).toMatchObject({
    done: 7,
    total: 9,
    message: "writing",
  });
});

test.each([
  [-1, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [1, -1],
  [1, Number.NaN],
])("progress(%d, %d) is refused", async (done, total) => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  expect((await rejection(ctx.progress(done, total))).code).toBe("invalid_input");
});

test.each<[string, unknown, unknown]>([
  ["undefined", undefined, null],
  ["null", null, null],
  ["text", "done", "done"],
  ["zero", 0, 0],
  ["false", false, false],
  ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["an object with an undefined member", { a: 1, b: undefined }, { a: 1 }],
])("a handler may return %s", async (_, value, result) => {
  const ended = await run(() => value);
  expect(ended.task.status).toBe("completed");
  expect(ended.result).toEqual(result);
});

const cycle: { self?: unknown } = {};
cycle.self = cycle;

test.each<[string, unknown, RegExp]>([
  ["a function", () => 1, /function/],
  ["a function inside", { a: [() => 1] }, /result\.a\[0\].*function/],
  ["a cycle", cycle, /cycle/],
  ["a BigInt", { n: 1n }, /result\.n.*BigInt/],
  ["a symbol", Symbol("s"), /symbol/],
  ["NaN", { n: Number.NaN }, /NaN/],
  ["a Map", new Map(), /Map/],
  ["a promise inside", { later: Promise.resolve(1) }, /await/],
])("a handler that returns %s has failed, in clear words", async (_, value, words) => {
  const { task, error, result } = await run(() => value);
  expect(task.status).toBe("failed");
  expect(error).toMatch(/^InvalidInput: the result/);
  expect(error).toMatch(words);
  expect(result).toBeNull();
});

class TooBusy extends Error {
  override name = "TooBusy";
}

test.each<[unknown, string]>([
  [new RangeError("something went wrong"), "RangeError: something went wrong"],
  [new TooBusy("later"), "TooBusy: later"],
  ["just text", "Error: just text"],
  [undefined, "Error: undefined"],
  [null, "Error: null"],
  [404, "Error: 404"],
  [{ code: 1 }, 'Error: {"code":1}'],
  [cycle, "Error: [object Object]"],
])("a handler that throws %o fails with readable words", async (thrown, words) => {
  const { task, error } = await run(() => {
    throw thrown;
  });
  expect(task.status).toBe("failed");
  expect(error).toBe(words);
});

test("a handler that is not async and one that returns a ctx promise work alike", async () => {
  expect((await run(() => 1)).result).toBe(1);
  expect((await run((ctx) => ctx.step("s", () => 2))).result).toBe(2);
  expect((await run((ctx) => ctx.update("u"))).result).toBeNull();
});
