import { afterEach, expect, test } from "vitest";
import { hasErrorCode, TaskManager } from "../../server/index.ts";

const managers: TaskManager[] = [];
const make = () => {
  const manager = new TaskManager();
  managers.push(manager);
  return manager;
};

afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.shutdown(1);
});

const toTheEnd = async (manager: TaskManager, taskId: string) => {
  let since: string | undefined;
  for (;;) {
    const response = await manager.pollTask(taskId, { since, waitFor: "input_or_result" });
    since = response.cursor;
    if (response.result) return response.result;
  }
};

test("a handler starts children and has their results", async () => {
  const manager = make();
  manager.registerTask("square", (_ctx, { n }: { n: number }) => n * n);
  manager.registerTask("sum", async (ctx) => {
    const children = await Promise.all(
      [1, 2, 3].map((n) => ctx.startTask("square", { n }, { key: `n${n}` })),
    );
    const squares = await Promise.all(children.map((child) => child.result()));
    return squares.reduce<number>((sum, square) => sum + Number(square), 0);
  });
  const taskId = await manager.startTask("sum");
  expect((await toTheEnd(manager, taskId)).result).toBe(14);
  const children = await manager.listTasks({ parentTaskId: taskId, limit: 10 });
  expect(children.items).toHaveLength(3);
});

test("a child's failure reaches its parent with what went wrong", async () => {
  const manager = make();
  manager.registerTask("breaks", () => {
    throw new RangeError("too far");
  });
  manager.registerTask("parent", async (ctx) => {
    const child = await ctx.startTask("breaks");
    try {
      await child.result();
    } catch (error) {
      return hasErrorCode(error, "child_task_failed") ? error.details.error : "something else";
    }
  });
  const result = await toTheEnd(manager, await manager.startTask("parent"));
  expect(result.result).toBe("RangeError: too far");
});

test("a cancel is passed down to children and their children", async () => {
  const manager = make();
  manager.registerTask("leaf", (ctx) => ctx.askCustomer("Well?"));
  manager.registerTask("middle", async (ctx) => (await ctx.startTask("leaf")).result());
  manager.registerTask("top", async (ctx) => (await ctx.startTask("middle")).result());
  const top = await manager.startTask("top");
  let leaf: string | undefined;
  while (!leaf) {
    await manager.pollTask(top, {
      timeout: 0.01,
      waitFor: "input_or_result",
      since: "2100-01-01" + "T00:00Z",
    });
    leaf = (await manager.listQuestions({ state: "open", limit: 1 })).items[0]?.taskId;
  }
  await manager.cancelTask(top, { reason: "no longer needed" });
  expect((await toTheEnd(manager, top)).status).toBe("cancelled");
  const ended = await manager.listTasks({ statuses: ["cancelled"], limit: 10 });
  expect(ended.items.map((task) => task.type).sort()).toEqual(["leaf", "middle", "top"]);
});

test("a finished task is rerun with the same params or others, and linked", async () => {
  const manager = make();
  manager.registerTask("echo", (_ctx, params) => params);
  const first = await manager.startTask("echo", { word: "one" }, { labels: { env: "test" } });
  await toTheEnd(manager, first);
  const again = await manager.rerunTask(first);
  expect((await toTheEnd(manager, again.taskId)).result).toEqual({ word: "one" });
  expect(again).toMatchObject({ rerunOf: first, labels: { env: "test" } });
  const edited = await manager.rerunTask(first, { params: { word: "two" } });
  expect((await toTheEnd(manager, edited.taskId)).result).toEqual({ word: "two" });
  const reruns = await manager.listTasks({ rerunOf: first, limit: 10, order: "oldest" });
  expect(reruns.items.map(({ taskId }) => taskId)).toEqual([again.taskId, edited.taskId]);
});

test("a rerun with an idempotency key starts once", async () => {
  const manager = make();
  manager.registerTask("echo", (_ctx, params) => params);
  const first = await manager.startTask("echo", { word: "one" });
  await toTheEnd(manager, first);
  const call = { idempotencyKey: "again", params: { word: "two" } };
  const once = await manager.rerunTaskDetailed(first, call);
  const twice = await manager.rerunTaskDetailed(first, call);
  expect([once.created, twice.created]).toEqual([true, false]);
  expect(twice.task.taskId).toBe(once.task.taskId);
});

test("a task that has not finished is not rerun", async () => {
  const manager = make();
  manager.registerTask("waits", (ctx) => ctx.askCustomer("Well?"));
  const taskId = await manager.startTask("waits");
  await expect(manager.rerunTask(taskId)).rejects.toMatchObject({ code: "conflict" });
});
