import { expect, test } from "vitest";
import { z } from "zod";
import type { Actor, Outcome } from "../../server/index.ts";
import {
  agent,
  ann,
  drive,
  eventKinds,
  openQuestion,
  otherAgent,
  rejection,
  testEngine,
  watch,
} from "./test-engine.ts";

test("an answer comes back from askCustomer, with the status waiting_for_input meanwhile", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?"));
  await engine.clock.advance(299);
  expect((await engine.manager.getTask(taskId)).task.status).toBe("waiting_for_input");
  expect(answer.state).toBe("pending");
  const { questionId, timeout } = await openQuestion(engine, taskId);
  expect(timeout).toBe(300);
  expect(await engine.manager.respondToQuestion(taskId, questionId, "yes")).toBe(true);
  await engine.clock.settle();
  expect(answer.value).toBe("yes");
  expect((await engine.manager.getTask(taskId)).task.status).toBe("running");
});

test("askCustomer throws TaskTimeout at the deadline, and not before", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?", { timeout: 60 }));
  await engine.clock.advance(59.999);
  expect(answer.state).toBe("pending");
  await engine.clock.advance(0.001);
  expect(answer.error).toMatchObject({ name: "TaskTimeout", code: "task_timeout" });
  expect((answer.error as Error).message).toContain("Proceed?");
  expect((await engine.manager.getTask(taskId)).task.status).toBe("running");
});

test("an unhandled TaskTimeout fails the task", async () => {
  const engine = testEngine();
  engine.manager.registerTask("asks", (ctx) => ctx.askCustomer("Proceed?", { timeout: 5 }));
  const taskId = await engine.manager.startTask("asks");
  await engine.clock.advance(5);
  const { task, error } = await engine.manager.getTask(taskId);
  expect(task.status).toBe("failed");
  expect(error).toMatch(/^TaskTimeout: /);
});

test("askCustomer throws QuestionDeclined with the reason", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?", { default: "yes" }));
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.declineQuestion(questionId, { actor: ann, reason: "not my job" });
  await engine.clock.settle();
  expect(answer.error).toMatchObject({
    name: "QuestionDeclined",
    code: "question_declined",
    details: { questionId, reason: "not my job" },
  });
  expect((answer.error as Error).message).toContain("Ann");
});

test("askCustomer throws TaskCancelled when the task is cancelled", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?", { default: "yes" }));
  await engine.clock.settle();
  await engine.manager.cancelTask(taskId, { reason: "enough" });
  await engine.clock.settle();
  expect(answer.error).toMatchObject({ name: "TaskCancelled", code: "task_cancelled" });
  expect((answer.error as Error).message).toContain("enough");
});

test("a default is what a timeout yields; the outcome still is timed_out", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("How many?", { timeout: 5, default: "2", key: "a" }));
  const outcome = watch(ctx.ask({ prompt: "And?", timeout: 5, default: "none", key: "b" }));
  await engine.clock.advance(5);
  expect(answer.value).toBe("2");
  expect(outcome.value).toMatchObject({
    outcome: "timed_out",
    answer: null,
    defaultUsed: true,
    defaultValue: "none",
    by: null,
  });
  const { questions } = await engine.manager.getTask(taskId);
  expect(questions.map((question) => [question.timedOut, question.isAnswered])).toEqual([
    [true, false],
    [true, false],
  ]);
});

async function askedAndSeen() {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const outcome = watch<Outcome<unknown>>(
    ctx.ask({ prompt: "Proceed?", timeout: 60, default: "perhaps" }),
  );
  await engine.clock.advance(2);
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.markQuestionSeen(questionId, { actor: ann });
  await engine.clock.advance(2);
  return { engine, taskId, outcome, questionId };
}

test.each<[string, Partial<Outcome<unknown>>, Actor | null]>([
  ["answered", { answer: "yes", defaultUsed: false, defaultValue: null }, ann],
  ["declined", { answer: null, defaultUsed: false, declineReason: "no time" }, agent],
  ["timed_out", { answer: null, defaultUsed: true, defaultValue: "perhaps" }, null],
  ["cancelled", { answer: null, defaultUsed: false, defaultValue: null }, otherAgent],
])("ask resolves to the whole outcome when %s", async (outcome, fields, by) => {
  const { engine, taskId, ...seen } = await askedAndSeen();
  const { manager, clock } = engine;
  if (outcome === "answered") {
    await manager.respondToQuestion(taskId, seen.questionId, "yes", { actor: ann });
  }
  if (outcome === "declined") {
    await manager.declineQuestion(seen.questionId, { actor: agent, reason: "no time" });
  }
  if (outcome === "timed_out") await clock.advance(56);
  if (outcome === "cancelled") await manager.cancelTask(taskId, { actor: otherAgent });
  await clock.settle();
  expect(seen.outcome.value).toMatchObject({ outcome, by, ...fields });
  expect(seen.outcome.value?.question).toMatchObject({
    outcome,
    firstSeenBy: ann,
    firstSeenAt: "2026-11-30T12:00:02.000000Z",
    isResolved: true,
    isAnswered: outcome === "answered",
  });
});

test("the surface an answer came over is told to the handler and kept in the timeline", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const outcome = watch(ctx.ask({ prompt: "Proceed?" }));
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.respondToQuestion(taskId, questionId, "yes", { actor: ann });
  await engine.clock.settle();
  expect(outcome.value?.by?.surface).toBe("dashboard");
  const resolved = (await engine.manager.readEvents(taskId)).find(
    (event) => event.kind === "question_resolved",
  );
  expect(resolved).toMatchObject({ outcome: "answered", actor: ann });
});

