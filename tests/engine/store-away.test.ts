import { expect, test } from "vitest";
import { type DurableTaskStore, MemoryStore, StoreUnavailable } from "../../server/index.ts";
import { testClock } from "../support/test-clock.ts";
import { drive, messagesOf, rejection, testEngine, watch } from "./test-engine.ts";

type Command = Parameters<DurableTaskStore["commit"]>[0];

/** An engine whose store can be taken away: writes are then refused and nothing is written. */
function fragileEngine() {
  const clock = testClock();
  const store = new MemoryStore(clock);
  const state = { isAway: false, refused: 0 };
  const commit = store.commit.bind(store) as (command: Command) => Promise<unknown>;
  store.commit = (async (command: Command) => {
    if (!state.isAway) return commit(command);
    state.refused += 1;
    throw new StoreUnavailable("the disk is full");
  }) as typeof store.commit;
  return { ...testEngine({ store, clock }), state };
}

test("while the store is away, a handler waits; when it is back, all is written in order", async () => {
  const engine = fragileEngine();
  const { taskId, ctx, finish } = await drive(engine);
  engine.state.isAway = true;
  const calls = [ctx.update("u0")];
  for (let i = 1; i < 8; i++) {
    await engine.clock.advance(0.9);
    calls.push(ctx.update(`u${i}`));
  }
  const step = watch(ctx.step("s", () => "value"));
  await engine.clock.advance(0.05);
  engine.state.isAway = false;
  for (let i = 8; i < 12; i++) {
    calls.push(ctx.update(`u${i}`));
    await engine.clock.advance(0.3);
  }
  await engine.clock.advance(30);
  await Promise.all(calls);
  expect(step.value).toBe("value");
  expect(await messagesOf(engine, taskId)).toEqual(Array.from({ length: 12 }, (_, i) => `u${i}`));
  finish("done");
  await engine.clock.settle();
  expect((await engine.manager.getTask(taskId)).result).toBe("done");
});

test("a result that cannot be written at first is written later", async () => {
  const engine = fragileEngine();
  const { taskId, finish } = await drive(engine);
  engine.state.isAway = true;
  finish("done");
  await engine.clock.advance(12);
  expect((await engine.manager.getTask(taskId)).task.status).toBe("running");
  engine.state.isAway = false;
  await engine.clock.advance(5);
  expect((await engine.manager.getTask(taskId)).result).toBe("done");
});

test("trying again becomes less frequent, and is reported", async () => {
  const engine = fragileEngine();
  const { ctx } = await drive(engine);
  engine.state.isAway = true;
  void ctx.update("u");
  await engine.clock.advance(60);
  engine.state.isAway = false;
  expect(engine.state.refused).toBeLessThan(40);
  expect(engine.logged.join()).toContain("the disk is full");
});

test("callers are told at once, and nothing was changed", async () => {
  const engine = fragileEngine();
  const { taskId, ctx } = await drive(engine);
  engine.manager.registerTask("t", () => "ran");
  void ctx.ask({ prompt: "Well?" });
  await engine.clock.settle();
  const [question] = await engine.store.getOpenQuestions(taskId);
  engine.state.isAway = true;
  for (const call of [
    engine.manager.startTask("t"),
    engine.manager.respondToQuestion(taskId, question?.questionId ?? "", "yes"),
    engine.manager.cancelTask(taskId),
  ]) {
    expect((await rejection(call)).code).toBe("store_unavailable");
  }
  engine.state.isAway = false;
  expect((await engine.manager.getQuestion(question?.questionId ?? "")).outcome).toBeNull();
  const started = await engine.manager.startTask("t");
  await engine.clock.settle();
  expect((await engine.manager.getTask(started)).result).toBe("ran");
});

test("a question whose deadline passes while the store is away is closed when it is back", async () => {
  const engine = fragileEngine();
  const { ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Well?", { timeout: 10 }));
  await engine.clock.advance(5);
  engine.state.isAway = true;
  await engine.clock.advance(20);
  expect(answer.state).toBe("pending");
  engine.state.isAway = false;
  await engine.clock.advance(3);
  expect(answer.error).toMatchObject({ code: "task_timeout" });
});

test("a lease that cannot be renewed for a while is not lost", async () => {
  const engine = fragileEngine();
  const { taskId, ctx, finish } = await drive(engine);
  engine.state.isAway = true;
  await engine.clock.advance(60);
  engine.state.isAway = false;
  await engine.clock.advance(6);
  await ctx.update("still mine");
  finish();
  await engine.clock.settle();
  expect((await engine.manager.getTask(taskId)).task).toMatchObject({
    status: "completed",
    attempt: 1,
    interrupts: 0,
  });
});
