import { expect, test } from "vitest";
import { z } from "zod";
import type { QuestionRequest } from "../../server/core/task-context.ts";
import {
  agent,
  ann,
  drive,
  openQuestion,
  otherAgent,
  rejection,
  testEngine,
  watch,
} from "./test-engine.ts";

async function asking(request: Partial<QuestionRequest> = {}) {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const outcome = watch<{ outcome: string; answer: unknown }>(
    ctx.ask({ prompt: "Well?", ...request }),
  );
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  return { engine, ...engine, taskId, questionId, outcome, finish };
}

const limits = {
  type: "object",
  properties: { n: { type: "integer", minimum: 3 } },
  required: ["n"],
};

test.each<[string, Partial<QuestionRequest>, unknown[], unknown]>([
  ["free text", {}, [1, null, undefined, ["yes"], { a: 1 }, true], "any text at all"],
  ["choices", { choices: ["yes", "no"] }, ["maybe", "", null, ["yes"]], "no"],
  ["choices with labels", { choices: [{ value: "y", label: "Yes" }] }, ["Yes", "yes"], "y"],
  [
    "several choices",
    { choices: ["a", "b", "c"], multiple: true },
    ["a", ["a", "d"], ["a", "a"], [["a"]], [null], null],
    ["c", "a"],
  ],
  ["several choices, none of them", { choices: ["a"], multiple: true }, ["", {}], []],
  ["a JSON schema", { schema: limits }, [{ n: 2 }, { n: "3" }, {}, "3", null], { n: 3 }],
  [
    "a zod schema",
    { schema: z.object({ n: z.int().min(3) }) },
    [{ n: 2 }, { n: 3.5 }, { n: "3" }, 3, null],
    { n: 3 },
  ],
  [
    "a zod schema with a refinement",
    { schema: z.string().refine((text) => text.startsWith("v"), "starts with v") },
    ["1.0", 1],
    "v1.0",
  ],
])("%s: a bad answer keeps the question open, a good one wins", async (_, request, bad, good) => {
  const { manager, clock, taskId, questionId, outcome } = await asking(request);
  for (const answer of bad) {
    const error = await rejection(manager.respondToQuestion(taskId, questionId, answer));
    expect(error).toMatchObject({ name: "InvalidAnswer", code: "invalid_answer" });
  }
  await clock.settle();
  expect(outcome.state).toBe("pending");
  expect(await manager.respondToQuestion(taskId, questionId, good)).toBe(true);
  await clock.settle();
  expect(outcome.value).toMatchObject({ outcome: "answered", answer: good });
});

test("the words for a bad answer say what would be right", async () => {
  const { manager, taskId, questionId } = await asking({ choices: ["yes", "no"] });
  const error = await rejection(manager.respondToQuestion(taskId, questionId, "maybe"));
  expect(error.message).toContain('"maybe"');
  expect(error.message).toContain("yes, no");
});

test("the words for an answer against a schema name the field", async () => {
  const { manager, taskId, questionId } = await asking({ schema: limits });
  const error = await rejection(manager.respondToQuestion(taskId, questionId, { n: 1 }));
  expect(error.message).toContain("n: ");
});

test("a zod schema's transform reaches the handler, and what was said is kept", async () => {
  const schema = z.string().transform((text) => text.split(","));
  const { manager, clock, taskId, questionId, outcome } = await asking({ schema });
  await manager.respondToQuestion(taskId, questionId, "a,b");
  await clock.settle();
  expect(outcome.value?.answer).toEqual(["a", "b"]);
  expect((await manager.getQuestion(questionId)).answer).toBe("a,b");
});

test("a zod schema with an asynchronous check is awaited", async () => {
  const schema = z.string().refine(async (text) => text !== "taken", "is taken");
  const { manager, clock, taskId, questionId, outcome } = await asking({ schema });
  const error = await rejection(manager.respondToQuestion(taskId, questionId, "taken"));
  expect(error.code).toBe("invalid_answer");
  await manager.respondToQuestion(taskId, questionId, "free");
  await clock.settle();
  expect(outcome.value?.answer).toBe("free");
});

test.each([() => 1, 1n, Symbol("s")])(
  "an answer that JSON cannot hold is refused",
  async (answer) => {
    const { manager, taskId, questionId, clock, outcome } = await asking();
    const error = await rejection(manager.respondToQuestion(taskId, questionId, answer));
    expect(error.code).toMatch(/invalid_input|invalid_answer/);
    await clock.settle();
    expect(outcome.state).toBe("pending");
  },
);

test("the same answer again by the same actor is true, over whatever surface", async () => {
  const { manager, taskId, questionId } = await asking();
  const say = (answer: string, actor = agent) =>
    manager.respondToQuestion(taskId, questionId, answer, { actor });
  expect(await say("yes")).toBe(true);
  expect(await say("yes")).toBe(true);
  expect(await say("yes", { ...agent, surface: "mcp", name: "renamed" })).toBe(true);
  expect(await say("no")).toBe(false);
  expect(await say("yes", otherAgent)).toBe(false);
  expect(await say("yes", { ...ann, id: agent.id })).toBe(false);
  expect((await manager.getQuestion(questionId)).answer).toBe("yes");
});