test("several questions are open at once and resolved in any order", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answers = ["a", "b", "c"].map((key) => watch(ctx.askCustomer(`${key}?`, { key })));
  await engine.clock.settle();
  const { pendingQuestion, pendingQuestions } = await engine.manager.pollTask(taskId);
  expect(pendingQuestion?.prompt).toBe("a?");
  expect(pendingQuestions.map((question) => question.prompt)).toEqual(["a?", "b?", "c?"]);
  const ids = pendingQuestions.map((question) => question.questionId);
  for (const i of [1, 2, 0]) {
    expect((await engine.manager.getTask(taskId)).task.status).toBe("waiting_for_input");
    await engine.manager.respondToQuestion(taskId, ids[i] ?? "", `answer ${i}`);
    await engine.clock.settle();
    expect(answers[i]?.value).toBe(`answer ${i}`);
  }
  expect((await engine.manager.getTask(taskId)).task.status).toBe("running");
});

test("a question says how much it presses; normally, unless the handler says so", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  watch(ctx.ask({ prompt: "a?", key: "a" }));
  watch(ctx.ask({ prompt: "b?", key: "b", urgency: "high" }));
  watch(ctx.approve("restart", {}, { key: "c", urgency: "low" }));
  await engine.clock.settle();
  const { questions } = await engine.manager.getTask(taskId);
  expect(questions.map(({ urgency }) => urgency)).toEqual(["normal", "high", "low"]);
});

test("each open question has its own deadline", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  const answers = [30, 10, 20].map((timeout) =>
    watch(ctx.askCustomer("Well?", { key: String(timeout), timeout })),
  );
  const states = () => answers.map((answer) => answer.state[0]).join("");
  await engine.clock.advance(10);
  expect(states()).toBe("prp");
  await engine.clock.advance(10);
  expect(states()).toBe("prr");
  await engine.clock.advance(10);
  expect(states()).toBe("rrr");
});

test("a question may stay open for months", async () => {
  const engine = testEngine();
  const { ctx } = await drive(engine);
  const day = 24 * 3600;
  const answer = watch(ctx.askCustomer("Any time?", { timeout: 90 * day }));
  for (let i = 0; i < 9; i++) {
    // In jumps, as a machine that sleeps would see it; the lease is renewed in between.
    engine.clock.jump(10 * day - 20);
    await engine.clock.advance(19);
  }
  expect(answer.state).toBe("pending");
  await engine.clock.advance(20);
  expect((answer.error as Error).name).toBe("TaskTimeout");
});

test("an answer that comes before the handler awaits its promise is not lost", async () => {
  const engine = testEngine();
  engine.manager.registerTask("busy", async (ctx) => {
    const later = ctx.askCustomer("Proceed?");
    await ctx.sleep(100);
    return later;
  });
  const taskId = await engine.manager.startTask("busy");
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.respondToQuestion(taskId, questionId, "yes");
  await engine.clock.advance(100);
  expect((await engine.manager.getTask(taskId)).result).toBe("yes");
});

test("an answer given the moment the question is committed reaches the handler", async () => {
  const engine = testEngine();
  const { manager, store, clock } = engine;
  store.subscribe((change) => {
    for (const { outcome, taskId, questionId } of change.questions) {
      if (outcome === null) void manager.respondToQuestion(taskId, questionId, "at once");
    }
  });
  const { ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?"));
  await clock.settle();
  expect(answer.value).toBe("at once");
});

test("a late answer loses by the clock, though nothing has closed the question yet", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?", { timeout: 60 }));
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  engine.clock.jump(60);
  expect(await engine.manager.respondToQuestion(taskId, questionId, "yes")).toBe(false);
  await engine.clock.settle();
  expect((answer.error as Error).name).toBe("TaskTimeout");
  expect((await engine.manager.getQuestion(questionId)).outcome).toBe("timed_out");
});

test("an answer a microsecond before the deadline wins", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?", { timeout: 60 }));
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  engine.clock.jump(59.999_999);
  expect(await engine.manager.respondToQuestion(taskId, questionId, "yes")).toBe(true);
  await engine.clock.settle();
  expect(answer.value).toBe("yes");
});

test("a question is timed out without any help, also when the clock was set forward", async () => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const answer = watch(ctx.askCustomer("Proceed?", { timeout: 3600 }));
  await engine.clock.settle();
  engine.clock.jump(7200);
  await engine.clock.advance(3600);
  expect(answer.state).toBe("rejected");
  expect((await eventKinds(engine, taskId)).at(-1)).toBe("question_resolved");
});

test.each([
  ["an empty prompt", { prompt: " " }],
  ["timeout 0", { prompt: "?", timeout: 0 }],
  ["timeout NaN", { prompt: "?", timeout: Number.NaN }],
  ["timeout Infinity", { prompt: "?", timeout: Number.POSITIVE_INFINITY }],
  ["no choices", { prompt: "?", choices: [] }],
  ["two equal choices", { prompt: "?", choices: ["a", "a"] }],
  ["choices and a schema", { prompt: "?", choices: ["a"], schema: z.string() }],
  ["multiple without choices", { prompt: "?", multiple: true }],
  ["a default that is no choice", { prompt: "?", choices: ["a"], default: "b" }],
  ["a default against the schema", { prompt: "?", schema: z.number(), default: "b" }],
  ["an unknown urgency", { prompt: "?", urgency: "asap" as "high" }],
  ["a default that is not JSON", { prompt: "?", default: () => 1 }],
])("a question with %s is refused, and asks nobody", async (_, request) => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  expect((await rejection(ctx.ask(request))).code).toBe("invalid_input");
  expect((await engine.manager.getTask(taskId)).questions).toEqual([]);
});
