import { expect, test } from "vitest";
import { type DurableTaskStore, MemoryStore, type TaskContext } from "../../server/index.ts";
import { type TestClock, testClock } from "../support/test-clock.ts";
import { drive, eventKinds, messagesOf, rejection, testEngine, watch } from "./test-engine.ts";

test("a shutdown cancels the tasks of this process, waits for them and refuses starts", async () => {
  const engine = testEngine();
  const { manager, clock } = engine;
  manager.registerTask("tidy", async (ctx: TaskContext) => {
    try {
      await ctx.sleep(1000);
    } finally {
      await ctx.step("tidy up", () => new Promise<void>((end) => clock.after(3, end)), {
        evenIfCancelled: true,
      });
      ctx.update("tidied");
    }
  });
  manager.registerTask("asks", (ctx: TaskContext) => ctx.askCustomer("Well?"));
  const ids = [await manager.startTask("tidy"), await manager.startTask("asks")];
  await clock.settle();
  const down = watch(manager.shutdown());
  expect((await rejection(manager.startTask("asks"))).code).toBe("shutting_down");
  await clock.advance(2.9);
  expect(down.state).toBe("pending");
  await clock.advance(0.1);
  expect(down.state).toBe("fulfilled");
  for (const taskId of ids) {
    const { task, error } = await manager.getTask(taskId);
    expect(task.status).toBe("cancelled");
    expect(error).toMatch(/shutting down/);
  }
  expect(await messagesOf(engine, ids[0] ?? "")).toEqual(["tidied"]);
});

test("a shutdown ends what does not stop within its timeout", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const down = watch(engine.manager.shutdown(10));
  await engine.clock.advance(9.9);
  expect(down.state).toBe("pending");
  expect(ctx.isCancelled).toBe(true);
  await engine.clock.advance(0.2);
  expect(down.state).toBe("fulfilled");
  finish("late");
  await engine.clock.settle();
  expect(await engine.manager.getTask(taskId)).toMatchObject({
    task: { status: "cancelled" },
    result: null,
  });
});

test("a shutdown with timeout 0 ends them at once", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  await engine.manager.shutdown(0);
  expect((await engine.manager.getTask(taskId)).task.status).toBe("cancelled");
});

test("a task that finishes during the shutdown keeps its result", async () => {
  const engine = testEngine();
  const { taskId, finish } = await drive(engine);
  const down = watch(engine.manager.shutdown());
  await engine.clock.advance(1);
  finish("made it");
  await engine.clock.settle();
  expect(down.state).toBe("fulfilled");
  expect((await engine.manager.getTask(taskId)).result).toBe("made it");
});

test("a shutdown leaves other processes' tasks and those that nobody runs alone", async () => {
  const engine = testEngine({ concurrency: 1 });
  const { store, clock } = engine;
  const running = await drive(engine);
  engine.manager.registerTask("queued", () => "ran");
  const queued = await engine.manager.startTask("queued");
  await store.createTask("task_theirs", "theirs", {});
  await store.commit({
    kind: "claim",
    taskId: "task_theirs",
    at: clock.now(),
    lease: { workerId: "w_other", expiresAt: "2026-11-30T13:00:00.000000Z" },
  });
  await engine.manager.shutdown(0);
  await clock.advance(60);
  const status = async (taskId: string) => (await engine.manager.getTask(taskId)).task.status;
  expect(await status(running.taskId)).toBe("cancelled");
  expect(await status(queued)).toBe("pending");
  expect(await status("task_theirs")).toBe("running");
});

