import { expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { memoryWorld, onBothStores, rest, startProcess } from "./mortal-process.ts";
import { eventKinds, messagesOf, openQuestion, rejection, watch } from "./test-engine.ts";

onBothStores((makeWorld) => {
  test("interrupts count in a row: a recorded step begins anew, and a wait is none", async () => {
    const world = await makeWorld();
    const register = () => {
      const process = startProcess(world);
      process.manager.registerTask({ type: "slow", maxInterrupts: 2 }, async (ctx) => {
        // Each worker gets one step further and vanishes.
        const ranBefore = ctx.attempt - 1;
        for (let i = 0; i <= ranBefore; i++) await ctx.step("work", () => i);
        await new Promise(() => {});
      });
      process.manager.registerTask({ type: "waits", maxInterrupts: 2 }, (ctx) =>
        ctx.askCustomer("Well?", { timeout: 1_000_000 }),
      );
      return process;
    };
    let process = register();
    const slow = await process.manager.startTask("slow");
    const waits = await process.manager.startTask("waits");
    for (let i = 0; i < 6; i++) {
      await rest(world);
      process.die();
      process = register();
      await process.manager.ready();
    }
    await rest(world);
    const { task } = await process.manager.getTask(slow);
    expect(task).toMatchObject({ status: "running", attempt: 7, interrupts: 0 });
    const waiting = await process.manager.getTask(waits);
    expect(waiting.task).toMatchObject({ status: "waiting_for_input", interrupts: 0 });
  });

  test("a task whose processes die again and again fails in the end", async () => {
    const world = await makeWorld();
    let began = 0;
    const register = () => {
      const process = startProcess(world);
      process.manager.registerTask("crashes", () => {
        began += 1;
        return new Promise(() => {});
      });
      return process;
    };
    let process = register();
    const taskId = await process.manager.startTask("crashes");
    for (let i = 0; i < 5; i++) {
      await rest(world);
      process.die();
      process = register();
      await process.manager.ready();
    }
    await rest(world);
    const { task, error } = await process.manager.getTask(taskId);
    expect(task.status).toBe("failed");
    expect(error).toMatch(/^Interrupted: .*4 times.*3/);
    expect(began).toBe(4);
  });

  test("a type may say that an interrupted task fails", async () => {
    const world = await makeWorld();
    const first = startProcess(world);
    first.manager.registerTask({ type: "t", onInterrupt: "fail" }, () => new Promise(() => {}));
    const taskId = await first.manager.startTask("t");
    await rest(world);
    first.die();
    const second = startProcess(world);
    second.manager.registerTask({ type: "t", onInterrupt: "fail" }, () => "again");
    await second.manager.ready();
    await rest(world);
    const { task, error } = await second.manager.getTask(taskId);
    expect(task).toMatchObject({ status: "failed", attempt: 1 });
    expect(error).toMatch(/^Interrupted: /);
  });

  test("a worker that freezes loses its task to another when its lease runs out, and is fenced", async () => {
    const world = await makeWorld();
    const frozen = startProcess(world);
    const other = startProcess(world);
    let ctx: TaskContext | undefined;
    let finish: (value: string) => void = () => {};
    frozen.manager.registerTask("t", (own) => {
      ctx = own;
      return new Promise((end) => {
        finish = end;
      });
    });
    other.manager.registerTask("t", async (own) => {
      await own.sleep(60);
      return `attempt ${own.attempt} of the other`;
    });
    await frozen.manager.ready();
    await other.manager.ready();
    const taskId = await frozen.manager.startTask("t");
    await rest(world);
    await ctx?.update("before");
    frozen.freeze();
    await world.clock.advance(14);
    expect((await other.manager.getTask(taskId)).task.attempt).toBe(1);
    await world.clock.advance(2);
    await rest(world);
    const { task } = await other.manager.getTask(taskId);
    expect(task).toMatchObject({ status: "running", attempt: 2 });

    // The first goes on as if nothing had happened; nothing of it counts.
    expect((await rejection(ctx?.update("zombie") ?? Promise.resolve())).code).toBe("lease_lost");
    expect(ctx?.signal.aborted).toBe(true);
    for (const call of [
      () => ctx?.step("zombie", () => 1),
      () => ctx?.askCustomer("zombie?"),
      () => ctx?.sleep(1),
    ]) {
      expect((await rejection(call() ?? Promise.resolve())).code).toBe("lease_lost");
    }
    expect(() => ctx?.checkCancelled()).toThrow();
    finish("zombie");
    await world.clock.advance(60);
    await rest(world);
    expect((await other.manager.getTask(taskId)).result).toBe("attempt 2 of the other");
    expect(await messagesOf(other, taskId)).toEqual(["before"]);
  });

  test("a worker that is alive keeps its lease for as long as it works", async () => {
    const world = await makeWorld();
    const worker = startProcess(world);
    const other = startProcess(world);
    for (const { manager } of [worker, other]) {
      manager.registerTask("t", async (ctx: TaskContext) => {
        await ctx.sleep(300);
        return ctx.attempt;
      });
      await manager.ready();
    }
    const taskId = await worker.manager.startTask("t");
    await world.clock.advance(299);
    expect((await other.manager.getTask(taskId)).task).toMatchObject({ attempt: 1, interrupts: 0 });
    await world.clock.advance(2);
    await rest(world);
    expect((await other.manager.getTask(taskId)).result).toBe(1);
  });

  test("a task is run by one process only, however many there are", async () => {
    const world = await makeWorld();
    const runs = new Map<string, number>();
    const processes = [1, 2, 3].map(() => startProcess(world, { concurrency: 3 }));
    for (const { manager } of processes) {
      manager.registerTask("t", (ctx: TaskContext) => {
        runs.set(ctx.taskId, (runs.get(ctx.taskId) ?? 0) + 1);
        return ctx.step("work", () => new Promise<void>((end) => world.clock.after(1, end)));
      });
      await manager.ready();
    }
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, i) => processes[i % 3]?.manager.startTask("t")),
    );
    await world.clock.advance(30);
    await rest(world);
    expect([...runs.values()]).toEqual(ids.map(() => 1));
    expect((await processes[0]?.manager.stats())?.tasks.completed).toBe(30);
  });

  test("an answer given over one process reaches the handler in another", async () => {
    const world = await makeWorld();
    const worker = startProcess(world);
    const other = startProcess(world);
    worker.manager.registerTask("t", (ctx: TaskContext) => ctx.askCustomer("Well?"));
    await other.manager.ready();
    const taskId = await worker.manager.startTask("t");
    await rest(world);
    const { questionId } = await openQuestion(worker, taskId);
    await other.manager.respondToQuestion(taskId, questionId, "yes");
    await rest(world);
    expect((await worker.manager.getTask(taskId)).result).toBe("yes");
  });
});

