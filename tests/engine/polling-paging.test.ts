import { expect, test } from "vitest";
import type { PollResponse } from "../../server/index.ts";
import { drive, messagesOf, openQuestion, rejection, testEngine, watch } from "./test-engine.ts";

const many = Array.from({ length: 23 }, (_, i) => `u${i}`);

async function withManyUpdates() {
  const engine = testEngine();
  const driven = await drive(engine);
  for (const message of many) void driven.ctx.update(message);
  await engine.clock.advance(1);
  return { engine, ...driven };
}

test("without a limit, a response holds all updates", async () => {
  const { engine, taskId } = await withManyUpdates();
  const response = await engine.manager.pollTask(taskId);
  expect(response.updates).toHaveLength(23);
  expect(response.hasMore).toBe(false);
});

test.each([1, 5, 23, 24])(
  "pages of %i hold every update once, the result with the last",
  async (limit) => {
    const { engine, taskId, ctx, finish } = await withManyUpdates();
    void ctx.ask({ prompt: "Which?" });
    await engine.clock.settle();
    finish("done");
    await engine.clock.settle();
    const seen: string[] = [];
    let response: PollResponse | null = null;
    do {
      response = await engine.manager.pollTask(taskId, { since: response?.cursor, limit });
      expect(response.updates.length).toBeLessThanOrEqual(limit);
      seen.push(...response.updates.map((update) => update.message));
      if (response.hasMore) expect(response.result).toBeNull();
    } while (response.hasMore);
    expect(seen).toEqual(many);
    expect(response.result?.result).toBe("done");
  },
);

test.each([null, "2026-11-30T12:00:00Z"])(
  "while there is more after since %o, no question is shown",
  async (since) => {
    const { engine, taskId, ctx } = await withManyUpdates();
    void ctx.ask({ prompt: "Which?" });
    await engine.clock.settle();
    const first = await engine.manager.pollTask(taskId, { since, limit: 10 });
    expect(first).toMatchObject({
      hasMore: true,
      pendingQuestion: null,
      pendingQuestions: [],
      status: "waiting_for_input",
    });
    expect(first.updates.at(-1)?.message).toBe("u9");
    const second = await engine.manager.pollTask(taskId, { since: first.cursor, limit: 10 });
    const third = await engine.manager.pollTask(taskId, { since: second.cursor, limit: 10 });
    expect(third.hasMore).toBe(false);
    expect(third.pendingQuestion?.prompt).toBe("Which?");
  },
);

test("a page that is exactly full has no more after it", async () => {
  const { engine, taskId } = await withManyUpdates();
  const response = await engine.manager.pollTask(taskId, { limit: 23 });
  expect(response.hasMore).toBe(false);
  const next = watch(engine.manager.pollTask(taskId, { since: response.cursor, timeout: 5 }));
  await engine.clock.advance(4);
  expect(next.state).toBe("pending");
  await engine.clock.advance(1);
  expect(next.value?.updates).toEqual([]);
});

test.each([0, -1, Number.NaN, 1.5])(
  "limit %o is refused, since it could skip updates",
  async (limit) => {
    const { engine, taskId } = await withManyUpdates();
    expect((await rejection(engine.manager.pollTask(taskId, { limit }))).code).toBe(
      "invalid_input",
    );
  },
);

test("waiting for input or the result sleeps through updates and returns them with it", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const { manager, clock } = engine;
  const asked = watch(manager.pollTask(taskId, { waitFor: "input_or_result", timeout: 60 }));
  for (let i = 0; i < 5; i++) {
    await ctx.update(`u${i}`);
    await clock.advance(1);
  }
  expect(asked.state).toBe("pending");
  void ctx.ask({ prompt: "Which?" });
  await clock.settle();
  expect(asked.value?.updates).toHaveLength(5);
  expect(asked.value?.pendingQuestion?.prompt).toBe("Which?");

  const since = asked.value?.cursor;
  const resolved = watch(manager.pollTask(taskId, { waitFor: "input_or_result", since }));
  const { questionId } = await openQuestion(engine, taskId);
  await clock.advance(1);
  expect(resolved.state).toBe("pending");
  await manager.respondToQuestion(taskId, questionId, "yes");
  await clock.settle();
  expect(resolved.value).toMatchObject({ status: "running", pendingQuestion: null });

  const ended = watch(
    manager.pollTask(taskId, { waitFor: "input_or_result", since: resolved.value?.cursor }),
  );
  await ctx.update("nearly");
  await clock.advance(2);
  finish(7);
  await clock.settle();
  expect(ended.value?.result?.result).toBe(7);
  expect(ended.value?.updates.map((update) => update.message)).toEqual(["nearly"]);
});

test("waiting for input or the result returns the updates so far at its deadline", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const { cursor } = await engine.manager.pollTask(taskId, { timeout: 0 });
  for (const since of [null, cursor, "2026-11-30T11:00:00Z"]) {
    const poll = watch(
      engine.manager.pollTask(taskId, { waitFor: "input_or_result", timeout: 5, since }),
    );
    await engine.clock.advance(2);
    await ctx.update("working");
    await engine.clock.advance(3);
    const said = poll.value?.updates.map((update) => update.message);
    expect(said?.at(-1)).toBe("working");
  }
});

test("waiting for input or the result without a cursor: a resolved question does not wake it", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  await engine.clock.advance(10);
  const poll = watch(engine.manager.pollTask(taskId, { waitFor: "input_or_result", timeout: 20 }));
  await engine.clock.advance(1);
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.respondToQuestion(taskId, questionId, "yes");
  await engine.clock.advance(18);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(1);
  expect(poll.value?.status).toBe("running");
});

test("waiting for input or the result loses no update between two calls", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const seen: string[] = [];
  const loop = (async () => {
    let since: string | undefined;
    for (;;) {
      const response = await engine.manager.pollTask(taskId, {
        since,
        timeout: 3,
        waitFor: "input_or_result",
        limit: 4,
      });
      seen.push(...response.updates.map((update) => update.message));
      since = response.cursor;
      if (response.result) return;
    }
  })();
  for (let i = 0; i < 30; i++) {
    await ctx.update(`u${i}`);
    await engine.clock.advance(0.7);
  }
  finish();
  await engine.clock.advance(60);
  await loop;
  expect(seen).toEqual(await messagesOf(engine, taskId));
});
