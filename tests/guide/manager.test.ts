import { expect } from "vitest";
import { TaskCancelled, TaskNotFound } from "../../server/index.ts";
import { onEveryStore } from "../support/on-every-store.ts";

onEveryStore((test) => {
  test("startTask names the task types there are when it does not know one", async ({
    manager,
  }) => {
    manager.registerTask("deploy", async () => "done");
    manager.registerTask("ping", async () => "pong");
    await expect(manager.startTask("deplyo")).rejects.toMatchObject({
      code: "unknown_task_type",
      message: expect.stringMatching(/deplyo.*deploy.*ping/s),
    });
  });

  test("a name can be registered once", ({ manager }) => {
    manager.registerTask("deploy", async () => "done");
    expect(() => manager.registerTask("deploy", async () => "again")).toThrow(/deploy/);
  });

  test("unknown tasks and questions are TaskNotFound", async ({ manager }) => {
    manager.registerTask("ask", async (ctx) => ctx.askCustomer("Go on?"));
    const calls = [
      () => manager.pollTask("task_unknown"),
      () => manager.cancelTask("task_unknown"),
      () => manager.respondToQuestion("task_unknown", "q_unknown", "yes"),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(TaskNotFound);

    const [mine, other] = [await manager.startTask("ask"), await manager.startTask("ask")];
    const { pendingQuestion } = await manager.pollTask(other);
    for (const questionId of ["q_unknown", pendingQuestion!.questionId]) {
      const answering = manager.respondToQuestion(mine, questionId, "yes");
      await expect(answering).rejects.toBeInstanceOf(TaskNotFound);
    }
    expect((await manager.pollTask(other)).pendingQuestion).not.toBeNull();
  });

  test("respondToQuestion is true for the answer that won, and false afterwards", async ({
    manager,
  }) => {
    manager.registerTask("ask", async (ctx) => ctx.askCustomer("Go on?"));
    const taskId = await manager.startTask("ask");
    const { questionId } = (await manager.pollTask(taskId)).pendingQuestion!;
    expect(await manager.respondToQuestion(taskId, questionId, "yes")).toBe(true);
    expect(await manager.respondToQuestion(taskId, questionId, "yes")).toBe(true);
    expect(await manager.respondToQuestion(taskId, questionId, "no")).toBe(false);
    const { result } = await manager.pollTask(taskId);
    expect(result?.result).toBe("yes");
    expect(await manager.respondToQuestion(taskId, questionId, "no")).toBe(false);
  });

  test("shutdown cancels what runs, waits for it, and refuses new tasks", async ({ manager }) => {
    const cleanedUp: string[] = [];
    manager.registerTask("run", async (ctx) => {
      try {
        await ctx.sleep(600);
      } catch (error) {
        cleanedUp.push(error instanceof TaskCancelled ? "cancelled" : String(error));
        await new Promise((resolve) => setTimeout(resolve, 20));
        cleanedUp.push("cleaned up");
        throw error;
      }
    });
    manager.registerTask("ask", async (ctx) => ctx.askCustomer("Go on?"));
    const running = await manager.startTask("run");
    const asking = await manager.startTask("ask");
    await manager.pollTask(asking);

    await manager.shutdown();
    expect(cleanedUp).toEqual(["cancelled", "cleaned up"]);
    for (const taskId of [running, asking]) {
      const { status, result } = await manager.pollTask(taskId);
      expect({ status, error: result?.error }).toEqual({
        status: "cancelled",
        error: expect.stringMatching(/^TaskCancelled: /),
      });
    }
    await expect(manager.startTask("run")).rejects.toMatchObject({ code: "shutting_down" });
  });

  test("shutdown ends a handler that does not listen once its timeout is over", async ({
    manager,
  }) => {
    manager.registerTask("deaf", () => new Promise(() => {}));
    const taskId = await manager.startTask("deaf");
    const began = performance.now();
    await manager.shutdown(0.1);
    expect(performance.now() - began).toBeLessThan(5000);
    expect((await manager.pollTask(taskId)).status).toBe("cancelled");
  });

  test("shutdown twice, or with nothing to do, is no trouble", async ({ manager }) => {
    await manager.shutdown();
    await manager.shutdown();
  });
});