test("a clock that jumps over all leases takes no task from the process that runs it", async () => {
  const world = await memoryWorld();
  const worker = startProcess(world);
  let finish: () => void = () => {};
  worker.manager.registerTask("t", (ctx: TaskContext) => {
    return new Promise((end) => {
      finish = () => end(ctx.attempt);
    });
  });
  const taskId = await worker.manager.startTask("t");
  await rest(world);
  world.clock.jump(3600);
  await world.clock.advance(60);
  finish();
  await rest(world);
  expect((await worker.manager.getTask(taskId)).result).toBe(1);
  expect(await eventKinds(worker, taskId)).not.toContain("attempt_interrupted");
});

test("an engine with nothing to do sleeps: no timer, no look at the store", async () => {
  const world = await memoryWorld();
  const worker = startProcess(world);
  worker.manager.registerTask("t", () => 1);
  await worker.manager.startTask("t");
  await world.clock.advance(60);
  let looks = 0;
  const findDue = world.store.findDue.bind(world.store);
  world.store.findDue = (...args) => {
    looks += 1;
    return findDue(...args);
  };
  await world.clock.advance(3600);
  expect(looks).toBe(0);
  expect(world.clock.pendingTimers).toBe(0);
});

test("an engine whose tasks wait for a slot or an unknown type looks once a second at most", async () => {
  const world = await memoryWorld();
  const worker = startProcess(world, { concurrency: 1 });
  worker.manager.registerTask("t", () => new Promise(() => {}));
  await worker.manager.startTask("t");
  await worker.manager.startTask("t");
  await world.store.createTask("task_of_nobody", "unknown", {});
  await rest(world);
  let looks = 0;
  const findDue = world.store.findDue.bind(world.store);
  world.store.findDue = (...args) => {
    looks += 1;
    return findDue(...args);
  };
  await world.clock.advance(100);
  expect(looks).toBeLessThanOrEqual(101);
});

test("the leases of many dead workers are all taken when a process starts", async () => {
  const world = await memoryWorld();
  const expiresAt = "2026-12-30T12:00:00.000000Z";
  for (let i = 0; i < 1200; i++) {
    const taskId = `task_${String(i).padStart(9, "0")}`;
    await world.store.createTask(taskId, "t", {});
    const workerId = i < 700 ? "w_dead_1" : i % 2 === 0 ? "w_dead_2" : "w_dead_3";
    const lease = { workerId, expiresAt };
    await world.store.commit({ kind: "claim", taskId, at: world.clock.now(), lease });
  }
  const process = startProcess(world, { concurrency: 2000 });
  process.manager.registerTask("t", () => "ran");
  await process.manager.ready();
  await rest(world);
  expect((await process.manager.stats()).tasks.completed).toBe(1200);
});

test("a task that was begun and whose type is gone stays for a process that knows it", async () => {
  const world = await memoryWorld();
  const first = startProcess(world);
  first.manager.registerTask("t", () => new Promise(() => {}));
  const taskId = await first.manager.startTask("t");
  await rest(world);
  first.die();
  const second = startProcess(world);
  second.manager.registerTask("another", () => 1);
  await second.manager.ready();
  await world.clock.advance(60);
  expect((await second.manager.getTask(taskId)).task).toMatchObject({
    status: "running",
    activity: "resuming",
  });
  // It can be ended all the same.
  const cancelled = watch(second.manager.cancelTask(taskId, { force: true }));
  await rest(world);
  expect(cancelled.value).toBe(true);
  expect((await second.manager.getTask(taskId)).task.status).toBe("cancelled");
});
