import { expect, test } from "vitest";
import { drive, openQuestion, rejection, testEngine, type Watched, watch } from "./test-engine.ts";

const start = "2026-11-30T12:00:00.000000Z";

test("with nothing new, a poll waits for its timeout and then says so", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId, { timeout: 10 }));
  await engine.clock.advance(9.999);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(0.001);
  expect(poll.value).toMatchObject({
    taskId,
    status: "running",
    updates: [],
    pendingQuestion: null,
    pendingQuestions: [],
    result: null,
    hasMore: false,
    cancelRequested: false,
  });
  expect(poll.value?.cursor).toMatch(/^c_/);
});

test("the timeout is 30 s when not given", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId));
  await engine.clock.advance(29.9);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(0.1);
  expect(poll.state).toBe("fulfilled");
});

test("with a cursor, an update, a question, its resolution and the end are news, each once", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const { manager, clock } = engine;
  let cursor = (await manager.pollTask(taskId, { timeout: 0 })).cursor;
  const next = async (happen: () => unknown) => {
    const poll = watch(manager.pollTask(taskId, { since: cursor, timeout: 30 }));
    await clock.advance(1);
    expect(poll.state).toBe("pending");
    await happen();
    await clock.advance(0.1);
    expect(poll.state).toBe("fulfilled");
    cursor = poll.value?.cursor ?? "";
    return poll.value;
  };

  const updated = await next(() => ctx.update("one"));
  expect(updated?.updates.map((update) => update.message)).toEqual(["one"]);

  let answer: Watched<string> | undefined;
  const asked = await next(() => {
    answer = watch(ctx.askCustomer("Which?"));
  });
  expect(asked).toMatchObject({ status: "waiting_for_input", updates: [] });
  expect(asked?.pendingQuestion?.prompt).toBe("Which?");

  const answered = await next(() =>
    manager.respondToQuestion(taskId, asked?.pendingQuestion?.questionId ?? "", "this"),
  );
  expect(answer?.value).toBe("this");
  expect(answered).toMatchObject({ status: "running", pendingQuestion: null, updates: [] });

  const ended = await next(() => finish({ ok: true }));
  expect(ended?.result).toMatchObject({ status: "completed", result: { ok: true }, error: null });
});

test("with a cursor after the end, the result comes at once, however often it is asked for", async () => {
  const engine = testEngine();
  const { taskId, finish } = await drive(engine);
  finish("done");
  await engine.clock.settle();
  let since: string | null = null;
  for (let i = 0; i < 3; i++) {
    const response = await engine.manager.pollTask(taskId, { since });
    expect(response.result?.result).toBe("done");
    since = response.cursor;
  }
});

test("with a cursor, an open question that was told before is no news but is in every response", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Which?" });
  const { cursor } = await engine.manager.pollTask(taskId);
  const poll = watch(engine.manager.pollTask(taskId, { since: cursor, timeout: 20 }));
  await engine.clock.advance(19);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(1);
  expect(poll.value?.pendingQuestion?.prompt).toBe("Which?");
});

test("steps, sleeps, lease renewals and cancel requests are no news", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const { manager, clock } = engine;
  const { cursor } = await manager.pollTask(taskId, { timeout: 0 });
  const poll = watch(manager.pollTask(taskId, { since: cursor, timeout: 30 }));
  await ctx.step("work", () => 1);
  await ctx.sleep(0);
  await clock.advance(12);
  await manager.cancelTask(taskId);
  await clock.advance(10);
  expect(poll.state).toBe("pending");
  await clock.advance(8);
  expect(poll.value?.cancelRequested).toBe(true);
});

test.each([null, undefined, ""])("since %o starts from the beginning", async (since) => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  await ctx.update("one");
  await ctx.update("two");
  await engine.clock.advance(1);
  const { updates } = await engine.manager.pollTask(taskId, { since });
  expect(updates.map((update) => update.message)).toEqual(["one", "two"]);
});

test("with a timestamp, a resolved question is no news", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const { manager, clock } = engine;
  void ctx.ask({ prompt: "Which?" });
  await clock.advance(0.5);
  const { questionId } = await openQuestion(engine, taskId);
  const poll = watch(manager.pollTask(taskId, { since: start, timeout: 30 }));
  await clock.settle();
  expect(poll.value?.pendingQuestion?.questionId).toBe(questionId);

  await manager.respondToQuestion(taskId, questionId, "yes");
  const second = watch(manager.pollTask(taskId, { since: start, timeout: 30 }));
  await clock.advance(29);
  expect(second.state).toBe("pending");
  await clock.advance(1);
  expect(second.value?.pendingQuestion).toBeNull();
});

test("the loop of the seed, since the last update's timestamp, loses and repeats nothing", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const { manager, clock } = engine;
  const seen: string[] = [];
  const loop = (async () => {
    let since: string | null = null;
    for (;;) {
      const response = await manager.pollTask(taskId, { since });
      for (const update of response.updates) {
        seen.push(update.message);
        since = update.timestamp;
      }
      if (response.result) return;
    }
  })();
  const sent: string[] = [];
  for (let burst = 0; burst < 20; burst++) {
    // All in one moment of the clock, some while it is set back.
    if (burst % 5 === 4) clock.jump(-0.5);
    for (let i = 0; i < burst; i++) {
      sent.push(`${burst}.${i}`);
      void ctx.update(`${burst}.${i}`);
    }
    await clock.advance(burst % 3 === 0 ? 0.001 : 0.2);
  }
  finish();
  await clock.advance(1);
  await loop;
  expect(seen).toEqual(sent);
});

