import { expect, test } from "vitest";
import { ann, drive, eventKinds, messagesOf, rejection, testEngine, watch } from "./test-engine.ts";

test("a handler that does not stop is ended after the grace of 30 s", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  await engine.manager.cancelTask(taskId, { reason: "enough", actor: ann });
  await engine.clock.advance(29.9);
  await ctx.update("still here");
  expect((await engine.manager.getTask(taskId)).task.status).toBe("running");
  await engine.clock.advance(0.1);
  const { task, error } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("cancelled");
  expect(error).toBe("TaskCancelled: enough");
  finish("too late");
  await engine.clock.settle();
  expect((await engine.manager.getTask(taskId)).result).toBeNull();
  const last = (await engine.manager.readEvents(taskId)).at(-1);
  expect(last).toMatchObject({ kind: "task_finished", status: "cancelled", forced: true });
  expect(engine.logged.join()).toContain("did not stop in time");
});

test("a task type may set its own grace", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine, { cancelGrace: 2 });
  await engine.manager.cancelTask(taskId);
  await engine.clock.advance(2);
  expect((await engine.manager.getTask(taskId)).task.status).toBe("cancelled");
});

test("a handler that stops in time leaves no timer of its grace behind", async () => {
  const engine = testEngine();
  const { taskId, ctx, fail } = await drive(engine);
  await engine.manager.cancelTask(taskId);
  fail(await rejection(ctx.sleep(1)));
  await engine.clock.advance(16);
  const timers = engine.clock.pendingTimers;
  await engine.clock.advance(60);
  expect(engine.clock.pendingTimers).toBeLessThanOrEqual(timers);
  const kinds = await eventKinds(engine, taskId);
  expect(kinds.filter((kind) => kind === "task_finished")).toHaveLength(1);
});

test("force ends the task at once, and what the handler still says is fenced off", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const waiting = [watch(ctx.askCustomer("Well?")), watch(ctx.sleep(100))];
  await ctx.update("before");
  expect(await engine.manager.cancelTask(taskId, { force: true, reason: "now" })).toBe(true);
  const { task } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("cancelled");
  await engine.clock.settle();
  expect(waiting.map((call) => call.state)).toEqual(["rejected", "rejected"]);
  let ran = false;
  const calls = [
    () => ctx.update("after"),
    () => ctx.progress(1),
    () => ctx.ask({ prompt: "And?", key: "2" }),
    () => ctx.sleep(1, { key: "2" }),
    () => ctx.step("after", () => (ran = true), { evenIfCancelled: true }),
  ];
  for (const call of calls) {
    expect((await rejection(call())).code).toMatch(/lease_lost|task_cancelled/);
  }
  finish("after");
  await engine.clock.advance(60);
  expect(ran).toBe(false);
  expect(await messagesOf(engine, taskId)).toEqual(["before"]);
  expect((await engine.manager.getTask(taskId)).result).toBeNull();
  expect((await eventKinds(engine, taskId)).at(-1)).toBe("task_finished");
});

test("a handler that is force-cancelled is told that it was cancelled", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const waiting = watch(ctx.sleep(100));
  await engine.manager.cancelTask(taskId, { force: true, reason: "now" });
  await engine.clock.settle();
  expect(ctx.isCancelled).toBe(true);
  expect(ctx.signal.reason).toMatchObject({ code: "task_cancelled", details: { reason: "now" } });
  expect(() => ctx.checkCancelled()).toThrow(/was cancelled: now/);
  expect(waiting.error).toMatchObject({ code: "task_cancelled" });
});

test("a task that was cancelled before can be forced while its handler cleans up", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  await engine.manager.cancelTask(taskId, { reason: "first" });
  expect(await engine.manager.cancelTask(taskId, { force: true, reason: "second" })).toBe(true);
  const { error } = await engine.manager.getTask(taskId);
  expect(error).toBe("TaskCancelled: first");
  const kinds = await eventKinds(engine, taskId);
  expect(kinds.filter((kind) => kind === "cancel_requested")).toHaveLength(1);
});

test("a handler that never settles gives its slot back when its task is ended", async () => {
  const engine = testEngine({ concurrency: 1 });
  const stuck = await drive(engine);
  engine.manager.registerTask("next", () => "ran");
  const next = await engine.manager.startTask("next");
  await engine.clock.settle();
  expect((await engine.manager.getTask(next)).task.status).toBe("pending");
  await engine.manager.cancelTask(stuck.taskId, { force: true });
  await engine.clock.settle();
  expect((await engine.manager.getTask(next)).result).toBe("ran");
  // And only once, should it settle in the end.
  stuck.finish();
  await engine.clock.settle();
  const busy = await drive(engine);
  const queued = await engine.manager.startTask("next");
  await engine.clock.settle();
  expect((await engine.manager.getTask(queued)).task.status).toBe("pending");
  busy.finish();
  await engine.clock.settle();
  expect((await engine.manager.getTask(queued)).task.status).toBe("completed");
});

test("polls learn of a forced end", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId));
  await engine.clock.settle();
  await engine.manager.cancelTask(taskId, { force: true });
  await engine.clock.settle();
  expect(poll.value).toMatchObject({
    status: "cancelled",
    cancelRequested: true,
    result: { status: "cancelled", result: null },
  });
});
