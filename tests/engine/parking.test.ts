import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Command } from "../../server/core/command.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { testClock } from "../support/test-clock.ts";
import { type TestEngine, testEngine } from "./test-engine.ts";

/** Parking needs a journal that outlasts an attempt, so these run on a SQLite file. */
async function durableEngine(): Promise<TestEngine> {
  const folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  const clock = testClock();
  const store = await SQLiteStore.open(join(folder, "tasks.db"), { clock });
  // Runs last: the engine ends before its store closes.
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return testEngine({ store, clock, leaseSeconds: 1_000_000 });
}

const kindsOf = async ({ manager }: TestEngine, taskId: string) =>
  (await manager.readEvents(taskId)).map((event) => event.kind);

const activityOf = async ({ manager }: TestEngine, taskId: string) =>
  (await manager.getTask(taskId)).task.activity;

const answer = async ({ manager, clock }: TestEngine, taskId: string) => {
  const [question] = (await manager.listQuestions({ state: "open", taskId, limit: 1 })).items;
  await manager.respondToQuestion(taskId, question?.questionId ?? "", "yes");
  await clock.settle();
  await clock.settle();
};

test("a task that only waits leaves memory, and an answer runs it again from its journal", async () => {
  const engine = await durableEngine();
  let began = 0;
  let charged = 0;
  engine.manager.registerTask({ type: "patient", park: true, parkAfter: 30 }, async (ctx) => {
    began += 1;
    await ctx.step("charge", () => {
      charged += 1;
    });
    return ctx.askCustomer("Well?", { timeout: 10_000 });
  });
  const taskId = await engine.manager.startTask("patient");
  await engine.clock.advance(29);
  expect(engine.manager.runningTasks()).toHaveLength(1);
  await engine.clock.advance(2);
  expect(engine.manager.runningTasks()).toHaveLength(0);
  expect(await activityOf(engine, taskId)).toBe("parked");
  await engine.clock.advance(600);
  await answer(engine, taskId);
  await engine.clock.advance(1);
  expect((await engine.manager.getTask(taskId)).result).toBe("yes");
  expect({ began, charged }).toEqual({ began: 2, charged: 1 });
  expect(await kindsOf(engine, taskId)).toContain("attempt_parked");
});

test("a parked sleeper wakes at its time, and a parked question at its deadline", async () => {
  const engine = await durableEngine();
  engine.manager.registerTask({ type: "sleeper", park: true, parkAfter: 1 }, async (ctx) => {
    await ctx.sleep(500);
    return ctx.askCustomer("Well?", { timeout: 100, default: "nobody" });
  });
  const taskId = await engine.manager.startTask("sleeper");
  await engine.clock.advance(10);
  expect(await activityOf(engine, taskId)).toBe("parked");
  await engine.clock.advance(495);
  expect(await activityOf(engine, taskId)).toBe("parked");
  expect((await engine.manager.getTask(taskId)).task.status).toBe("waiting_for_input");
  await engine.clock.advance(101);
  expect((await engine.manager.getTask(taskId)).result).toBe("nobody");
});

test("a parked parent is woken by the end of its child", async () => {
  const engine = await durableEngine();
  engine.manager.registerTask("child", (ctx) => ctx.askCustomer("Well?", { timeout: 10_000 }));
  engine.manager.registerTask({ type: "parent", park: true, parkAfter: 1 }, async (ctx) => {
    const child = await ctx.startTask("child");
    return child.result();
  });
  const taskId = await engine.manager.startTask("parent");
  // Starting a child hashes its params on another thread, which takes its turns.
  await vi.waitFor(async () => {
    await engine.clock.settle();
    const children = await engine.manager.listTasks({ parentTaskId: taskId, limit: 1 });
    expect(children.items[0]?.status).toBe("waiting_for_input");
  });
  await engine.clock.advance(10);
  expect(await activityOf(engine, taskId)).toBe("parked");
  const { items } = await engine.manager.listTasks({ parentTaskId: taskId, limit: 1 });
  await answer(engine, items[0]?.taskId ?? "");
  await vi.waitFor(async () => {
    await engine.clock.settle();
    expect((await engine.manager.getTask(taskId)).result).toBe("yes");
  });
  expect((await engine.manager.listTasks({ parentTaskId: taskId, limit: 9 })).items).toHaveLength(
    1,
  );
});

test("a child that ends in the very transaction that parks its parent wakes it all the same", async () => {
  const engine = await durableEngine();
  let endChild = () => {};
  const childMayEnd = new Promise<void>((resolve) => {
    endChild = resolve;
  });
  engine.manager.registerTask("child", async () => {
    await childMayEnd;
    return "done";
  });
  engine.manager.registerTask({ type: "parent", park: true, parkAfter: 1 }, async (ctx) => {
    // Too large to be kept in memory, so that reading the result takes longer than parking.
    const child = await ctx.startTask("child", { text: "x".repeat(70_000) });
    return child.result();
  });
  // Holds the parking back until the child's end is written, so that both share a commit.
  const { store } = engine;
  const commit = store.commit.bind(store);
  let park: (() => void) | null = null;
  store.commit = ((command: Command) => {
    if (command.kind === "park") {
      endChild();
      return new Promise((resolve, reject) => {
        park = () => commit(command).then(resolve, reject);
      });
    }
    const committed = commit(command);
    if (command.kind === "finish") park?.();
    return committed;
  }) as typeof store.commit;

  const taskId = await engine.manager.startTask("parent");
  await vi.waitFor(async () => {
    await engine.clock.advance(1);
    expect((await engine.manager.getTask(taskId)).result).toBe("done");
  });
  expect(await kindsOf(engine, taskId)).toContain("attempt_parked");
});

test("a cancel reaches a parked task: it runs its clean-up, or just ends", async () => {
  const engine = await durableEngine();
  const cleaned: string[] = [];
  for (const onCancel of ["run", "end"] as const) {
    engine.manager.registerTask(
      { type: onCancel, park: true, parkAfter: 1, onCancel },
      async (ctx) => {
        try {
          await ctx.askCustomer("Well?", { timeout: 10_000 });
        } catch (error) {
          cleaned.push(onCancel);
          throw error;
        }
      },
    );
  }
  const run = await engine.manager.startTask("run");
  const end = await engine.manager.startTask("end");
  await engine.clock.advance(5);
  for (const taskId of [run, end]) await engine.manager.cancelTask(taskId);
  await engine.clock.advance(1);
  expect((await engine.manager.getTask(run)).task.status).toBe("cancelled");
  expect((await engine.manager.getTask(end)).task.status).toBe("cancelled");
  expect(cleaned).toEqual(["run"]);
});

test("a type that does not say so is never parked", async () => {
  const engine = await durableEngine();
  engine.manager.registerTask("stays", (ctx) => ctx.askCustomer("Well?", { timeout: 10_000 }));
  const taskId = await engine.manager.startTask("stays");
  await engine.clock.advance(5000);
  expect(engine.manager.runningTasks()).toHaveLength(1);
  expect(await activityOf(engine, taskId)).toBe("waiting");
});