test("timestamps have six decimals and rise by at least a microsecond within a task", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  for (let i = 0; i < 5; i++) void ctx.update(String(i));
  await engine.clock.advance(0.1);
  const { updates } = await engine.manager.pollTask(taskId);
  const stamps = updates.map((update) => update.timestamp);
  for (const stamp of stamps) expect(stamp).toMatch(/^2026-11-30T12:00:00\.\d{6}Z$/);
  expect([...new Set(stamps)].sort()).toEqual(stamps);
});

test.each([
  ["Z", (stamp: string) => stamp],
  ["no zone, meaning UTC", (stamp: string) => stamp.slice(0, -1)],
  ["an offset", (stamp: string) => `${stamp.slice(0, -1).replace("T12", "T14")}+02:00`],
  [
    "a plus that became a space",
    (stamp: string) => `${stamp.slice(0, -1).replace("T12", "T17")} 05:00`,
  ],
  ["a negative offset", (stamp: string) => `${stamp.slice(0, -1).replace("T12", "T05")}-07:00`],
])("a timestamp may be given with %s", async (_, write) => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  await ctx.update("old");
  await ctx.update("new");
  await engine.clock.advance(0.1);
  const [old] = (await engine.manager.pollTask(taskId)).updates;
  const { updates } = await engine.manager.pollTask(taskId, {
    since: write(old?.timestamp ?? ""),
  });
  expect(updates.map((update) => update.message)).toEqual(["new"]);
});

test.each(["yesterday", "c_", "c_zz", "2026-02-31T00:00:00Z", "12"])(
  "since %o is refused with words that say what would be right",
  async (since) => {
    const engine = testEngine();
    const { taskId } = await drive(engine);
    const error = await rejection(engine.manager.pollTask(taskId, { since }));
    expect(error).toMatchObject({ name: "InvalidCursor", code: "invalid_cursor" });
    expect(error.message).toMatch(/cursor/);
  },
);

test("another task's cursor is refused", async () => {
  const engine = testEngine();
  const first = await drive(engine);
  const second = await drive(engine);
  const { cursor } = await engine.manager.pollTask(first.taskId, { timeout: 0 });
  const error = await rejection(engine.manager.pollTask(second.taskId, { since: cursor }));
  expect(error.code).toBe("invalid_cursor");
  expect(error.message).toContain("another task");
});

test("a cursor ahead of the task is refused: it would hide what comes until then", async () => {
  const engine = testEngine();
  const { taskId, finish } = await drive(engine);
  const since = `c_zzz_${taskId.slice(-8)}`;
  for (const waitFor of ["news", "input_or_result"] as const) {
    const error = await rejection(engine.manager.pollTask(taskId, { since, waitFor }));
    expect(error.code).toBe("invalid_cursor");
    expect(error.message).toContain("ahead");
  }
  await finish();
  expect((await rejection(engine.manager.pollTask(taskId, { since }))).code).toBe("invalid_cursor");
});

test("an unknown task is not found, also when polled with a cursor", async () => {
  const { manager } = testEngine();
  expect((await rejection(manager.pollTask("task_nowhere"))).code).toBe("task_not_found");
  expect(
    (await rejection(manager.pollTask("task_nowhere", { since: "c_1_nowhere" }))).code,
  ).toMatch(/task_not_found|invalid_cursor/);
});

test.each([-1, -0.001, Number.NaN])("timeout %o is refused", async (timeout) => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const error = await rejection(engine.manager.pollTask(taskId, { timeout }));
  expect(error.code).toBe("invalid_input");
  expect(error.message).toContain("timeout");
});

test("timeout 0 looks once and gathers nothing", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  expect((await engine.manager.pollTask(taskId, { timeout: 0 })).updates).toEqual([]);
  await ctx.update("one");
  const response = await engine.manager.pollTask(taskId, { timeout: 0 });
  expect(response.updates.map((update) => update.message)).toEqual(["one"]);
});

test("a poll without end waits for as long as it takes", async () => {
  const engine = testEngine();
  const { taskId, finish } = await drive(engine);
  const poll = watch(engine.manager.pollTask(taskId, { timeout: Number.POSITIVE_INFINITY }));
  await engine.clock.advance(100);
  expect(poll.state).toBe("pending");
  finish("late");
  await engine.clock.advance(0.1);
  expect(poll.value?.result?.result).toBe("late");
});

test("an end that falls between a poll's look and its wait is in the response at once", async () => {
  for (const ends of ["returns", "throws", "asks"]) {
    const engine = testEngine();
    engine.manager.registerTask("short", async (ctx) => {
      ctx.update("working");
      if (ends === "asks") await ctx.askCustomer("Which?");
      if (ends === "throws") throw new Error("broken");
      return "done";
    });
    const taskId = await engine.manager.startTask("short");
    const poll = watch(engine.manager.pollTask(taskId, { timeout: 5 }));
    await engine.clock.advance(0.05);
    expect(poll.state, ends).toBe("fulfilled");
    const status = { returns: "completed", throws: "failed", asks: "waiting_for_input" }[ends];
    expect(poll.value?.status).toBe(status);
    expect(poll.value?.updates.map((update) => update.message)).toContain("working");
  }
});
