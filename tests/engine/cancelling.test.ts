import fc from "fast-check";
import { expect, test } from "vitest";
import { isTerminal, TaskCancelled, type TaskContext } from "../../server/index.ts";
import {
  agent,
  ann,
  drive,
  eventKinds,
  messagesOf,
  openQuestion,
  rejection,
  testEngine,
  watch,
} from "./test-engine.ts";

test("a task with no attempt yet ends at once, and its handler never runs", async () => {
  const engine = testEngine({ concurrency: 1 });
  await drive(engine);
  let ran = false;
  engine.manager.registerTask("queued", () => {
    ran = true;
  });
  const taskId = await engine.manager.startTask("queued");
  expect((await engine.manager.getTask(taskId)).task.activity).toBe("queued");
  expect(await engine.manager.cancelTask(taskId, { reason: "changed my mind" })).toBe(true);
  const { task, error, result } = await engine.manager.getTask(taskId);
  expect(task).toMatchObject({ status: "cancelled", startedAt: null, attempt: 0 });
  expect({ error, result }).toEqual({ error: "TaskCancelled: changed my mind", result: null });
  await engine.clock.advance(60);
  expect(ran).toBe(false);
});

test("a task that is to start later is cancelled at once too", async () => {
  const engine = testEngine();
  engine.manager.registerTask("later", () => "ran");
  const startAfter = "2026-11-30T13:00:00Z";
  const taskId = await engine.manager.startTask("later", {}, { startAfter });
  await engine.clock.advance(3599);
  await engine.manager.cancelTask(taskId);
  await engine.clock.advance(10);
  expect((await engine.manager.getTask(taskId)).task.status).toBe("cancelled");
});

test("in a live attempt, what waits or checks throws TaskCancelled", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  expect(ctx.isCancelled).toBe(false);
  ctx.checkCancelled();
  const waiting = {
    askCustomer: watch(ctx.askCustomer("Well?")),
    sleep: watch(ctx.sleep(1000)),
  };
  await engine.clock.settle();
  expect(await engine.manager.cancelTask(taskId, { reason: "enough", actor: ann })).toBe(true);
  await engine.clock.settle();
  expect(ctx.isCancelled).toBe(true);
  for (const call of Object.values(waiting)) {
    expect(call.error).toMatchObject({ code: "task_cancelled" });
  }
  let ran = false;
  const run = () => {
    ran = true;
  };
  for (const call of [
    async () => ctx.checkCancelled(),
    () => ctx.askCustomer("And now?", { key: "after" }),
    () => ctx.sleep(1, { key: "after" }),
    () => ctx.sleep(0, { key: "after, but none" }),
    () => ctx.step("after", run),
  ]) {
    const error = await rejection(call());
    expect(error).toMatchObject({ name: "TaskCancelled", code: "task_cancelled" });
    expect(error.message).toContain("enough");
  }
  expect(ran).toBe(false);
});

test("ask resolves to the outcome cancelled, by whom, also after the cancel", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const before = watch(ctx.ask({ prompt: "Well?", default: "x" }));
  await engine.clock.settle();
  await engine.manager.cancelTask(taskId, { actor: ann });
  await engine.clock.settle();
  expect(before.value).toMatchObject({ outcome: "cancelled", by: ann, answer: null });
  const after = await ctx.ask({ prompt: "And now?", default: "x" });
  expect(after).toMatchObject({ outcome: "cancelled", answer: null, defaultUsed: false });
  // The second was never put to anybody.
  expect((await engine.manager.getTask(taskId)).questions).toHaveLength(1);
});

test("update and progress go on after a cancel, and so does a step that says so", async () => {
  const engine = testEngine();
  engine.manager.registerTask("cleans", async (ctx: TaskContext) => {
    try {
      await ctx.sleep(1000);
    } finally {
      ctx.update("cleaning up", "warning");
      ctx.progress(1, 1, "clean");
      await ctx.step("clean", () => "cleaned", { evenIfCancelled: true });
    }
  });
  const taskId = await engine.manager.startTask("cleans");
  await engine.clock.settle();
  await engine.manager.cancelTask(taskId, { reason: "enough" });
  await engine.clock.settle();
  const { task, error } = await engine.manager.getTask(taskId);
  expect(task).toMatchObject({ status: "cancelled", progress: { done: 1 } });
  expect(error).toBe("TaskCancelled: enough");
  expect(await messagesOf(engine, taskId)).toEqual(["cleaning up", "clean"]);
  expect(await eventKinds(engine, taskId)).toContain("step_completed");
});

