import { expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { drive, eventKinds, rejection, testEngine, watch } from "./test-engine.ts";

test("a step runs at once, once, and gives its value as JSON", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  let runs = 0;
  const value = await ctx.step("count", async () => {
    runs += 1;
    return { runs, at: new Date(0), left: undefined };
  });
  expect(value).toEqual({ runs: 1, at: "1970-01-01T00:00:00.000Z" });
  expect(await ctx.step("nothing", () => undefined)).toBeNull();
  expect(await eventKinds(engine, taskId)).toEqual([
    "task_created",
    "attempt_started",
    "step_completed",
    "step_completed",
  ]);
});

test("the same name one call after the other is a new step each time", async () => {
  const { ctx } = await drive(testEngine());
  const values: number[] = [];
  for (let i = 0; i < 3; i++) values.push(await ctx.step("page", () => i));
  expect(values).toEqual([0, 1, 2]);
});

test("a key is used once: a second call of it would be recorded over the first", async () => {
  const { ctx } = await drive(testEngine());
  let runs = 0;
  const run = () => ctx.step("page", () => ++runs, { key: "7" });
  expect(await run()).toBe(1);
  const error = await rejection(run());
  expect(error.code).toBe("ambiguous_step");
  expect(error.message).toContain('"7"');
  expect(runs).toBe(1);
  void ctx.ask({ prompt: "a?", key: "7" });
  expect((await rejection(ctx.ask({ prompt: "b?", key: "7" }))).code).toBe("ambiguous_step");
  expect(await ctx.step("other", () => "other", { key: "7" })).toBe("other");
});

test("a step that fails throws what it threw, and the timeline says so", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const thrown = new RangeError("too far");
  const step = ctx.step("go", () => {
    throw thrown;
  });
  expect(await rejection(step)).toBe(thrown);
  const failed = (await engine.manager.readEvents(taskId)).find(
    (event) => event.kind === "step_failed",
  );
  expect(failed).toMatchObject({ name: "go", error: "RangeError: too far" });
});

test.each([() => 1, 1n, Symbol("s"), Number.NaN, new Map()])(
  "a step's value that JSON cannot hold is refused",
  async (value) => {
    const { ctx } = await drive(testEngine());
    const error = await rejection(ctx.step("work", () => value));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain('step "work"');
  },
);

test.each(["", "ask", "sleep", 7 as unknown as string])(
  "a step cannot be named %o",
  async (name) => {
    const { ctx } = await drive(testEngine());
    expect((await rejection(ctx.step(name, () => 1))).code).toBe("invalid_input");
  },
);

test("a step inside a step is refused, and so is a wait", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  const inner = [
    () => ctx.step("inner", () => 1),
    () => ctx.ask({ prompt: "Well?" }),
    () => ctx.sleep(1),
  ];
  for (const [i, call] of inner.entries()) {
    const error = await rejection(ctx.step<unknown>(`outer${i}`, call));
    expect(error.code).toBe("conflict");
    expect(error.message).toContain(`step "outer${i}"`);
  }
});

test("updates, progress and checks may be used inside a step", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  await ctx.step("outer", async () => {
    ctx.checkCancelled();
    await ctx.update("inside");
    await ctx.progress(1);
  });
  expect(await eventKinds(engine, taskId)).toContain("update");
});

test("a task that a step starts in the same process has its own steps", async () => {
  const engine = testEngine();
  const { manager, clock } = engine;
  manager.registerTask("child", async (ctx: TaskContext) => {
    await ctx.sleep(1);
    return ctx.step("work", () => "done");
  });
  manager.registerTask("parent", (ctx: TaskContext) =>
    ctx.step("start the child", () => manager.startTask("child")),
  );
  const parent = await manager.startTask("parent");
  await clock.advance(2);
  const childId = String((await manager.getTask(parent)).result);
  expect(await manager.getTask(childId)).toMatchObject({ result: "done", error: null });
});

test("a task that begins when a step's slot is given back is not inside that step", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { manager, clock } = engine;
  const type = (name: string) =>
    manager.registerTask(name, async (ctx: TaskContext) => {
      void ctx.sleep(5);
      await ctx.step("first", () => 1);
      return ctx.step("second", () => 2);
    });
  type("a");
  type("b");
  const ids = [await manager.startTask("a"), await manager.startTask("b")];
  await clock.advance(10);
  for (const taskId of ids) expect((await manager.getTask(taskId)).result).toBe(2);
});

