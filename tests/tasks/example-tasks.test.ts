import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TaskManager } from "../../server/index.ts";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { registerUserTasks } from "../../server/user-tasks.ts";
import { followTask, runTask } from "./run-task.ts";

let manager: TaskManager;
beforeEach(() => {
  manager = new TaskManager();
  registerBuiltInTasks(manager, { filesRoot: "examples/logs" });
});
afterEach(() => manager.shutdown());

test("the types are described for people and agents, and the examples marked", () => {
  const types = manager.taskTypes();
  expect(types.map(({ type, example }) => [type, example])).toEqual([
    ["analyze_logs", false],
    ["deploy", true],
    ["setup_database", true],
    ["batch_process", true],
    ["refund_order", true],
  ]);
  for (const { title, description, paramsSchema } of types) {
    expect(title).toMatch(/^[A-Z]/);
    expect(description.length).toBeGreaterThan(40);
    expect(paramsSchema).toMatchObject({ type: "object", additionalProperties: false });
    const fields = Object.values(paramsSchema?.properties ?? {});
    expect(fields.length).toBeGreaterThan(1);
    for (const field of fields) {
      expect(field).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    }
  }
});

describe("deploy", () => {
  test("asks when the checks found issues, and goes on with a yes", async () => {
    const params = { env: "production", issues: 2, pace: 0 };
    const { result, messages, questions } = await runTask(manager, "deploy", params, {
      answer: () => "yes",
    });
    expect(result).toBe("Deployed to production");
    expect(questions[0]?.prompt).toMatch(/^Pre-deploy found 2 issues:\n- .+\n- .+\n\nProceed/);
    expect(questions[0]?.choices?.map(({ value }) => value)).toEqual(["yes", "no"]);
    expect(messages).toEqual([
      "info: Running pre-deploy checks...",
      "warning: Found 2 issues",
      "info: Deploying...",
      "info: Pulled the image",
      "info: Ran the migrations",
      "info: Replaced the instances",
    ]);
  });

  test("a no aborts it", async () => {
    const params = { issues: 1, pace: 0 };
    const { result } = await runTask(manager, "deploy", params, { answer: () => "no" });
    expect(result).toBe("Deploy aborted by customer");
  });

  test("without issues it does not ask", async () => {
    const { result, questions } = await runTask(manager, "deploy", { issues: 0, pace: 0 });
    expect({ result, questions }).toEqual({ result: "Deployed to staging", questions: [] });
  });
});

describe("refund_order", () => {
  const ann = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;

  async function refund(amount: number, answers: [string, object][]) {
    const taskId = await manager.startTask("refund_order", { amount, pace: 0 });
    const { pendingQuestion } = await manager.pollTask(taskId, { waitFor: "input_or_result" });
    const questionId = pendingQuestion?.questionId as string;
    for (const [id, answer] of answers) {
      await manager.answerQuestion(questionId, answer, { actor: { ...ann, id } });
    }
    return { taskId, questionId };
  }

  test("is paid as approved, or as changed by who approved it", async () => {
    const plain = await refund(80, [["ann", { approve: true }]]);
    const paid = { order: "A-1042", amount: 80, currency: "EUR", payment: "simulated-A-1042" };
    expect((await followTask(manager, plain.taskId)).result).toEqual({ refunded: true, ...paid });
    const args = { order: "A-1042", amount: 50, currency: "EUR" };
    const changed = await refund(80, [["ann", { approve: true, args }]]);
    expect(await followTask(manager, changed.taskId)).toMatchObject({
      result: { refunded: true, amount: 50 },
      messages: expect.arrayContaining(["warning: The refund was changed by who approved it"]),
    });
  });

  test("needs two people when it is large, and is not paid when one of them declines", async () => {
    const both = await refund(500, [
      ["ann", { approve: true }],
      ["bob", { approve: true }],
    ]);
    expect((await followTask(manager, both.taskId)).result).toMatchObject({ amount: 500 });
    const { taskId, questionId } = await refund(500, [["ann", { approve: true }]]);
    await manager.declineQuestion(questionId, { actor: { ...ann, id: "bob", name: "Bob" } });
    expect(await followTask(manager, taskId)).toMatchObject({
      result: { refunded: false },
      messages: expect.arrayContaining(["warning: Bob declined to answer."]),
    });
  });
});

describe("setup_database", () => {
  test.each([
    ["drop", "info: Dropping and recreating database..."],
    ["keep", "info: Keeping existing database, running migrations only..."],
  ])("%s", async (answer, expected) => {
    const { result, messages } = await runTask(
      manager,
      "setup_database",
      { pace: 0 },
      {
        answer: () => answer,
      },
    );
    expect(result).toBe("Database setup complete");
    expect(messages).toEqual(["info: Checking existing databases...", expected]);
  });

  test("a new database raises no question", async () => {
    const params = { name: "shop", exists: false, pace: 0 };
    const { messages, questions } = await runTask(manager, "setup_database", params);
    expect(questions).toEqual([]);
    expect(messages.at(-1)).toBe("info: Creating database shop...");
  });
});

describe("batch_process", () => {
  test("reports each item and the whole", async () => {
    const { result, messages, taskId } = await runTask(manager, "batch_process", {
      items: 3,
      pace: 0,
    });
    expect(result).toEqual({ processed: 3 });
    expect(messages).toEqual([
      "info: Processed 1 items",
      "info: Processed 2 items",
      "info: Processed 3 items",
      "info: Removed the working files",
    ]);
    expect((await manager.getTask(taskId)).task.progress).toMatchObject({ done: 3, total: 3 });
  });

  test("stops at a cancel and cleans up", async () => {
    const taskId = await manager.startTask("batch_process", { items: 100, pace: 0.02 });
    const { updates } = await manager.pollTask(taskId);
    expect(updates.length).toBeGreaterThan(0);
    await manager.cancelTask(taskId);
    const { status, messages } = await followTask(manager, taskId);
    expect(status).toBe("cancelled");
    expect(messages.at(-2)).toMatch(/^warning: Stopped after \d+ of 100 items$/);
    expect(messages.at(-1)).toBe("info: Removed the working files");
  });
});

test("the module of own task types in examples/ works as it is", async () => {
  await registerUserTasks(manager, join(import.meta.dirname, "../../examples/tasks.js"));
  expect((await runTask(manager, "greet", { name: "Ada" })).result).toBe("Hello, Ada!");
  const { result, messages } = await runTask(
    manager,
    "send_newsletter",
    {},
    {
      answer: () => ({ subject: "News", isTest: true }),
    },
  );
  expect(result).toEqual({ subject: "News", isTest: true, sent: 3 });
  expect(messages.at(-1)).toBe("info: Sent 3 of 3");
});