test("ctx.signal fires with a TaskCancelled as its reason", async () => {
  const engine = testEngine();
  const { taskId, ctx, fail } = await drive(engine);
  const fired = watch(new Promise((resolve) => ctx.signal.addEventListener("abort", resolve)));
  expect(ctx.signal.aborted).toBe(false);
  await engine.manager.cancelTask(taskId, { reason: "enough" });
  await engine.clock.settle();
  expect(fired.state).toBe("fulfilled");
  expect(ctx.signal.reason).toMatchObject({
    code: "task_cancelled",
    details: { reason: "enough" },
  });
  // What fetch and the like reject with ends the task as cancelled too.
  fail(new DOMException("This operation was aborted", "AbortError"));
  await engine.clock.settle();
  expect((await engine.manager.getTask(taskId)).task.status).toBe("cancelled");
});

test("open questions are closed in the cancel's own transaction", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "a?", key: "a" });
  void ctx.ask({ prompt: "b?", key: "b" });
  await engine.clock.settle();
  const seen: [string | null, number][] = [];
  engine.store.subscribe(({ task }) => seen.push([task.cancelRequestedAt, task.openQuestions]));
  await engine.manager.cancelTask(taskId);
  expect(seen).toEqual([[expect.any(String), 0]]);
  const { task, questions } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("running");
  expect(questions.map((question) => question.outcome)).toEqual(["cancelled", "cancelled"]);
});

test("a repeated cancel is true, makes one event and keeps the first reason", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  expect(await engine.manager.cancelTask(taskId, { reason: "first", actor: agent })).toBe(true);
  expect(await engine.manager.cancelTask(taskId, { reason: "second", actor: ann })).toBe(true);
  const kinds = await eventKinds(engine, taskId);
  expect(kinds.filter((kind) => kind === "cancel_requested")).toHaveLength(1);
  expect((await engine.manager.getTask(taskId)).task).toMatchObject({
    cancelReason: "first",
    cancelledBy: agent,
  });
});

test("a cancel of a task that has ended is false, whichever its end", async () => {
  const engine = testEngine();
  const [done, failed, cancelled] = [await drive(engine), await drive(engine), await drive(engine)];
  done.finish();
  failed.fail(new Error("no"));
  await engine.manager.cancelTask(cancelled.taskId, { force: true });
  await engine.clock.settle();
  for (const { taskId } of [done, failed, cancelled]) {
    const before = await eventKinds(engine, taskId);
    expect(await engine.manager.cancelTask(taskId)).toBe(false);
    expect(await engine.manager.cancelTask(taskId, { force: true })).toBe(false);
    expect(await eventKinds(engine, taskId)).toEqual(before);
  }
});

test("a handler that finishes its work all the same keeps its result", async () => {
  const engine = testEngine();
  const { taskId, finish } = await drive(engine);
  await engine.manager.cancelTask(taskId);
  finish({ kept: true });
  await engine.clock.settle();
  const { task, result } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("completed");
  expect(result).toEqual({ kept: true });
});

test("a handler that fails while it cleans up has failed", async () => {
  const engine = testEngine();
  const { taskId, fail } = await drive(engine, { retries: { limit: 5 } });
  await engine.manager.cancelTask(taskId);
  fail(new Error("the disk is full"));
  await engine.clock.settle();
  const { task, error } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("failed");
  expect(error).toBe("Error: the disk is full");
});

test("a handler that throws TaskCancelled of its own ends cancelled, in its own words", async () => {
  const engine = testEngine();
  const { taskId, fail } = await drive(engine);
  fail(new TaskCancelled("nothing to do today"));
  await engine.clock.settle();
  const { task, error } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("cancelled");
  expect(error).toBe("TaskCancelled: nothing to do today");
});

