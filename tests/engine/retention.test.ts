import { expect, test } from "vitest";
import { testEngine } from "./test-engine.ts";

test("finished tasks are removed some time after their end, and unfinished ones never", async () => {
  const engine = testEngine({ retainSeconds: 1000 });
  const { manager, clock } = engine;
  manager.registerTask("quick", (ctx) => ctx.update("hello"));
  manager.registerTask("slow", (ctx) => ctx.askCustomer("Well?", { timeout: 100_000 }));
  const quick = await manager.startTask("quick", {}, { idempotencyKey: "once" });
  const slow = await manager.startTask("slow");
  await clock.advance(990);
  expect((await manager.getTask(quick)).task.status).toBe("completed");
  await clock.advance(100);
  await expect(manager.getTask(quick)).rejects.toMatchObject({ code: "task_not_found" });
  expect((await manager.getTask(slow)).task.status).toBe("waiting_for_input");
  expect((await manager.stats()).tasks.completed).toBe(0);
  // Its key is free again, and positions go on where they were.
  const position = await engine.store.lastPosition();
  expect(await manager.startTask("quick", {}, { idempotencyKey: "once" })).not.toBe(quick);
  await clock.settle();
  const [next] = await engine.store.readFeed({ afterPosition: position, limit: 1 });
  expect(next?.position).toBe(position + 1);
});

test("many are removed in small batches", async () => {
  const engine = testEngine({ retainSeconds: 10 });
  engine.manager.registerTask("quick", () => null);
  for (let i = 0; i < 450; i++) await engine.manager.startTask("quick");
  await engine.clock.advance(11);
  await engine.clock.advance(60);
  expect((await engine.manager.stats()).tasks.completed).toBe(0);
});

test("without the setting everything is kept", async () => {
  const engine = testEngine();
  engine.manager.registerTask("quick", () => null);
  const taskId = await engine.manager.startTask("quick");
  await engine.clock.advance(10_000_000);
  expect((await engine.manager.getTask(taskId)).task.status).toBe("completed");
});
