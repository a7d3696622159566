import fc from "fast-check";
import { expect, test } from "vitest";
import type { FeedMessage } from "../../server/index.ts";
import { drive, openQuestion, type TestEngine, testEngine } from "./test-engine.ts";

/** Follows in the background and keeps what it is told. */
function follow({ manager }: TestEngine, afterPosition: number | null, taskId?: string) {
  const leaving = new AbortController();
  const messages: FeedMessage[] = [];
  const over = (async () => {
    for await (const message of manager.followFeed({
      afterPosition,
      taskId,
      signal: leaving.signal,
    })) {
      messages.push(message);
    }
  })();
  const events = () => messages.flatMap((message) => (message.kind === "event" ? [message] : []));
  return { messages, events, over, leave: () => leaving.abort() };
}

const positions = (messages: { position: number }[]) => messages.map(({ position }) => position);

test("a follower is told what happened after its position, then what happens, each once", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  await ctx.update("one");
  const follower = follow(engine, 1);
  await engine.clock.settle();
  await ctx.update("two");
  await ctx.update("three");
  await engine.clock.settle();
  expect(positions(follower.events())).toEqual([2, 3, 4, 5]);
  expect(follower.events().map(({ event }) => event.kind)).toEqual([
    "attempt_started",
    "update",
    "update",
    "update",
  ]);
  follower.leave();
  await follower.over;
});

test("a follower from now on is told nothing old", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  await ctx.update("old");
  const follower = follow(engine, null);
  await engine.clock.settle();
  await ctx.update("new");
  await engine.clock.settle();
  expect(positions(follower.events())).toEqual([4]);
  follower.leave();
  await follower.over;
});

test("each message has the task and the question as they are", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const follower = follow(engine, null);
  await engine.clock.settle();
  void ctx.ask({ prompt: "Well?" });
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.respondToQuestion(taskId, questionId, "yes");
  await engine.clock.settle();
  finish();
  await engine.clock.settle();
  expect(
    follower
      .events()
      .map(({ event, task, question }) => [
        event.kind,
        task.status,
        task.activity,
        question?.outcome,
      ]),
  ).toEqual([
    ["question_opened", "waiting_for_input", "waiting", null],
    ["question_resolved", "running", "running", "answered"],
    ["task_finished", "completed", "done", undefined],
  ]);
  follower.leave();
  await follower.over;
});

test("progress comes as the task's state, without an event", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const follower = follow(engine, null);
  await engine.clock.settle();
  await ctx.progress(3, 4);
  await engine.clock.settle();
  expect(follower.messages).toMatchObject([
    { kind: "task", task: { taskId, progress: { done: 3, total: 4 } } },
  ]);
  follower.leave();
  await follower.over;
});

test("a follower of one task is told of that one only", async () => {
  const engine = testEngine();
  const other = await drive(engine);
  const { taskId, ctx, finish } = await drive(engine);
  await ctx.update("mine");
  await other.ctx.update("theirs");
  const follower = follow(engine, 0, taskId);
  await engine.clock.settle();
  await other.ctx.update("theirs again");
  await other.ctx.progress(1);
  finish();
  await engine.clock.settle();
  expect(follower.events().map(({ event }) => [event.taskId, event.seq])).toEqual([
    [taskId, 1],
    [taskId, 2],
    [taskId, 3],
    [taskId, 4],
  ]);
  expect(follower.messages).toHaveLength(4);
  follower.leave();
  await follower.over;
});

