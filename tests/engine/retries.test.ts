import { expect, test } from "vitest";
import { NonRetryableError, type RetryPolicy, type TaskContext } from "../../server/index.ts";
import { onBothStores, rest, startProcess } from "./mortal-process.ts";
import { eventKinds, messagesOf, openQuestion, testEngine } from "./test-engine.ts";

const steady = { minDelay: 10, factor: 2, jitter: 0 };

async function failing(retries: RetryPolicy, error: () => unknown = () => new Error("no")) {
  const engine = testEngine();
  const attempts: number[] = [];
  engine.manager.registerTask({ type: "t", retries }, (ctx: TaskContext) => {
    attempts.push(ctx.attempt);
    throw error();
  });
  const taskId = await engine.manager.startTask("t");
  await engine.clock.settle();
  return { engine, taskId, attempts, detail: () => engine.manager.getTask(taskId) };
}

test("without retries, the first failure is the end", async () => {
  const { detail, attempts } = await failing({ limit: 0 });
  expect((await detail()).task.status).toBe("failed");
  expect(attempts).toEqual([1]);
});

test("a failed attempt is tried again after its delay, which grows, up to the limit", async () => {
  const { engine, taskId, attempts, detail } = await failing({ limit: 2, ...steady });
  expect((await detail()).task).toMatchObject({ status: "pending", failures: 1 });
  await engine.clock.advance(9.9);
  expect(attempts).toEqual([1]);
  await engine.clock.advance(0.1);
  expect(attempts).toEqual([1, 2]);
  await engine.clock.advance(19.9);
  expect(attempts).toEqual([1, 2]);
  await engine.clock.advance(0.1);
  expect(attempts).toEqual([1, 2, 3]);
  const { task, error } = await detail();
  expect(task).toMatchObject({ status: "failed", failures: 2 });
  expect(error).toBe("Error: no");
  expect(await eventKinds(engine, taskId)).toEqual([
    "task_created",
    "attempt_started",
    "attempt_failed",
    "attempt_started",
    "attempt_failed",
    "attempt_started",
    "task_finished",
  ]);
});

test("a retry without delay begins at once", async () => {
  const { attempts, detail } = await failing({ limit: 5, minDelay: 0 });
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await detail()).task.status).toBe("failed");
});

test("a delay is never longer than maxDelay", async () => {
  const { engine, attempts } = await failing({ limit: 3, ...steady, maxDelay: 12 });
  await engine.clock.advance(10 + 12 + 12);
  expect(attempts).toHaveLength(4);
});

test.each<[string, Partial<RetryPolicy>, () => unknown]>([
  ["a NonRetryableError", {}, () => new NonRetryableError("never")],
  ["what retryIf says no to", { retryIf: () => false }, () => new Error("no")],
])("%s is not tried again", async (_, policy, error) => {
  const { detail, attempts } = await failing({ limit: 5, ...policy }, error);
  expect((await detail()).task.status).toBe("failed");
  expect(attempts).toEqual([1]);
});

test("a cancel while a retry is due later lets the handler clean up, and ends the task", async () => {
  const { engine, taskId, detail } = await failing({ limit: 5, ...steady });
  await engine.manager.cancelTask(taskId);
  await engine.clock.settle();
  expect(["failed", "cancelled"]).toContain((await detail()).task.status);
});

test("a type may say that a cancel just ends a task that nobody runs", async () => {
  const engine = testEngine();
  let runs = 0;
  engine.manager.registerTask(
    { type: "t", retries: { limit: 5, ...steady }, onCancel: "end" },
    () => {
      runs += 1;
      throw new Error("no");
    },
  );
  const taskId = await engine.manager.startTask("t");
  await engine.clock.settle();
  await engine.manager.cancelTask(taskId, { reason: "enough" });
  expect((await engine.manager.getTask(taskId)).error).toBe("TaskCancelled: enough");
  await engine.clock.advance(60);
  expect(runs).toBe(1);
});

