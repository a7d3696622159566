import { expect } from "vitest";
import { TaskQuestion } from "../../server/core/task-question.ts";
import { TaskResult } from "../../server/core/task-result.ts";
import { isTaskStore } from "../../server/core/task-store.ts";
import { TaskUpdate } from "../../server/core/task-update.ts";
import type { ConformanceTest } from "./conformance.ts";

/** The seed's protocol, with the seed's meaning. */
export function tenMethodTests(test: ConformanceTest): void {
  test("is a TaskStore", ({ kit }) => {
    expect(isTaskStore(kit.store)).toBe(true);
  });

  test("a created task is pending and keeps its type and parameters", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", { env: "staging" });
    expect(await kit.store.getTaskStatus("t1")).toBe("pending");
    expect(await kit.store.getTask("t1")).toMatchObject({ taskId: "t1", type: "deploy" });
    expect((await kit.store.getPayload("t1"))?.params).toEqual({ env: "staging" });
  });

  test("an id is used once", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", {});
    await expect(kit.store.createTask("t1", "deploy", {})).rejects.toMatchObject({
      code: "conflict",
      message: "There already is a task t1.",
    });
  });

  test("statuses are set until one is terminal", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", {});
    for (const status of ["running", "waiting_for_input", "running", "failed"] as const) {
      await kit.store.setTaskStatus("t1", status);
      expect(await kit.store.getTaskStatus("t1")).toBe(status);
    }
    await kit.store.setTaskStatus("t1", "failed");
    await expect(kit.store.setTaskStatus("t1", "running")).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await kit.store.getTaskStatus("t1")).toBe("failed");
  });

  test("updates come back oldest first, and after a moment only those later", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", {});
    for (const [message, level] of [
      ["one", "info"],
      ["two", "warning"],
      ["three", "error"],
    ] as const) {
      await kit.clock.advance(1);
      const timestamp = kit.now();
      await kit.store.addUpdate(new TaskUpdate({ taskId: "t1", message, level, timestamp }));
    }
    const all = await kit.store.getUpdates("t1");
    expect(all.map(({ message, level }) => [message, level])).toEqual([
      ["one", "info"],
      ["two", "warning"],
      ["three", "error"],
    ]);
    expect(all[0]).toBeInstanceOf(TaskUpdate);
    const since = await kit.store.getUpdates("t1", all[0]?.timestamp);
    expect(since.map(({ message }) => message)).toEqual(["two", "three"]);
    expect(await kit.store.getUpdates("t1", all[2]?.timestamp)).toEqual([]);
  });

  test("an update keeps its id, and its timestamp where that rises", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", {});
    const timestamp = kit.later(3);
    await kit.store.addUpdate(
      new TaskUpdate({ taskId: "t1", message: "m", updateId: "u_mine", timestamp }),
    );
    await kit.store.addUpdate(new TaskUpdate({ taskId: "t1", message: "late", timestamp }));
    const [first, second] = await kit.store.getUpdates("t1");
    expect(first).toMatchObject({ updateId: "u_mine", timestamp });
    expect(second?.timestamp).toBe(timestamp.replace("000000Z", "000001Z"));
  });

  test("the pending question is the oldest one without an answer", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", {});
    expect(await kit.store.getPendingQuestion("t1")).toBeNull();
    const first = new TaskQuestion({ taskId: "t1", prompt: "First?", questionId: "q1" });
    const second = new TaskQuestion({ taskId: "t1", prompt: "Second?", questionId: "q2" });
    await kit.store.addQuestion(first);
    await kit.clock.advance(1);
    await kit.store.addQuestion(second);
    const pending = await kit.store.getPendingQuestion("t1");
    expect(pending).toBeInstanceOf(TaskQuestion);
    expect(pending).toMatchObject({ questionId: "q1", prompt: "First?", isAnswered: false });
    await kit.store.answerQuestion("q1", "yes");
    expect(await kit.store.getPendingQuestion("t1")).toMatchObject({ questionId: "q2" });
    await kit.store.answerQuestion("q2", "no");
    expect(await kit.store.getPendingQuestion("t1")).toBeNull();
    expect(await kit.store.getQuestion("q1")).toMatchObject({ outcome: "answered", answer: "yes" });
  });

  test("a result is there once the task ended", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", {});
    expect(await kit.store.getResult("t1")).toBeNull();
    const result = new TaskResult({ taskId: "t1", status: "completed", result: { ok: [1, null] } });
    await kit.store.setResult("t1", result);
    const stored = await kit.store.getResult("t1");
    expect(stored).toBeInstanceOf(TaskResult);
    expect(stored).toMatchObject({ status: "completed", result: { ok: [1, null] }, error: null });
    expect(await kit.store.getTaskStatus("t1")).toBe("completed");
  });

  test("a result may follow the status it belongs to", async ({ kit }) => {
    await kit.store.createTask("t1", "deploy", {});
    await kit.store.setTaskStatus("t1", "failed");
    await kit.store.setResult(
      "t1",
      new TaskResult({ taskId: "t1", status: "failed", error: "RangeError: no" }),
    );
    expect(await kit.store.getResult("t1")).toMatchObject({
      status: "failed",
      error: "RangeError: no",
    });
  });

  test("a result is set once", async ({ kit }) => {
    const { store } = kit;
    for (const taskId of ["t1", "t2"]) await store.createTask(taskId, "deploy", {});
    await store.setTaskStatus("t2", "completed");
    for (const taskId of ["t1", "t2"]) {
      await store.setResult(taskId, new TaskResult({ taskId, status: "completed", result: 1 }));
      const again = new TaskResult({ taskId, status: "completed", result: 2 });
      await expect(store.setResult(taskId, again)).rejects.toMatchObject({ code: "conflict" });
      expect(await store.getResult(taskId)).toMatchObject({ result: 1 });
    }
  });

  test("unknown ids reject with TaskNotFound", async ({ kit }) => {
    const { store } = kit;
    const update = new TaskUpdate({ taskId: "none", message: "m" });
    const question = new TaskQuestion({ taskId: "none", prompt: "?" });
    const result = new TaskResult({ taskId: "none", status: "failed" });
    for (const call of [
      () => store.getTaskStatus("none"),
      () => store.setTaskStatus("none", "running"),
      () => store.addUpdate(update),
      () => store.getUpdates("none"),
      () => store.addQuestion(question),
      () => store.getPendingQuestion("none"),
      () => store.answerQuestion("none", "x"),
      () => store.setResult("none", result),
      () => store.getResult("none"),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "task_not_found" });
    }
  });
}
