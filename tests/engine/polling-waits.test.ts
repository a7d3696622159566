import { expect, test } from "vitest";
import { ChangeHub } from "../../server/engine/change-hub.ts";
import { Poller } from "../../server/engine/poller.ts";
import { MemoryStore } from "../../server/stores/memory-store.ts";
import { testClock } from "../support/test-clock.ts";
import { drive, openQuestion, rejection, testEngine, watch } from "./test-engine.ts";

const start = "2026-11-30T12:00:00.000000Z";

test("a poll with news answers when the newest event is 5 ms old", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId));
  await ctx.update("one");
  await engine.clock.advance(0.004);
  await ctx.update("two");
  await engine.clock.advance(0.0049);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(0.0002);
  expect(poll.value?.updates.map((update) => update.message)).toEqual(["one", "two"]);
});

test("a burst without a pause is gathered for 25 ms in all", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId));
  for (let i = 0; i < 24; i++) {
    await ctx.update(String(i));
    await engine.clock.advance(0.001);
  }
  expect(poll.state).toBe("pending");
  await ctx.update("24");
  await engine.clock.advance(0.001);
  expect(poll.value?.updates).toHaveLength(25);
});

test("old news costs no gathering", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  await ctx.update("one");
  // A little more than 5 ms, because the events of one moment are microseconds apart.
  await engine.clock.advance(0.0051);
  const poll = watch(engine.manager.pollTask(taskId));
  await engine.clock.settle();
  expect(poll.state).toBe("fulfilled");
});

test("a question closes the gathering at once", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const { cursor } = await engine.manager.pollTask(taskId, { timeout: 0 });
  const polls = [null, start, cursor].map((since) =>
    watch(engine.manager.pollTask(taskId, { since })),
  );
  await ctx.update("about to ask");
  await engine.clock.advance(0.002);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.settle();
  for (const poll of polls) {
    expect(poll.value?.updates).toHaveLength(1);
    expect(poll.value?.pendingQuestion?.prompt).toBe("Which?");
  }
});

test("the end closes the gathering at once", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId));
  await ctx.update("last words");
  await engine.clock.advance(0.002);
  finish();
  await engine.clock.settle();
  expect(poll.value?.updates).toHaveLength(1);
  expect(poll.value?.result?.status).toBe("completed");
});

test("gathering never goes on past the timeout", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId, { timeout: 0.003 }));
  await ctx.update("one");
  await engine.clock.advance(0.003);
  expect(poll.value?.updates).toHaveLength(1);
});

test.each([
  ["no since", undefined],
  ["a timestamp", start],
])("with %s, a question older than 1 s is held for 2 s and then returned", async (_, since) => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.advance(1);
  const fresh = watch(engine.manager.pollTask(taskId, { since }));
  await engine.clock.settle();
  expect(fresh.value?.pendingQuestion?.prompt).toBe("Which?");
  await engine.clock.advance(0.001);
  const held = watch(engine.manager.pollTask(taskId, { since }));
  await engine.clock.advance(1.999);
  expect(held.state).toBe("pending");
  await engine.clock.advance(0.001);
  expect(held.value?.pendingQuestion?.prompt).toBe("Which?");
});

test("an old question is held no longer than the timeout", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.advance(60);
  const poll = watch(engine.manager.pollTask(taskId, { timeout: 0.5 }));
  await engine.clock.advance(0.5);
  expect(poll.value?.pendingQuestion?.prompt).toBe("Which?");
  expect((await engine.manager.pollTask(taskId, { timeout: 0 })).pendingQuestion).not.toBeNull();
});

test("a held question returns when a second one opens", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "First?", key: "1" });
  await engine.clock.advance(60);
  const poll = watch(engine.manager.pollTask(taskId));
  await engine.clock.advance(0.5);
  void ctx.ask({ prompt: "Second?", key: "2" });
  await engine.clock.settle();
  expect(poll.value?.pendingQuestion?.prompt).toBe("First?");
  expect(poll.value?.pendingQuestions.map((question) => question.prompt)).toEqual([
    "First?",
    "Second?",
  ]);
});

test("a held question that is answered meanwhile leaves nothing to return", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.advance(60);
  const poll = watch(engine.manager.pollTask(taskId, { timeout: 10 }));
  await engine.clock.advance(0.5);
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.respondToQuestion(taskId, questionId, "yes");
  await engine.clock.advance(9);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(1);
  expect(poll.value).toMatchObject({ status: "running", pendingQuestion: null });
});

