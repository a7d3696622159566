import { expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { testEngine } from "./test-engine.ts";

type Engine = ReturnType<typeof testEngine>;

const statusOf = async ({ manager }: Engine, taskId: string) =>
  (await manager.getTask(taskId)).task.status;

const answerFirst = async ({ manager, clock }: Engine, taskId: string) => {
  const [question] = (await manager.listQuestions({ state: "open", taskId, limit: 1 })).items;
  await manager.respondToQuestion(taskId, question?.questionId ?? "", "yes");
  await clock.settle();
};

test("a handler that works for too long fails with TaskTimeout", async () => {
  const engine = testEngine();
  engine.manager.registerTask({ type: "slow", timeout: 10, cancelGrace: 5 }, async (ctx) => {
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    ctx.checkCancelled();
  });
  const taskId = await engine.manager.startTask("slow");
  await engine.clock.advance(9.9);
  expect(await statusOf(engine, taskId)).toBe("running");
  await engine.clock.advance(0.2);
  const { task, error } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("failed");
  expect(error).toMatch(/^TaskTimeout: .*10 s/);
});

test("a handler that ignores its timeout is ended without it, after the grace", async () => {
  const engine = testEngine();
  let late: Promise<unknown> | undefined;
  engine.manager.registerTask({ type: "deaf", timeout: 10, cancelGrace: 5 }, async (ctx) => {
    await new Promise((resolve) => engine.clock.after(60, () => resolve(undefined)));
    late = ctx.update("still here");
    return "done all the same";
  });
  const taskId = await engine.manager.startTask("deaf");
  await engine.clock.advance(15.1);
  expect((await engine.manager.getTask(taskId)).error).toMatch(/^TaskTimeout: /);
  await engine.clock.advance(60);
  await expect(late).rejects.toMatchObject({ code: "lease_lost" });
  expect(await statusOf(engine, taskId)).toBe("failed");
});

test("waiting for a human, or asleep, uses none of the timeout", async () => {
  const engine = testEngine();
  engine.manager.registerTask({ type: "patient", timeout: 10 }, async (ctx) => {
    await ctx.sleep(100);
    await ctx.askCustomer("Well?", { timeout: 1000 });
    await new Promise((resolve) => engine.clock.after(9, () => resolve(undefined)));
    return "in time";
  });
  const taskId = await engine.manager.startTask("patient");
  await engine.clock.advance(600);
  await answerFirst(engine, taskId);
  await engine.clock.advance(9);
  expect(await engine.manager.getTask(taskId)).toMatchObject({ result: "in time" });
});

test("the two clocks are kept apart, and a step beside an open question is work", async () => {
  const engine = testEngine();
  const pause = (seconds: number) =>
    new Promise<void>((resolve) => engine.clock.after(seconds, resolve));
  engine.manager.registerTask("both", async (ctx) => {
    await pause(5);
    const answer = ctx.askCustomer("Well?", { timeout: 1000 });
    await pause(20);
    await ctx.step("work", () => pause(7));
    await answer;
    await pause(3);
  });
  const taskId = await engine.manager.startTask("both");
  await engine.clock.advance(5 + 20 + 7);
  await engine.clock.advance(50);
  await answerFirst(engine, taskId);
  await engine.clock.advance(3);
  const { task, workedSeconds, waitedSeconds } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("completed");
  expect(workedSeconds).toBeCloseTo(5 + 7 + 3, 3);
  expect(waitedSeconds).toBeCloseTo(20 + 50, 3);
});

test("a task type runs no more handlers than it allows, and waiting ones do not count", async () => {
  const engine = testEngine();
  const ended: string[] = [];
  engine.manager.registerTask({ type: "one", concurrency: 1 }, async (ctx, { name }) => {
    await ctx.askCustomer("Well?", { timeout: 10_000 });
    await ctx.step("work", () => new Promise<void>((r) => engine.clock.after(10, r)));
    ended.push(name);
  });
  const first = await engine.manager.startTask("one", { name: "first" });
  const second = await engine.manager.startTask("one", { name: "second" });
  await engine.clock.settle();
  // The first gave its slot back with its question, so the second could ask too.
  expect(await statusOf(engine, first)).toBe("waiting_for_input");
  expect(await statusOf(engine, second)).toBe("waiting_for_input");
  await answerFirst(engine, first);
  await answerFirst(engine, second);
  await engine.clock.advance(10);
  expect(ended).toEqual(["first"]);
  await engine.clock.advance(10);
  expect(ended).toEqual(["first", "second"]);
});

test("a task back from a wait comes before one that has not begun", async () => {
  const engine = testEngine({ concurrency: 1 });
  const order: string[] = [];
  const work = (ctx: TaskContext, name: string) =>
    ctx.step("work", async () => {
      order.push(name);
      await new Promise<void>((resolve) => engine.clock.after(10, resolve));
    });
  engine.manager.registerTask("waits", async (ctx) => {
    await ctx.askCustomer("Well?", { timeout: 10_000 });
    await work(ctx, "returned");
  });
  engine.manager.registerTask("works", (ctx, { name }) => work(ctx, name));
  const waiting = await engine.manager.startTask("waits");
  await engine.clock.settle();
  await engine.manager.startTask("works", { name: "running" });
  await engine.manager.startTask("works", { name: "new" });
  await engine.clock.settle();
  await answerFirst(engine, waiting);
  await engine.clock.advance(40);
  expect(order).toEqual(["running", "returned", "new"]);
});

test("only so many tasks run under one key, and they hold it while they wait", async () => {
  const engine = testEngine();
  engine.manager.registerTask({ type: "deploy", concurrency: { key: ({ env }) => env } }, (ctx) =>
    ctx.askCustomer("Well?", { timeout: 10_000 }),
  );
  const [a1, a2, b1] = await Promise.all(
    ["a", "a", "b"].map((env) => engine.manager.startTask("deploy", { env })),
  );
  await engine.clock.settle();
  expect(await statusOf(engine, a1 as string)).toBe("waiting_for_input");
  expect(await statusOf(engine, a2 as string)).toBe("pending");
  expect(await statusOf(engine, b1 as string)).toBe("waiting_for_input");
  await answerFirst(engine, a1 as string);
  expect(await statusOf(engine, a1 as string)).toBe("completed");
  expect(await statusOf(engine, a2 as string)).toBe("waiting_for_input");
});

test("a cancelled task frees its key", async () => {
  const engine = testEngine();
  engine.manager.registerTask({ type: "deploy", concurrency: { key: () => "all" } }, (ctx) =>
    ctx.askCustomer("Well?", { timeout: 10_000 }),
  );
  const first = await engine.manager.startTask("deploy");
  const second = await engine.manager.startTask("deploy");
  await engine.clock.settle();
  expect(await statusOf(engine, second)).toBe("pending");
  await engine.manager.cancelTask(first, { force: true });
  await engine.clock.settle();
  expect(await statusOf(engine, second)).toBe("waiting_for_input");
});

test("with releaseWhileWaiting the key goes to others for the time of a wait", async () => {
  const engine = testEngine();
  let running = 0;
  let most = 0;
  engine.manager.registerTask(
    { type: "deploy", concurrency: { key: () => "all", releaseWhileWaiting: true } },
    async (ctx) => {
      await ctx.askCustomer("Well?", { timeout: 10_000 });
      running += 1;
      most = Math.max(most, running);
      await ctx.step("work", () => new Promise<void>((r) => engine.clock.after(10, r)));
      running -= 1;
    },
  );
  const first = await engine.manager.startTask("deploy");
  const second = await engine.manager.startTask("deploy");
  await engine.clock.settle();
  expect(await statusOf(engine, first)).toBe("waiting_for_input");
  expect(await statusOf(engine, second)).toBe("waiting_for_input");
  await answerFirst(engine, first);
  await answerFirst(engine, second);
  await engine.clock.advance(30);
  expect(await statusOf(engine, first)).toBe("completed");
  expect(await statusOf(engine, second)).toBe("completed");
  expect(most).toBe(1);
});

test("a failed task is retried after its delay, shown as pending with its next time", async () => {
  const engine = testEngine();
  const attempts: number[] = [];
  engine.manager.registerTask(
    { type: "flaky", retries: { limit: 2, minDelay: 10, factor: 3, jitter: 0 } },
    (ctx) => {
      attempts.push(ctx.attempt);
      if (ctx.attempt < 3) throw new Error(`attempt ${ctx.attempt} broke`);
      return "at last";
    },
  );
  const taskId = await engine.manager.startTask("flaky");
  await engine.clock.settle();
  const { task } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("pending");
  expect(task.wakeAt).not.toBeNull();
  await engine.clock.advance(10);
  expect(attempts).toEqual([1, 2]);
  await engine.clock.advance(30);
  expect(attempts).toEqual([1, 2, 3]);
  expect((await engine.manager.getTask(taskId)).result).toBe("at last");
  const failures = (await engine.manager.readEvents(taskId)).filter(
    (event) => event.kind === "attempt_failed",
  );
  expect(failures.map((event) => event.error)).toEqual([
    "Error: attempt 1 broke",
    "Error: attempt 2 broke",
  ]);
});

test("a retry keeps steps that succeeded and answers, and asks again what timed out", async () => {
  const engine = testEngine();
  let charged = 0;
  const asked: string[] = [];
  engine.manager.registerTask(
    { type: "order", retries: { limit: 1, minDelay: 1, jitter: 0 } },
    async (ctx) => {
      await ctx.step("charge", () => {
        charged += 1;
      });
      asked.push(await ctx.askCustomer("Which?", { key: "which", timeout: 100 }));
      return ctx.askCustomer("Sure?", { key: "sure", timeout: 100 });
    },
  );
  const taskId = await engine.manager.startTask("order");
  await engine.clock.settle();
  await answerFirst(engine, taskId);
  const [first] = (await engine.manager.listQuestions({ state: "open", taskId, limit: 5 })).items;
  await engine.clock.advance(101);
  const [second] = (await engine.manager.listQuestions({ state: "open", taskId, limit: 5 })).items;
  expect(second?.prompt).toBe("Sure?");
  expect(second?.questionId).not.toBe(first?.questionId);
  await answerFirst(engine, taskId);
  expect((await engine.manager.getTask(taskId)).result).toBe("yes");
  expect(charged).toBe(1);
  expect(asked).toEqual(["yes", "yes"]);
});

test("a step is tried again as often as it says, and records only its last failure", async () => {
  const engine = testEngine();
  let tries = 0;
  engine.manager.registerTask("steps", (ctx) =>
    ctx.step(
      "upload",
      () => {
        tries += 1;
        if (tries < 3) throw new Error(`try ${tries} broke`);
        return "uploaded";
      },
      { retries: { limit: 5, minDelay: 2, factor: 1, jitter: 0 } },
    ),
  );
  const taskId = await engine.manager.startTask("steps");
  await engine.clock.advance(2);
  expect(tries).toBe(2);
  await engine.clock.advance(2);
  expect((await engine.manager.getTask(taskId)).result).toBe("uploaded");
  const kinds = (await engine.manager.readEvents(taskId)).map((event) => event.kind);
  expect(kinds).not.toContain("step_failed");
  expect(kinds.filter((kind) => kind === "step_completed")).toHaveLength(1);
});

test("a delayed task starts at its time", async () => {
  const engine = testEngine();
  engine.manager.registerTask("later", () => "ran");
  const taskId = await engine.manager.startTask(
    "later",
    {},
    { startAfter: "2026-11-30T13:00:00Z" },
  );
  await engine.clock.advance(3599);
  expect(await statusOf(engine, taskId)).toBe("pending");
  await engine.clock.advance(2);
  expect(await statusOf(engine, taskId)).toBe("completed");
});
