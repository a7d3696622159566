import { expect } from "vitest";
import {
  isTaskStore,
  TaskManager,
  TaskNotFound,
  TaskQuestion,
  TaskResult,
  TaskUpdate,
} from "../../server/index.ts";
import { onEveryStore } from "../support/on-every-store.ts";

const ten = [
  "createTask",
  "getTaskStatus",
  "setTaskStatus",
  "addUpdate",
  "getUpdates",
  "addQuestion",
  "getPendingQuestion",
  "answerQuestion",
  "setResult",
  "getResult",
] as const;

onEveryStore((test) => {
  test("isTaskStore says yes", ({ store }) => {
    expect(isTaskStore(store)).toBe(true);
  });

  test("isTaskStore misses any of the ten methods", ({ store }) => {
    for (const name of ten) {
      expect(isTaskStore(Object.assign(Object.create(store), { [name]: undefined }))).toBe(false);
    }
    for (const other of [null, undefined, {}, "store", 3]) expect(isTaskStore(other)).toBe(false);
  });

  test("a manager refuses a store that lacks a method", ({ store }) => {
    const broken = { ...Object.fromEntries(ten.map((name) => [name, store[name]])), addUpdate: 1 };
    expect(() => new TaskManager({ store: broken as never })).toThrow(/ten methods/);
  });

  test("a task's whole life through the ten methods", async ({ store }) => {
    const taskId = "task_by_hand";
    await store.createTask(taskId, "demo", { env: "staging" });
    expect(await store.getTaskStatus(taskId)).toBe("pending");
    expect(await store.getResult(taskId)).toBeNull();
    expect(await store.getPendingQuestion(taskId)).toBeNull();

    await store.setTaskStatus(taskId, "running");
    expect(await store.getTaskStatus(taskId)).toBe("running");

    const first = new TaskUpdate({ taskId, message: "first" });
    await store.addUpdate(first);
    const second = new TaskUpdate({ taskId, message: "second", level: "warning" });
    await store.addUpdate(second);
    const updates = await store.getUpdates(taskId);
    expect(updates.map(({ message, level, updateId }) => [message, level, updateId])).toEqual([
      ["first", "info", first.updateId],
      ["second", "warning", second.updateId],
    ]);
    const later = await store.getUpdates(taskId, updates[0]!.timestamp);
    expect(later.map(({ message }) => message)).toEqual(["second"]);
    expect(await store.getUpdates(taskId, updates[1]!.timestamp)).toEqual([]);

    const question = new TaskQuestion({ taskId, prompt: "Go on?" });
    await store.addQuestion(question);
    expect(await store.getPendingQuestion(taskId)).toMatchObject({
      questionId: question.questionId,
      prompt: "Go on?",
      isResolved: false,
    });
    await store.answerQuestion(question.questionId, "yes");
    expect(await store.getPendingQuestion(taskId)).toBeNull();

    await store.setResult(taskId, new TaskResult({ taskId, status: "completed", result: [1, 2] }));
    await store.setTaskStatus(taskId, "completed");
    expect(await store.getTaskStatus(taskId)).toBe("completed");
    expect(await store.getResult(taskId)).toMatchObject({
      taskId,
      status: "completed",
      result: [1, 2],
      error: null,
    });
  });

  test("status first and result second is as good", async ({ store }) => {
    const taskId = "task_by_hand";
    await store.createTask(taskId, "demo", {});
    await store.setTaskStatus(taskId, "failed");
    await store.setResult(taskId, new TaskResult({ taskId, status: "failed", error: "Error: x" }));
    expect(await store.getResult(taskId)).toMatchObject({ status: "failed", error: "Error: x" });
  });

  test("the oldest open question is the pending one", async ({ store }) => {
    const taskId = "task_by_hand";
    await store.createTask(taskId, "demo", {});
    const [a, b] = [1, 2].map((n) => new TaskQuestion({ taskId, prompt: `question ${n}` }));
    await store.addQuestion(a!);
    await store.addQuestion(b!);
    expect((await store.getPendingQuestion(taskId))?.questionId).toBe(a!.questionId);
    await store.answerQuestion(a!.questionId, "x");
    expect((await store.getPendingQuestion(taskId))?.questionId).toBe(b!.questionId);
  });

  test("an unknown id is TaskNotFound, from every method that takes one", async ({ store }) => {
    const taskId = "task_unknown";
    const calls = [
      async () => store.getTaskStatus(taskId),
      async () => store.setTaskStatus(taskId, "running"),
      async () => store.addUpdate(new TaskUpdate({ taskId, message: "x" })),
      async () => store.getUpdates(taskId),
      async () => store.addQuestion(new TaskQuestion({ taskId, prompt: "?" })),
      async () => store.getPendingQuestion(taskId),
      async () => store.answerQuestion("q_unknown", "x"),
      async () => store.setResult(taskId, new TaskResult({ taskId, status: "completed" })),
      async () => store.getResult(taskId),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(TaskNotFound);
  });

  test("what the manager did can be read back from the store", async ({ store, manager }) => {
    manager.registerTask("demo", async (ctx) => {
      ctx.update("working");
      return { answer: await ctx.askCustomer("How many?") };
    });
    const taskId = await manager.startTask("demo", { a: 1 });
    const asked = await manager.pollTask(taskId, { waitFor: "input_or_result" });
    expect(await store.getTaskStatus(taskId)).toBe("waiting_for_input");
    const pending = await store.getPendingQuestion(taskId);
    expect(pending?.questionId).toBe(asked.pendingQuestion!.questionId);
    await manager.respondToQuestion(taskId, pending!.questionId, "3");
    let end = asked;
    while (!end.result) end = await manager.pollTask(taskId, { since: end.cursor });
    expect(await store.getTaskStatus(taskId)).toBe("completed");
    expect(await store.getPendingQuestion(taskId)).toBeNull();
    expect((await store.getUpdates(taskId)).map(({ message }) => message)).toEqual(["working"]);
    expect(await store.getResult(taskId)).toMatchObject({ result: { answer: "3" }, error: null });
  });
});