test("a start that was accepted just before the shutdown is cancelled with the others", async () => {
  for (let turns = 0; turns < 12; turns++) {
    const engine = testEngine({ store: new SlowStore() });
    engine.manager.registerTask("t", (ctx: TaskContext) => ctx.sleep(1000));
    const started = watch(engine.manager.startTask("t"));
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    const down = watch(engine.manager.shutdown(5));
    await engine.clock.advance(20);
    expect(down.state).toBe("fulfilled");
    if (started.state === "rejected") {
      expect(started.error).toMatchObject({ code: "shutting_down" });
    } else {
      const { task } = await engine.manager.getTask(started.value ?? "");
      expect(["cancelled", "pending"]).toContain(task.status);
    }
    expect(engine.manager.runningTasks()).toEqual([]);
  }
});

test("after a shutdown nothing goes on: no timers, no claims, no sweeps", async () => {
  const engine = testEngine({ concurrency: 1 });
  const first = await drive(engine);
  engine.manager.registerTask("t", () => "ran");
  const queued = await engine.manager.startTask("t");
  first.finish();
  await engine.manager.shutdown();
  await engine.clock.advance(120);
  expect(engine.clock.pendingTimers).toBe(0);
  const { task } = await engine.manager.getTask(queued);
  expect(["pending", "cancelled", "completed"]).toContain(task.status);
});

test("a shutdown twice, or before anything began, is harmless", async () => {
  const engine = testEngine();
  await engine.manager.shutdown();
  await engine.manager.shutdown();
  await engine.manager.drain();
  expect(engine.clock.pendingTimers).toBe(0);
});

test("a drain gives tasks back without cancelling them", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Well?" });
  await engine.clock.settle();
  await engine.manager.drain();
  const { task } = await engine.manager.getTask(taskId);
  expect(task).toMatchObject({
    status: "waiting_for_input",
    activity: "parked",
    workerId: null,
    interrupts: 0,
    cancelRequestedAt: null,
    openQuestions: 1,
  });
  expect(ctx.signal.aborted).toBe(true);
  expect((await rejection(ctx.update("late"))).code).toBe("lease_lost");
  expect((await rejection(engine.manager.startTask("t"))).code).toBe("shutting_down");
});

test("a drain with grace lets tasks finish", async () => {
  const engine = testEngine();
  const quick = await drive(engine);
  const slow = await drive(engine);
  const drained = watch(engine.manager.drain(10));
  await engine.clock.advance(5);
  quick.finish("done");
  await engine.clock.advance(4.9);
  expect(drained.state).toBe("pending");
  await engine.clock.advance(0.1);
  expect(drained.state).toBe("fulfilled");
  expect((await engine.manager.getTask(quick.taskId)).task.status).toBe("completed");
  expect((await eventKinds(engine, slow.taskId)).at(-1)).toBe("attempt_released");
});

test("a drained task goes on in the next process, with its latest progress", async () => {
  const first = testEngine();
  const handler = async (ctx: TaskContext) => {
    const value = await ctx.step("once", () => ctx.attempt);
    for (let i = 1; i <= 5; i++) await ctx.progress(i + 10 * ctx.attempt);
    await ctx.sleep(1000);
    return { value, attempt: ctx.attempt };
  };
  first.manager.registerTask("t", handler);
  const taskId = await first.manager.startTask("t");
  await first.clock.settle();
  await first.manager.drain();
  expect((await first.store.getTask(taskId))?.progress?.done).toBe(15);
  const second = testEngine({ store: first.store, clock: first.clock });
  second.manager.registerTask("t", handler);
  await second.manager.ready();
  await second.clock.advance(999);
  expect((await second.manager.getTask(taskId)).task.status).toBe("running");
  await second.clock.advance(1);
  expect((await second.manager.getTask(taskId)).result).toEqual({ value: 1, attempt: 2 });
});

/** A store whose commits take a few turns of the event loop, like one on a disk. */
class SlowStore extends MemoryStore {
  constructor(clock: TestClock = testClock()) {
    super(clock);
  }

  override async commit<K extends Parameters<DurableTaskStore["commit"]>[0]["kind"]>(
    command: Parameters<DurableTaskStore["commit"]>[0] & { kind: K },
  ) {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    return super.commit<K>(command as never);
  }
}