onBothStores((makeWorld) => {
  test("a retry keeps what succeeded, and does again what failed", async () => {
    const world = await makeWorld();
    const engine = startProcess(world);
    const ran: string[] = [];
    engine.manager.registerTask({ type: "t", retries: { limit: 3, ...steady } }, async (ctx) => {
      ctx.update(`attempt ${ctx.attempt}`);
      const kept = await ctx.step("succeeds", () => ran.push("succeeds"));
      await ctx.step("fails at first", () => {
        ran.push("fails");
        if (ctx.attempt < 3) throw new Error("not yet");
      });
      return kept;
    });
    const taskId = await engine.manager.startTask("t");
    await world.clock.advance(60);
    await rest(world);
    expect((await engine.manager.getTask(taskId)).result).toBe(1);
    expect(ran).toEqual(["succeeds", "fails", "fails", "fails"]);
  });

  test("a retry keeps answers; a question that timed out is asked again under a new id", async () => {
    const world = await makeWorld();
    const engine = startProcess(world);
    engine.manager.registerTask({ type: "t", retries: { limit: 1, ...steady } }, async (ctx) => {
      const name = await ctx.askCustomer("Name?", { key: "name" });
      const age = await ctx.askCustomer("Age?", { key: "age", timeout: 5 });
      return { name, age };
    });
    const taskId = await engine.manager.startTask("t");
    await rest(world);
    const first = await openQuestion(engine, taskId);
    await engine.manager.respondToQuestion(taskId, first.questionId, "Ada");
    await rest(world);
    const second = await openQuestion(engine, taskId);
    await world.clock.advance(5);
    await rest(world);
    expect((await engine.manager.getTask(taskId)).task.status).toBe("pending");
    await world.clock.advance(10);
    await rest(world);
    const again = await openQuestion(engine, taskId);
    expect(again.prompt).toBe("Age?");
    expect(again.questionId).not.toBe(second.questionId);
    expect(await engine.manager.respondToQuestion(taskId, second.questionId, "36")).toBe(false);
    await engine.manager.respondToQuestion(taskId, again.questionId, "37");
    await rest(world);
    expect((await engine.manager.getTask(taskId)).result).toEqual({ name: "Ada", age: "37" });
  });

  test("an attempt that fails with a question open closes it, and the retry asks anew", async () => {
    const world = await makeWorld();
    const engine = startProcess(world);
    engine.manager.registerTask({ type: "t", retries: { limit: 1, ...steady } }, async (ctx) => {
      const answer = ctx.askCustomer("Proceed?");
      if (ctx.attempt === 1) throw new Error("no");
      return answer;
    });
    const taskId = await engine.manager.startTask("t");
    await rest(world);
    expect((await engine.manager.getTask(taskId)).task).toMatchObject({
      status: "pending",
      openQuestions: 0,
    });
    await world.clock.advance(10);
    await rest(world);
    const { questionId } = await openQuestion(engine, taskId);
    await engine.manager.respondToQuestion(taskId, questionId, "yes");
    await rest(world);
    const { result, questions } = await engine.manager.getTask(taskId);
    expect(result).toBe("yes");
    expect(questions.map((question) => question.outcome).sort()).toEqual(["answered", "cancelled"]);
  });

  test("a retry shows its own updates, beside those of the failed attempt", async () => {
    const world = await makeWorld();
    const engine = startProcess(world);
    engine.manager.registerTask({ type: "t", retries: { limit: 1, ...steady } }, (ctx) => {
      ctx.update("trying");
      if (ctx.attempt === 1) throw new Error("no");
    });
    const taskId = await engine.manager.startTask("t");
    await world.clock.advance(20);
    await rest(world);
    expect(await messagesOf(engine, taskId)).toEqual(["trying", "trying"]);
  });

  test("a retry that is due while no process is up is made by the next", async () => {
    const world = await makeWorld();
    const retries = { limit: 1, ...steady };
    const first = startProcess(world);
    first.manager.registerTask({ type: "t", retries }, () => {
      throw new Error("no");
    });
    const taskId = await first.manager.startTask("t");
    await rest(world);
    first.die();
    world.clock.jump(3600);
    const second = startProcess(world);
    second.manager.registerTask({ type: "t", retries }, (ctx) => ctx.attempt);
    await second.manager.ready();
    await rest(world);
    expect((await second.manager.getTask(taskId)).result).toBe(2);
  });
});