test("two calls of one name without keys at the same time are ambiguous", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  const first = watch(
    ctx.step("work", () => new Promise((end) => engine.clock.after(5, () => end(1)))),
  );
  const error = await rejection(ctx.step("work", () => 2));
  expect(error).toMatchObject({ name: "AmbiguousStep", code: "ambiguous_step" });
  expect(error.message).toContain("key");
  await engine.clock.advance(5);
  expect(first.value).toBe(1);
});

test.each<[string, (ctx: TaskContext) => Promise<unknown>]>([
  ["a question", (ctx) => ctx.ask({ prompt: "Well?" })],
  ["a sleep", (ctx) => ctx.sleep(100)],
  ["another step", (ctx) => ctx.step("other", () => new Promise(() => {}))],
])("a second call of a name is ambiguous while %s is under way", async (_, under) => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  await ctx.step("work", () => 1);
  void under(ctx);
  await engine.clock.settle();
  expect((await rejection(ctx.step("work", () => 2))).code).toBe("ambiguous_step");
  expect(await ctx.step("new", () => 3)).toBe(3);
  expect(await ctx.step("work", () => 4, { key: "b" })).toBe(4);
});

test("two questions and two sleeps at once need keys as well", async () => {
  const { ctx } = await drive(testEngine());
  void ctx.ask({ prompt: "a?" });
  expect((await rejection(ctx.ask({ prompt: "b?" }))).code).toBe("ambiguous_step");
  void ctx.sleep(5);
  expect((await rejection(ctx.sleep(6))).code).toBe("ambiguous_step");
  void ctx.ask({ prompt: "c?", key: "c" });
  void ctx.sleep(7, { key: "c" });
});

test("updates under way make nothing ambiguous", async () => {
  const { ctx } = await drive(testEngine());
  for (let i = 0; i < 3; i++) {
    void ctx.update("u");
    void ctx.progress(i, 3, `p${i}`);
    await ctx.step("work", () => i);
  }
});

test("sleep waits for its time and no longer", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  const sleep = watch(ctx.sleep(100));
  await engine.clock.advance(99.999);
  expect(sleep.state).toBe("pending");
  await engine.clock.advance(0.001);
  expect(sleep.state).toBe("fulfilled");
  await ctx.sleep(0);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "5" as unknown as number])(
  "sleep(%o) is refused",
  async (seconds) => {
    const { ctx } = await drive(testEngine());
    expect((await rejection(ctx.sleep(seconds))).code).toBe("invalid_input");
  },
);

test("a step with retries runs again until it succeeds; the timeline shows one step", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  let runs = 0;
  const retries = { limit: 3, minDelay: 1, jitter: 0 };
  const flaky = () => {
    runs += 1;
    if (runs < 3) throw new Error(`no ${runs}`);
    return runs;
  };
  const step = watch(ctx.step("flaky", flaky, { retries }));
  await engine.clock.advance(0.9);
  expect(runs).toBe(1);
  await engine.clock.advance(0.1);
  expect(runs).toBe(2);
  await engine.clock.advance(2);
  expect(step.value).toBe(3);
  const kinds = await eventKinds(engine, taskId);
  expect(kinds.filter((kind) => kind.startsWith("step_"))).toEqual(["step_completed"]);
});

test("a step whose retries are used up throws its last error", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  let runs = 0;
  const step = watch(
    ctx.step(
      "flaky",
      () => {
        runs += 1;
        throw new Error(`no ${runs}`);
      },
      { retries: { limit: 2, minDelay: 1, jitter: 0 } },
    ),
  );
  await engine.clock.advance(10);
  expect((step.error as Error).message).toBe("no 3");
});

test("a cancel ends a step's retries", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  let runs = 0;
  const step = watch(
    ctx.step(
      "flaky",
      () => {
        runs += 1;
        throw new Error("no");
      },
      { retries: { limit: 9, minDelay: 10, jitter: 0 } },
    ),
  );
  await engine.clock.advance(1);
  await engine.manager.cancelTask(taskId);
  await engine.clock.advance(20);
  expect(runs).toBe(1);
  expect(step.error).toMatchObject({ code: "task_cancelled" });
});