test("a cancel right after the start", async () => {
  const engine = testEngine();
  engine.manager.registerTask("works", async (ctx: TaskContext) => {
    for (let i = 0; i < 1000; i++) {
      ctx.checkCancelled();
      await ctx.sleep(1);
    }
  });
  const taskId = await engine.manager.startTask("works");
  const cancelled = engine.manager.cancelTask(taskId);
  expect(await cancelled).toBe(true);
  await engine.clock.settle();
  expect((await engine.manager.getTask(taskId)).task.status).toBe("cancelled");
});

test("a task that cancels itself notices at its next check", async () => {
  const engine = testEngine();
  engine.manager.registerTask("cancels-itself", async (ctx: TaskContext) => {
    await engine.manager.cancelTask(ctx.taskId);
    ctx.checkCancelled();
  });
  const taskId = await engine.manager.startTask("cancels-itself");
  await engine.clock.settle();
  expect((await engine.manager.getTask(taskId)).task.status).toBe("cancelled");
});

test("a step that is under way may finish, and is recorded", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  let endStep: (value: string) => void = () => {};
  const step = watch(ctx.step("long", () => new Promise<string>((end) => (endStep = end))));
  await engine.clock.settle();
  await engine.manager.cancelTask(taskId);
  endStep("done");
  await engine.clock.settle();
  expect(step.value).toBe("done");
  expect(await eventKinds(engine, taskId)).toContain("step_completed");
});

test("a step that stops because of the signal is not recorded as failed", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const step = watch(
    ctx.step("long", () => {
      return new Promise((_, reject) => {
        ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
      });
    }),
  );
  await engine.clock.settle();
  await engine.manager.cancelTask(taskId);
  await engine.clock.settle();
  expect(step.error).toMatchObject({ code: "task_cancelled" });
  expect(await eventKinds(engine, taskId)).not.toContain("step_failed");
});

test("whichever comes first of a cancel and the end, there is one end and it says which", async () => {
  const move = fc.constantFrom("cancel", "force", "finish", "fail", "settle", "advance");
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 2, maxLength: 6 }), async (moves) => {
      const engine = testEngine();
      const { taskId, finish, fail, ctx } = await drive(engine, { cancelGrace: 5 });
      void ctx.ask({ prompt: "Well?" });
      const cancels: boolean[] = [];
      await Promise.all(
        moves.map(async (name) => {
          if (name === "cancel") cancels.push(await engine.manager.cancelTask(taskId));
          if (name === "force") {
            cancels.push(await engine.manager.cancelTask(taskId, { force: true }));
          }
          if (name === "finish") finish("result");
          if (name === "fail") fail(new Error("failed"));
          if (name === "settle") await engine.clock.settle();
        }),
      );
      await engine.clock.advance(400);
      const { task, result, error } = await engine.manager.getTask(taskId);
      const kinds = await eventKinds(engine, taskId);
      expect(kinds.filter((kind) => kind === "task_finished")).toHaveLength(
        isTerminal(task.status) ? 1 : 0,
      );
      expect(kinds.filter((kind) => kind === "cancel_requested").length).toBe(
        cancels.includes(true) ? 1 : 0,
      );
      if (task.status === "completed") expect([result, error]).toEqual(["result", null]);
      if (task.status === "failed") expect([result, error]).toEqual([null, "Error: failed"]);
      if (task.status === "cancelled") expect(cancels).toContain(true);
      expect(await engine.store.getOpenQuestions(taskId)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("a cancelled task's question cannot be answered any more", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  void ctx.ask({ prompt: "Well?" });
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.cancelTask(taskId);
  expect(await engine.manager.respondToQuestion(taskId, questionId, "yes")).toBe(false);
});

test("a begun task whose type is gone ends at once when it is cancelled", async () => {
  const first = testEngine();
  first.manager.registerTask("gone", (ctx) => ctx.askCustomer("Well?"));
  const taskId = await first.manager.startTask("gone");
  await first.clock.settle();
  await first.manager.drain();
  const second = testEngine({ store: first.store, clock: first.clock });
  await second.manager.ready();
  expect(await second.manager.cancelTask(taskId)).toBe(true);
  expect((await second.manager.getTask(taskId)).task.status).toBe("cancelled");
});