test("whenever followers come and go while events are written, nothing is lost or doubled", async () => {
  const script = fc.array(fc.constantFrom("update", "progress", "follow", "leave", "turn"), {
    minLength: 10,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(script, async (moves) => {
      const engine = testEngine();
      const { taskId, ctx } = await drive(engine);
      const sessions: { from: number; follower: ReturnType<typeof follow> }[] = [];
      let reached = 0;
      const leave = async () => {
        const last = sessions.at(-1);
        if (!last) return;
        last.follower.leave();
        await last.follower.over;
        reached = positions(last.follower.events()).at(-1) ?? last.from;
      };
      for (const move of moves) {
        if (move === "update") void ctx.update("u");
        if (move === "progress") void ctx.progress(1);
        if (move === "turn") await new Promise((resolve) => setImmediate(resolve));
        if (move === "leave") await leave();
        if (move === "follow") {
          await leave();
          const only = sessions.length % 2 === 0 ? taskId : undefined;
          sessions.push({ from: reached, follower: follow(engine, reached, only) });
        }
      }
      sessions.push({ from: reached, follower: follow(engine, reached) });
      if (sessions.length > 1) {
        const before = sessions[sessions.length - 2]?.follower;
        before?.leave();
        await before?.over;
      }
      await engine.clock.settle();
      const last = sessions.at(-1)?.follower;
      last?.leave();
      await last?.over;
      for (const { from, follower } of sessions) {
        const got = positions(follower.events());
        expect(got).toEqual(got.map((_, i) => from + 1 + i));
      }
      expect(sessions.at(-1)?.from).toBe(reached);
      expect(positions(last?.events() ?? []).at(-1) ?? reached).toBe(
        await engine.manager.lastPosition(),
      );
    }),
    { numRuns: 40 },
  );
});

test("many events are replayed in order, over several pages, while more are written", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  for (let i = 0; i < 1500; i++) void ctx.update("u");
  await engine.clock.settle();
  const follower = follow(engine, 0);
  for (let i = 0; i < 700; i++) {
    void ctx.update("v");
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await engine.clock.settle();
  expect(positions(follower.events())).toEqual(Array.from({ length: 2202 }, (_, i) => i + 1));
  follower.leave();
  await follower.over;
});

test("the task beside a replayed event is never older than the event", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  for (let i = 0; i < 700; i++) void ctx.update("u");
  await engine.clock.settle();
  const leaving = new AbortController();
  const feed = engine.manager.followFeed({ afterPosition: 0, taskId, signal: leaving.signal });
  // Half of the replay is taken, then the task ends, then the rest is taken.
  for (let i = 0; i < 400; i++) await feed.next();
  finish();
  await engine.clock.settle();
  let last: FeedMessage | undefined;
  for (let i = 400; i < 703; i++) last = (await feed.next()).value as FeedMessage;
  expect(last).toMatchObject({
    kind: "event",
    event: { kind: "task_finished" },
    task: { status: "completed", activity: "done" },
  });
  leaving.abort();
  await feed.return();
});

test("a task's older state is not told after a newer event", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  for (let i = 0; i < 700; i++) void ctx.update("u");
  await engine.clock.settle();
  const leaving = new AbortController();
  const feed = engine.manager.followFeed({ afterPosition: 0, taskId, signal: leaving.signal });
  for (let i = 0; i < 400; i++) await feed.next();
  // Both while the replay is under way: the first has no event, the second is replayed.
  await ctx.progress(1);
  finish();
  await engine.clock.settle();
  const seen: FeedMessage[] = [];
  const rest = (async () => {
    for await (const message of feed) seen.push(message);
  })();
  await engine.clock.settle();
  leaving.abort();
  await rest;
  expect(seen.at(-1)).toMatchObject({ task: { status: "completed" } });
});

test.each([6000, 999_999])(
  "a follower %d positions away is told to read everything anew",
  async (away) => {
    const engine = testEngine();
    const { ctx } = await drive(engine);
    for (let i = 0; i < 5998; i++) void ctx.update("u");
    await engine.clock.settle();
    const follower = follow(engine, away === 6000 ? 0 : away);
    await engine.clock.settle();
    await ctx.update("after");
    await engine.clock.settle();
    expect(follower.messages).toMatchObject([
      { kind: "reset", position: 6000 },
      { kind: "event", position: 6001 },
    ]);
    follower.leave();
    await follower.over;
  },
);

test("a follower that takes nothing for long is reset, not fed from an ever longer list", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  const leaving = new AbortController();
  const feed = engine.manager.followFeed({ afterPosition: null, signal: leaving.signal });
  const first = feed.next();
  await engine.clock.settle();
  for (let i = 0; i < 11_000; i++) void ctx.update("u");
  await engine.clock.settle();
  expect((await first).value).toMatchObject({
    kind: "reset",
    position: await engine.manager.lastPosition(),
  });
  await ctx.update("after");
  expect((await feed.next()).value).toMatchObject({
    kind: "event",
    position: await engine.manager.lastPosition(),
  });
  leaving.abort();
  await feed.return();
});

test("a follower ends when it leaves, when it had left before, and with the engine", async () => {
  const engine = testEngine();
  await drive(engine);
  const gone = engine.manager.followFeed({ afterPosition: null, signal: AbortSignal.abort() });
  expect(await gone.next()).toEqual({ done: true, value: undefined });
  const follower = follow(engine, null);
  await engine.clock.settle();
  await engine.manager.shutdown(0);
  await follower.over;
});