test("progress wakes no poll, not even one that holds an old question back", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.advance(60);
  const poll = watch(engine.manager.pollTask(taskId));
  await ctx.progress(1, 10);
  await engine.clock.advance(1.5);
  await ctx.progress(2, 10);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(0.5);
  expect(poll.value?.progress).toMatchObject({ done: 2, total: 10 });
});

test("a loop without a cursor does not spin while somebody else answers", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.advance(2);
  let polls = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      await engine.manager.pollTask(taskId, { since: start });
      polls += 1;
    }
  })();
  await engine.clock.advance(60);
  expect(polls).toBe(30);
  isOver = true;
  await engine.clock.advance(2);
  await loop;
});

test("a clock that was set back does not make a loop spin on an open question", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.advance(5);
  engine.clock.jump(-3600);
  const poll = watch(engine.manager.pollTask(taskId));
  await engine.clock.advance(1.9);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(0.1);
  expect(poll.state).toBe("fulfilled");
});

test("a caller that goes away frees its wait at once, with its own reason", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const leaving = new AbortController();
  const poll = watch(engine.manager.pollTask(taskId, { signal: leaving.signal }));
  await engine.clock.advance(1);
  expect((await engine.manager.stats()).waitingPolls).toBe(1);
  leaving.abort(new Error("gone"));
  await engine.clock.settle();
  expect((poll.error as Error).message).toBe("gone");
  expect((await engine.manager.stats()).waitingPolls).toBe(0);
});

test("a caller that is gone before it waits never waits", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const gone = AbortSignal.abort(new Error("gone"));
  expect((await rejection(engine.manager.pollTask(taskId, { signal: gone }))).message).toBe("gone");
});

test("a caller that goes away while the store is read does not wait either", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const leaving = new AbortController();
  const poll = watch(engine.manager.pollTask(taskId, { signal: leaving.signal }));
  // The poll has begun and awaits its first look at the store.
  leaving.abort(new Error("gone"));
  await engine.clock.settle();
  expect(poll.state).toBe("rejected");
});

test("a caller that goes away while news is gathered does not get it", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const leaving = new AbortController();
  const poll = watch(engine.manager.pollTask(taskId, { signal: leaving.signal }));
  await ctx.update("one");
  await engine.clock.advance(0.001);
  leaving.abort(new Error("gone"));
  await engine.clock.settle();
  expect(poll.state).toBe("rejected");
});

test("polls of every kind leave no watcher and no timer behind", async () => {
  const clock = testClock();
  const store = new MemoryStore(clock);
  const hub = new ChangeHub();
  store.subscribe((change) => hub.publish(change));
  const poller = new Poller({ store, clock, hub, progressOf: () => null });
  await store.createTask("task_1", "t", {});
  const leaving = new AbortController();
  const polls = [
    poller.poll("task_1", { timeout: 5 }),
    poller.poll("task_1", { timeout: 0 }),
    poller.poll("task_1", { timeout: 5, waitFor: "input_or_result" }),
    poller.poll("task_1", { timeout: 50, signal: leaving.signal }),
    poller.poll("task_none", { timeout: 5 }),
    poller.poll("task_1", { timeout: -1 }),
    poller.poll("task_1", { since: "nonsense" }),
  ].map(watch);
  await clock.settle();
  expect(hub.watcherCount).toBe(3);
  expect(poller.waitingCount).toBe(3);
  await clock.advance(5);
  leaving.abort();
  await clock.settle();
  expect(polls.filter((poll) => poll.state === "pending")).toEqual([]);
  expect(hub.watcherCount).toBe(0);
  expect(poller.waitingCount).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test("after a shutdown, polls that wait are answered and new ones do not spin", async () => {
  const engine = testEngine();
  const store = engine.store;
  await store.createTask("task_0000000x", "somebody-elses", {});
  const before = watch(engine.manager.pollTask("task_0000000x"));
  await engine.clock.advance(3);
  const down = watch(engine.manager.shutdown());
  await engine.clock.advance(0.5);
  expect(before.value?.status).toBe("pending");
  expect(down.state).toBe("fulfilled");
  let polls = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      await engine.manager.pollTask("task_0000000x");
      polls += 1;
    }
  })();
  await engine.clock.advance(10);
  expect(polls).toBe(20);
  isOver = true;
  await engine.clock.advance(1);
  await loop;
});
