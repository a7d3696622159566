import { expect } from "vitest";
import { TaskStatus } from "../../server/index.ts";
import { onEveryStore } from "../support/on-every-store.ts";

// The guide's two examples of a handler's tests. Both poll without `since`, and expect one poll to
// be enough; so each runs many times here, also while other tasks keep the process busy.
const rounds = 25;

onEveryStore((test) => {
  test("a deploy handler: one poll sees it completed", async ({ manager }) => {
    manager.registerTask("deploy", async (ctx) => {
      ctx.update("Deploying...");
      return "done";
    });
    for (let round = 0; round < rounds; round++) {
      const taskId = await manager.startTask("deploy", { env: "staging" });

      const response = await manager.pollTask(taskId, { timeout: 5 });
      expect(response.status).toBe(TaskStatus.COMPLETED);
      expect(response.result?.result).toBe("done");
    }
  });

  test("an interactive handler: one poll for the question, one for the result", async ({
    manager,
  }) => {
    manager.registerTask("interactive", async (ctx) => {
      const answer = await ctx.askCustomer("Continue?");
      return `Customer said: ${answer}`;
    });
    for (let round = 0; round < rounds; round++) {
      const taskId = await manager.startTask("interactive");

      const asked = await manager.pollTask(taskId, { timeout: 5 });
      expect(asked.pendingQuestion).not.toBeNull();

      await manager.respondToQuestion(taskId, asked.pendingQuestion!.questionId, "yes");

      const response = await manager.pollTask(taskId, { timeout: 5 });
      expect(response.result?.result).toBe("Customer said: yes");
    }
  });

  test("both hold while fifty other tasks post updates", async ({ manager }) => {
    manager.registerTask("chatter", async (ctx) => {
      while (!ctx.isCancelled) {
        ctx.update("still here");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    manager.registerTask("deploy", async (ctx) => {
      ctx.update("Deploying...");
      return "done";
    });
    await Promise.all(Array.from({ length: 50 }, () => manager.startTask("chatter")));
    for (let round = 0; round < rounds; round++) {
      const taskId = await manager.startTask("deploy");
      expect((await manager.pollTask(taskId, { timeout: 5 })).result?.result).toBe("done");
    }
  });
});
