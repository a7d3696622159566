import { expect } from "vitest";
import { type TaskManager, TaskStatus, TaskTimeout } from "../../server/index.ts";
import { onEveryStore } from "../support/on-every-store.ts";

/** Polls until the task has ended; answers whatever it asks with `answer`. */
async function runToEnd(manager: TaskManager, taskId: string, answer?: string) {
  const messages: string[] = [];
  for (let since: string | undefined; ; ) {
    const response = await manager.pollTask(taskId, { since, timeout: 5 });
    messages.push(...response.updates.map(({ level, message }) => `${level}: ${message}`));
    const question = response.pendingQuestion;
    if (question && answer !== undefined) {
      await manager.respondToQuestion(taskId, question.questionId, answer);
    }
    if (response.result) return { messages, ...response.result };
    since = response.cursor;
  }
}

onEveryStore((test) => {
  test("a simple handler returns its result", async ({ manager }) => {
    manager.registerTask("ping", async (_ctx, params) => `pong: ${params.message ?? ""}`);
    const said = await runToEnd(manager, await manager.startTask("ping", { message: "hello" }));
    expect(said).toMatchObject({ status: "completed", result: "pong: hello", error: null });
    const silent = await runToEnd(manager, await manager.startTask("ping"));
    expect(silent.result).toBe("pong: ");
  });

  test("a handler need not be async, and may return nothing", async ({ manager }) => {
    manager.registerTask("touch", (ctx) => {
      ctx.update("touched");
    });
    const { messages, status, result } = await runToEnd(manager, await manager.startTask("touch"));
    expect({ messages, status, result }).toEqual({
      messages: ["info: touched"],
      status: "completed",
      result: null,
    });
  });

  test("progress updates arrive in the order they were posted", async ({ manager }) => {
    const rows = ["a", "b", "c"];
    const written: string[] = [];
    manager.registerTask("data_export", async (ctx, params) => {
      ctx.update("Querying database...");
      const found = await Promise.resolve(rows);

      ctx.update(`Exporting ${found.length} rows to CSV...`);
      written.push(params.outputPath);

      ctx.update("Uploading to S3...");
      return `Exported ${found.length} rows to s3://${params.bucket}/export.csv`;
    });
    const params = { outputPath: "/tmp/export.csv", bucket: "reports" };
    const end = await runToEnd(manager, await manager.startTask("data_export", params));
    expect(end.messages).toEqual([
      "info: Querying database...",
      "info: Exporting 3 rows to CSV...",
      "info: Uploading to S3...",
    ]);
    expect(end.result).toBe("Exported 3 rows to s3://reports/export.csv");
    expect(written).toEqual(["/tmp/export.csv"]);
  });

  test("updates have one of four levels", async ({ manager }) => {
    manager.registerTask("check", async (ctx) => {
      ctx.update("Everything looks good", "info");
      ctx.update("Row count seems low", "warning");
      ctx.update("Connection failed, retrying...", "error");
      ctx.update("Cache hit ratio: 0.94", "debug");
    });
    const { messages } = await runToEnd(manager, await manager.startTask("check"));
    expect(messages).toEqual([
      "info: Everything looks good",
      "warning: Row count seems low",
      "error: Connection failed, retrying...",
      "debug: Cache hit ratio: 0.94",
    ]);
  });

  for (const [answer, result] of [
    ["yes", "Deployed to staging"],
    [" YES ", "Deployed to staging"],
    ["no", "Deploy aborted by customer"],
  ] as const) {
    test(`deploy asks about its issues and goes by the answer "${answer}"`, async ({ manager }) => {
      const issues = ["disk 91% full", "2 pending migrations"];
      manager.registerTask("deploy", async (ctx, params) => {
        ctx.update("Running pre-deploy checks...");
        if (issues.length > 0) {
          ctx.update(`Found ${issues.length} issues`, "warning");
          const reply = await ctx.askCustomer(
            `Pre-deploy found ${issues.length} issues:\n` +
              issues.map((issue) => `- ${issue}`).join("\n") +
              "\n\nProceed anyway? (yes/no)",
            { timeout: 300 },
          );
          if (reply.trim().toLowerCase() !== "yes") return "Deploy aborted by customer";
        }
        ctx.update("Deploying...");
        return `Deployed to ${params.env}`;
      });

      const taskId = await manager.startTask("deploy", { env: "staging" });
      const asked = await manager.pollTask(taskId, { waitFor: "input_or_result" });
      expect(asked.status).toBe(TaskStatus.WAITING_FOR_INPUT);
      expect(asked.pendingQuestion?.prompt).toContain("- disk 91% full\n- 2 pending migrations");
      expect((await runToEnd(manager, taskId, answer)).result).toBe(result);
    });
  }

  test("the complete agent example's handler asks with the default timeout", async ({
    manager,
  }) => {
    manager.registerTask("deploy_service", async (ctx, params) => {
      ctx.update(`Deploying ${params.service} to ${params.env}...`);
      const answer = await ctx.askCustomer("Deployment ready. Run smoke tests? (yes/no)");
      if (answer.toLowerCase() === "yes") ctx.update("Running smoke tests...");
      return "Deployment complete";
    });
    const params = { service: "billing", env: "prod" };
    const taskId = await manager.startTask("deploy_service", params);
    const asked = await manager.pollTask(taskId, { waitFor: "input_or_result" });
    expect(asked.pendingQuestion?.timeout).toBe(300);
    const end = await runToEnd(manager, taskId, "yes");
    expect(end.result).toBe("Deployment complete");
    expect(end.messages).toContain("info: Running smoke tests...");
  });

  test("batch_process stops at its next check after a cancel", async ({ manager }) => {
    let processed = 0;
    let isAtItem: () => void = () => {};
    const atItem = new Promise<void>((resolve) => {
      isAtItem = resolve;
    });
    manager.registerTask("batch_process", async (ctx) => {
      for (let item = 0; item < 10_000; item++) {
        ctx.checkCancelled();
        processed += 1;
        await ctx.update(`Processed ${processed} items`);
        if (processed === 3) isAtItem();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return { processed };
    });
    const taskId = await manager.startTask("batch_process");
    await atItem;
    expect(await manager.cancelTask(taskId)).toBe(true);
    const end = await runToEnd(manager, taskId);
    expect(end).toMatchObject({ status: "cancelled", result: null });
    expect(end.error).toMatch(/^TaskCancelled: /);
    expect(processed).toBeLessThan(10_000);
    expect(await manager.cancelTask(taskId)).toBe(false);
  });

  test("isCancelled lets a handler clean up before it stops", async ({ manager }) => {
    const steps: string[] = [];
    let isLooping: () => void = () => {};
    const looping = new Promise<void>((resolve) => {
      isLooping = resolve;
    });
    manager.registerTask("watch_folder", async (ctx) => {
      expect(ctx.isCancelled).toBe(false);
      for (;;) {
        if (ctx.isCancelled) {
          steps.push("cleaned up");
          ctx.update("Removed temporary files");
          ctx.checkCancelled();
          steps.push("never here");
        }
        isLooping();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
    const taskId = await manager.startTask("watch_folder");
    await looping;
    await manager.cancelTask(taskId);
    const end = await runToEnd(manager, taskId);
    expect(end.status).toBe("cancelled");
    expect(end.messages).toEqual(["info: Removed temporary files"]);
    expect(steps).toEqual(["cleaned up"]);
  });

  test("a cancel ends the wait for an answer", async ({ manager }) => {
    manager.registerTask("ask", async (ctx) => ctx.askCustomer("Which region?"));
    const taskId = await manager.startTask("ask");
    const { pendingQuestion } = await manager.pollTask(taskId);
    expect(await manager.cancelTask(taskId)).toBe(true);
    const end = await runToEnd(manager, taskId);
    expect(end.status).toBe("cancelled");
    const { questionId } = pendingQuestion!;
    expect(await manager.respondToQuestion(taskId, questionId, "eu")).toBe(false);
  });

  test("an exception fails the task and is told as Name: message", async ({ manager }) => {
    manager.registerTask("risky_operation", async () => {
      throw new RangeError("something went wrong");
    });
    const taskId = await manager.startTask("risky_operation");
    const response = await manager.pollTask(taskId);
    expect(response.status).toBe(TaskStatus.FAILED);
    expect(response.result?.error).toBe("RangeError: something went wrong");
    expect(response.result?.result).toBeNull();
  });

  test("an expected error, handled, is a result like any other", async ({ manager }) => {
    manager.registerTask("careful_operation", async () => {
      try {
        throw new RangeError("something went wrong");
      } catch {
        return { ok: false, reason: "out of range" };
      }
    });
    const end = await runToEnd(manager, await manager.startTask("careful_operation"));
    expect(end).toMatchObject({ status: "completed", result: { ok: false } });
  });

  test("TaskTimeout can be caught, and a sensible default used", async ({ manager }) => {
    manager.registerTask("setup", async (ctx) => {
      let answer: string;
      try {
        answer = await ctx.askCustomer("Which region?", { timeout: 0.05 });
      } catch (error) {
        if (!(error instanceof TaskTimeout)) throw error;
        answer = "us-east-1";
        ctx.update(`No response, defaulting to ${answer}`, "warning");
      }
      return `Set up in ${answer}`;
    });
    const taskId = await manager.startTask("setup");
    const end = await runToEnd(manager, taskId);
    expect(end.result).toBe("Set up in us-east-1");
    expect(end.messages).toEqual(["warning: No response, defaulting to us-east-1"]);
    const [question] = (await manager.getTask(taskId)).questions;
    expect(question).toMatchObject({ timedOut: true, isAnswered: false, isResolved: true });
  });

  test("TaskTimeout that nobody catches fails the task", async ({ manager }) => {
    manager.registerTask("setup", async (ctx) => ctx.askCustomer("Which?", { timeout: 0.05 }));
    const end = await runToEnd(manager, await manager.startTask("setup"));
    expect(end.status).toBe("failed");
    expect(end.error).toMatch(/^TaskTimeout: /);
  });

  test("a handler sees its task's id", async ({ manager }) => {
    manager.registerTask("who", async (ctx) => ctx.taskId);
    const taskId = await manager.startTask("who");
    expect((await runToEnd(manager, taskId)).result).toBe(taskId);
  });
});
