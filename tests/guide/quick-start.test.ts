import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { type TaskContext, TaskManager, TaskStatus } from "../../server/index.ts";
import { onEveryStore } from "../support/on-every-store.ts";

onEveryStore((test) => {
  test("the quick start: deploy posts and returns at once, and one poll has it all", async ({
    manager,
  }) => {
    manager.registerTask("deploy", async (ctx) => {
      ctx.update("Pulling latest image...");
      ctx.update("Running migrations...");
      return "Deployed v1.2.3 to production";
    });

    const taskId = await manager.startTask("deploy", { env: "production" });

    const response = await manager.pollTask(taskId);
    expect(response.updates.map(({ level, message }) => `[${level}] ${message}`)).toEqual([
      "[info] Pulling latest image...",
      "[info] Running migrations...",
    ]);
    expect(response.result?.result).toBe("Deployed v1.2.3 to production");
  });

  test("customer interaction: setup_database asks, and goes by the answer", async ({ manager }) => {
    const chosen: string[] = [];
    manager.registerTask("setup_database", async (ctx) => {
      ctx.update("Checking existing databases...");
      const answer = await ctx.askCustomer(
        "Found an existing database. Drop and recreate? (yes/no)",
        { timeout: 120 },
      );
      chosen.push(answer);
      if (answer.toLowerCase() === "yes") ctx.update("Dropping and recreating database...");
      else ctx.update("Keeping existing database, running migrations only...");
      return "Database setup complete";
    });

    const taskId = await manager.startTask("setup_database");
    const response = await manager.pollTask(taskId);
    expect(response.status).toBe(TaskStatus.WAITING_FOR_INPUT);
    expect(response.pendingQuestion).toMatchObject({
      prompt: "Found an existing database. Drop and recreate? (yes/no)",
      timeout: 120,
    });

    const { questionId } = response.pendingQuestion!;
    expect(await manager.respondToQuestion(taskId, questionId, "yes")).toBe(true);

    let end = response;
    while (!end.result) end = await manager.pollTask(taskId, { since: end.cursor });
    expect(end.result.result).toBe("Database setup complete");
    expect(chosen).toEqual(["yes"]);
  });

  test("basic usage: analyze_logs, followed with the last update's timestamp", async ({
    manager,
  }) => {
    manager.registerTask("analyze_logs", async (ctx: TaskContext, params: { files?: string[] }) => {
      const files = params.files ?? [];
      ctx.update(`Scanning ${files.length} log files...`);

      const results: { file: string; errors: number }[] = [];
      for (const [i, file] of files.entries()) {
        ctx.checkCancelled();
        ctx.update(`Processing ${file} (${i + 1}/${files.length})`);
        await pause(40);
        results.push({ file, errors: 0 });
      }

      ctx.update("Analysis complete");
      return { filesProcessed: files.length, results };
    });

    const taskId = await manager.startTask("analyze_logs", {
      files: ["app.log", "db.log", "web.log"],
    });

    const printed: string[] = [];
    let lastTimestamp: string | null = null;
    let result: unknown;
    let polls = 0;
    for (;;) {
      const response = await manager.pollTask(taskId, { since: lastTimestamp });
      polls += 1;
      for (const update of response.updates) {
        printed.push(`[${update.level}] ${update.message}`);
        lastTimestamp = update.timestamp;
      }
      if (response.result) {
        result = response.result.result;
        break;
      }
    }

    expect(printed).toEqual([
      "[info] Scanning 3 log files...",
      "[info] Processing app.log (1/3)",
      "[info] Processing db.log (2/3)",
      "[info] Processing web.log (3/3)",
      "[info] Analysis complete",
    ]);
    expect(result).toEqual({
      filesProcessed: 3,
      results: [
        { file: "app.log", errors: 0 },
        { file: "db.log", errors: 0 },
        { file: "web.log", errors: 0 },
      ],
    });
    expect(polls).toBeGreaterThan(1);
    expect(polls).toBeLessThan(7);
  });

  test("a manager on a store of one's own, and on the default one", async ({ store }) => {
    for (const manager of [new TaskManager({ store }), new TaskManager()]) {
      manager.registerTask("ping", async () => "pong");
      const taskId = await manager.startTask("ping");
      expect((await manager.pollTask(taskId)).result?.result).toBe("pong");
      await manager.shutdown();
    }
  });
});