test("an answer equal as data repeats, whatever the order of its keys", async () => {
  const schema = { type: "object" };
  const { manager, taskId, questionId } = await asking({ schema });
  expect(await manager.respondToQuestion(taskId, questionId, { a: 1, b: 2 })).toBe(true);
  expect(await manager.respondToQuestion(taskId, questionId, { b: 2, a: 1 })).toBe(true);
});

test("a repeated answer after the task has ended still is true, and one event", async () => {
  const { manager, clock, taskId, questionId, finish } = await asking();
  await manager.respondToQuestion(taskId, questionId, "yes");
  finish();
  await clock.settle();
  expect(await manager.respondToQuestion(taskId, questionId, "yes")).toBe(true);
  const events = await manager.readEvents(taskId);
  expect(events.filter((event) => event.kind === "question_resolved")).toHaveLength(1);
});

test.each(["declined", "timed_out", "cancelled"])(
  "an answer to a question that is %s is false and told its outcome, even a bad answer",
  async (outcome) => {
    const { manager, clock, taskId, questionId } = await asking({ choices: ["yes"], timeout: 9 });
    if (outcome === "declined") await manager.declineQuestion(questionId);
    if (outcome === "timed_out") await clock.advance(9);
    if (outcome === "cancelled") await manager.cancelTask(taskId);
    expect(await manager.respondToQuestion(taskId, questionId, "yes")).toBe(false);
    const lost = await manager.answerQuestion(questionId, "nonsense");
    expect(lost).toMatchObject({ won: false, question: { outcome } });
  },
);

test("a decline after an answer is lost, the same decline again is won", async () => {
  const first = await asking();
  await first.manager.respondToQuestion(first.taskId, first.questionId, "yes");
  expect((await first.manager.declineQuestion(first.questionId)).won).toBe(false);
  const second = await asking();
  expect((await second.manager.declineQuestion(second.questionId, { actor: ann })).won).toBe(true);
  expect((await second.manager.declineQuestion(second.questionId, { actor: ann })).won).toBe(true);
  expect((await second.manager.declineQuestion(second.questionId, { actor: agent })).won).toBe(
    false,
  );
});

test("only an operator may answer or decline an operator's question", async () => {
  const { manager, clock, taskId, questionId, outcome } = await asking({
    answerableBy: "operator",
  });
  for (const refused of [
    manager.respondToQuestion(taskId, questionId, "yes", { actor: agent }),
    manager.respondToQuestion(taskId, questionId, "yes"),
    manager.declineQuestion(questionId, { actor: agent }),
  ]) {
    expect(await rejection(refused)).toMatchObject({ name: "Forbidden", code: "forbidden" });
  }
  await clock.settle();
  expect(outcome.state).toBe("pending");
  expect(await manager.respondToQuestion(taskId, questionId, "yes", { actor: ann })).toBe(true);
});

test("an agent learns that an operator's question is not its to answer, not what would be valid", async () => {
  const { manager, taskId, questionId } = await asking({
    answerableBy: "operator",
    choices: ["yes"],
  });
  const refused = manager.respondToQuestion(taskId, questionId, "nonsense", { actor: agent });
  expect((await rejection(refused)).code).toBe("forbidden");
});

test("unknown tasks and questions, and another task's question, are not found", async () => {
  const { engine, manager, taskId, questionId } = await asking();
  const other = await drive(engine);
  for (const answer of [
    manager.respondToQuestion(other.taskId, questionId, "yes"),
    manager.respondToQuestion("task_nowhere", questionId, "yes"),
    manager.respondToQuestion(taskId, "q_nowhere", "yes"),
    manager.answerQuestion("q_nowhere", "yes"),
    manager.declineQuestion("q_nowhere"),
    manager.declineQuestion(questionId, { taskId: other.taskId }),
    manager.markQuestionSeen("q_nowhere", { actor: ann }),
    manager.getQuestion("q_nowhere"),
    manager.cancelTask("task_nowhere"),
    manager.getTask("task_nowhere"),
    manager.readEvents("task_nowhere"),
  ]) {
    expect((await rejection(answer)).code).toBe("task_not_found");
  }
  expect((await openQuestion(engine, taskId)).questionId).toBe(questionId);
});

test("a question is seen first by whoever saw it first, once", async () => {
  const { manager, clock, taskId, questionId } = await asking();
  await Promise.all([
    manager.markQuestionSeen(questionId, { actor: ann }),
    manager.markQuestionSeen(questionId, { actor: { ...ann, id: "bob" } }),
  ]);
  await clock.advance(1);
  await manager.markQuestionSeen(questionId, { actor: { ...ann, id: "carol" } });
  const question = await manager.getQuestion(questionId);
  expect(question.firstSeenBy?.id).toBe("ann");
  const events = await manager.readEvents(taskId);
  expect(events.filter((event) => event.kind === "question_seen")).toHaveLength(1);
});
