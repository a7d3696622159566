import { expect, test } from "vitest";
import type { Command } from "../../server/core/command.ts";
import { MemoryStore } from "../../server/index.ts";
import { testClock } from "../support/test-clock.ts";
import { testEngine } from "./test-engine.ts";

/** Two engines one after the other on one store, as two processes of an installation are. */
function twoEngines() {
  const clock = testClock();
  const store = new MemoryStore(clock);
  return {
    clock,
    first: () => testEngine({ store, clock }),
    next: () => testEngine({ store, clock }),
  };
}

test("a task that only waits is given back at once, and the next process goes on with it", async () => {
  const { clock, first, next } = twoEngines();
  const handler = async (ctx: import("../../server/index.ts").TaskContext) =>
    `said ${await ctx.askCustomer("Well?", { timeout: 10_000 })}`;
  const one = first();
  one.manager.registerTask("asks", handler);
  const taskId = await one.manager.startTask("asks");
  await clock.settle();
  // Without a safe point this would take its whole grace.
  await one.manager.drain(3600);

  const two = next();
  two.manager.registerTask("asks", handler);
  await two.manager.ready();
  const [question] = (await two.manager.listQuestions({ state: "open", limit: 1 })).items;
  await two.manager.respondToQuestion(taskId, question?.questionId ?? "", "yes");
  await clock.advance(1);
  expect((await two.manager.getTask(taskId)).result).toBe("said yes");
});

test("a working task is given back after its present step, which is not run again", async () => {
  const { clock, first, next } = twoEngines();
  const ran: string[] = [];
  const handler = async (ctx: import("../../server/index.ts").TaskContext) => {
    for (const name of ["one", "two", "three"]) {
      await ctx.step(name, async () => {
        await new Promise<void>((resolve) => clock.after(10, resolve));
        ran.push(name);
      });
    }
    return "done";
  };
  const one = first();
  one.manager.registerTask("works", handler);
  const taskId = await one.manager.startTask("works");
  await clock.advance(15);
  expect(ran).toEqual(["one"]);
  const drained = one.manager.drain(3600);
  await clock.advance(6);
  await drained;
  expect(ran).toEqual(["one", "two"]);
  await clock.advance(100);
  expect(ran).toEqual(["one", "two"]);

  const two = next();
  two.manager.registerTask("works", handler);
  await two.manager.ready();
  await clock.advance(11);
  expect(ran).toEqual(["one", "two", "three"]);
  expect((await two.manager.getTask(taskId)).result).toBe("done");
});

test("a task that reaches no safe point is given back when the grace is over", async () => {
  const { clock, first } = twoEngines();
  const one = first();
  one.manager.registerTask("hangs", () => new Promise(() => {}));
  const taskId = await one.manager.startTask("hangs");
  const drained = one.manager.drain(5);
  await clock.advance(5);
  await drained;
  const kinds = (await one.manager.readEvents(taskId)).map((event) => event.kind);
  expect(kinds.at(-1)).toBe("attempt_released");
});

test("a drain that comes while a question is being written leaves no rejection unhandled", async () => {
  const { clock, first } = twoEngines();
  const one = first();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const commit = one.store.commit.bind(one.store) as (command: Command) => Promise<unknown>;
  one.store.commit = ((command: Command) =>
    command.kind === "ask" ? new Promise(() => {}) : commit(command)) as typeof one.store.commit;
  one.manager.registerTask("asks", (ctx) => ctx.askCustomer("Well?"));
  const taskId = await one.manager.startTask("asks");
  await clock.settle();
  await one.manager.drain();
  await clock.settle();
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  expect((await one.manager.getTask(taskId)).task).toMatchObject({ activity: "resuming" });
});
