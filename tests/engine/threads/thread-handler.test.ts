import { afterEach, expect, test } from "vitest";
import { TaskManager } from "../../../server/index.ts";

const module = new URL("./handlers.mjs", import.meta.url);
const managers: TaskManager[] = [];

function manager(): TaskManager {
  const made = new TaskManager();
  managers.push(made);
  for (const exportName of ["default", "spin", "fail", "stops", "approves"]) {
    made.registerTask(
      { type: exportName, isolation: "thread", cancelGrace: 0.2 },
      { module, exportName },
    );
  }
  return made;
}

afterEach(async () => {
  for (const made of managers.splice(0)) await made.shutdown(1);
});

test("a handler in a thread has the whole ctx", async () => {
  const tasks = manager();
  const taskId = await tasks.startTask("default", { name: "Ada", n: 21 });
  const asked = await tasks.pollTask(taskId, { waitFor: "input_or_result" });
  expect(asked.updates.map((update) => update.message)).toEqual(["hello from a thread, Ada"]);
  expect(asked.pendingQuestion?.choices?.map((choice) => choice.value)).toEqual(["yes", "no"]);
  await tasks.respondToQuestion(taskId, asked.pendingQuestion?.questionId ?? "", "yes");
  const ended = await tasks.pollTask(taskId, { since: asked.cursor, waitFor: "input_or_result" });
  const result =
    ended.result ??
    (await tasks.pollTask(taskId, { since: ended.cursor, waitFor: "input_or_result" })).result;
  expect(result?.result).toEqual({ doubled: 42, answer: "yes" });
});

test("a handler in a thread asks for approval, and uses the grant in a step", async () => {
  const tasks = manager();
  const taskId = await tasks.startTask("approves", { amount: 21 });
  const asked = await tasks.pollTask(taskId, { waitFor: "input_or_result" });
  const questionId = asked.pendingQuestion?.questionId ?? "";
  const actor = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;
  await tasks.answerQuestion(questionId, { approve: true }, { actor });
  const end = async (since: string) =>
    tasks.pollTask(taskId, { since, waitFor: "input_or_result" });
  const answered = await end(asked.cursor);
  const { result } = answered.result ? answered : await end(answered.cursor);
  expect(result?.result).toEqual({ paid: 42, again: "grant_refused used" });
});

test("an error keeps its name on the way out of the thread", async () => {
  const tasks = manager();
  const taskId = await tasks.startTask("fail");
  const { result } = await tasks.pollTask(taskId, { waitFor: "input_or_result" });
  expect(result?.error).toBe("RangeError: out of reach");
});

test("a cancel reaches a thread that waits", async () => {
  const tasks = manager();
  const taskId = await tasks.startTask("stops");
  await tasks.cancelTask(taskId, { reason: "changed my mind" });
  const { result } = await tasks.pollTask(taskId, { waitFor: "input_or_result" });
  expect(result?.status).toBe("cancelled");
  expect(result?.error).toBe("TaskCancelled: changed my mind");
});

test("a thread that blocks is killed after the grace, and hurts nobody meanwhile", async () => {
  const tasks = manager();
  const taskId = await tasks.startTask("spin");
  await tasks.cancelTask(taskId);
  const { result } = await tasks.pollTask(taskId, { waitFor: "input_or_result", timeout: 10 });
  expect(result?.status).toBe("cancelled");
});

test("a function where a module is needed is refused with what to pass", () => {
  const tasks = new TaskManager();
  expect(() => tasks.registerTask({ type: "x", isolation: "thread" }, (() => 1) as never)).toThrow(
    "new URL",
  );
});
