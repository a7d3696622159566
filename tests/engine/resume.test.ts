import { expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { onBothStores, rest, startProcess, type World } from "./mortal-process.ts";
import { messagesOf, openQuestion, type TestEngine } from "./test-engine.ts";

type Handler = (ctx: TaskContext) => unknown;

/** Runs a handler in one process until it rests, lets the process die, and starts the next. */
async function crashAndResume(
  world: World,
  handler: Handler,
  between: (engine: TestEngine, taskId: string) => unknown = () => {},
  changed: Handler = handler,
) {
  const first = startProcess(world);
  first.manager.registerTask("t", handler);
  const taskId = await first.manager.startTask("t");
  await rest(world);
  first.die();
  await between(first, taskId);
  await rest(world);
  const second = startProcess(world);
  second.manager.registerTask("t", changed);
  await second.manager.ready();
  await rest(world);
  return { first, second, taskId, ended: () => second.manager.getTask(taskId) };
}

/** Never settles in the first attempt: there the process dies. */
const dieHere = (ctx: TaskContext) =>
  ctx.attempt === 1 ? new Promise<void>(() => {}) : Promise.resolve();

onBothStores((makeWorld) => {
  test("steps that were recorded do not run again; the one that was not does", async () => {
    const world = await makeWorld();
    const ran: string[] = [];
    const { ended, second, taskId } = await crashAndResume(world, async (ctx) => {
      const a = await ctx.step("a", () => ran.push("a"));
      const b = await ctx.step("b", () => ({ n: ran.push("b") }), { key: "k" });
      const c = await ctx.step("c", async () => {
        ran.push("c");
        await dieHere(ctx);
        return "c";
      });
      return { a, b, c, attempt: ctx.attempt };
    });
    expect((await ended()).result).toEqual({ a: 1, b: { n: 2 }, c: "c", attempt: 2 });
    expect(ran).toEqual(["a", "b", "c", "c"]);
    const kinds = (await second.manager.readEvents(taskId)).map((event) => event.kind);
    expect(kinds).toEqual([
      "task_created",
      "attempt_started",
      "step_completed",
      "step_completed",
      "attempt_interrupted",
      "attempt_started",
      "step_completed",
      "task_finished",
    ]);
  });

  test("a step that failed and was caught fails the same way again, without running", async () => {
    const world = await makeWorld();
    let runs = 0;
    const { ended } = await crashAndResume(world, async (ctx) => {
      const caught = await ctx
        .step("fails", () => {
          runs += 1;
          throw new RangeError("too far");
        })
        .catch((error: Error) => `${error.name}/${error.message}`);
      await dieHere(ctx);
      return caught;
    });
    expect((await ended()).result).toBe("RangeError/too far");
    expect(runs).toBe(1);
  });

  test("an answered question gives its answer again and asks nobody", async () => {
    const world = await makeWorld();
    const handler = async (ctx: TaskContext) => {
      const answer = await ctx.askCustomer("Proceed?");
      await dieHere(ctx);
      return answer;
    };
    const first = startProcess(world);
    first.manager.registerTask("t", handler);
    const taskId = await first.manager.startTask("t");
    await rest(world);
    const { questionId } = await openQuestion(first, taskId);
    await first.manager.respondToQuestion(taskId, questionId, "yes");
    await rest(world);
    first.die();
    const second = startProcess(world);
    second.manager.registerTask("t", handler);
    await second.manager.ready();
    await rest(world);
    const { result, questions } = await second.manager.getTask(taskId);
    expect(result).toBe("yes");
    expect(questions).toHaveLength(1);
  });

  test("an open question stays open over a crash, and answering it resumes the task", async () => {
    const world = await makeWorld();
    const { ended, second, taskId } = await crashAndResume(world, (ctx) =>
      ctx.askCustomer("Proceed?"),
    );
    expect((await ended()).task.status).toBe("waiting_for_input");
    const { questionId } = await openQuestion(second, taskId);
    expect(await second.manager.respondToQuestion(taskId, questionId, "yes")).toBe(true);
    await rest(world);
    expect((await ended()).result).toBe("yes");
  });

  test("an open question keeps its first deadline", async () => {
    const world = await makeWorld();
    const { ended } = await crashAndResume(
      world,
      (ctx) => ctx.askCustomer("Proceed?", { timeout: 300 }),
      () => world.clock.advance(100),
    );
    await world.clock.advance(199);
    expect((await ended()).task.status).toBe("waiting_for_input");
    await world.clock.advance(1);
    await rest(world);
    expect((await ended()).error).toMatch(/^TaskTimeout/);
  });

  test("a deadline that passes while no process is up counts", async () => {
    const world = await makeWorld();
    const { ended } = await crashAndResume(
      world,
      (ctx) => ctx.ask({ prompt: "Proceed?", timeout: 300, default: "no" }),
      () => world.clock.jump(301),
    );
    expect((await ended()).result).toMatchObject({
      outcome: "timed_out",
      defaultUsed: true,
      defaultValue: "no",
    });
  });

  test("a sleep ends when it would have", async () => {
    const world = await makeWorld();
    const { ended } = await crashAndResume(
      world,
      async (ctx) => {
        await ctx.sleep(100);
        return "awake";
      },
      () => world.clock.advance(40),
    );
    await world.clock.advance(59);
    expect((await ended()).task.status).toBe("running");
    await world.clock.advance(1);
    await rest(world);
    expect((await ended()).result).toBe("awake");
  });

  test("a step that ran beside an open question runs again without waiting for the answer", async () => {
    const world = await makeWorld();
    const { ended, second, taskId } = await crashAndResume(world, async (ctx) => {
      const answer = ctx.askCustomer("Proceed?", { timeout: 86_400 });
      await ctx.step("meanwhile", () => dieHere(ctx));
      ctx.update("done meanwhile");
      return answer;
    });
    expect(await messagesOf(second, taskId)).toEqual(["done meanwhile"]);
    expect((await ended()).task.status).toBe("waiting_for_input");
  });

  test.each(["crash", "drain"])(
    "a sleep beside an open question ends on time after a %s",
    async (how) => {
      const world = await makeWorld();
      const handler = async (ctx: TaskContext) => {
        const answer = ctx.askCustomer("Proceed?", { timeout: 86_400 });
        await ctx.sleep(600);
        ctx.update("nobody has answered yet");
        return answer;
      };
      const first = startProcess(world);
      first.manager.registerTask("t", handler);
      const taskId = await first.manager.startTask("t");
      await world.clock.advance(100);
      await rest(world);
      if (how === "crash") first.die();
      else await first.manager.drain();
      const second = startProcess(world);
      second.manager.registerTask("t", handler);
      await second.manager.ready();
      await world.clock.advance(499);
      expect(await messagesOf(second, taskId)).toEqual([]);
      await world.clock.advance(2);
      await rest(world);
      expect(await messagesOf(second, taskId)).toEqual(["nobody has answered yet"]);
    },
  );

  test("updates from before the crash are not posted again, those after it are", async () => {
    const world = await makeWorld();
    const { second, taskId } = await crashAndResume(world, async (ctx) => {
      ctx.update("one");
      ctx.update("one");
      await ctx.step("a", () => 1);
      ctx.update("two");
      ctx.update("two", "warning");
      ctx.update("three");
      await dieHere(ctx);
      ctx.update("three");
      ctx.update("two");
      ctx.update("one");
    });
    expect(await messagesOf(second, taskId)).toEqual([
      "one",
      "one",
      "two",
      "two",
      "three",
      "three",
      "two",
      "one",
    ]);
  });

  test("updates posted while a question was open are not posted again", async () => {
    const world = await makeWorld();
    const handler = async (ctx: TaskContext) => {
      const answer = ctx.askCustomer("Proceed?");
      ctx.update("waiting for an answer");
      await answer;
      ctx.update("answered");
      await dieHere(ctx);
      ctx.update("done");
    };
    const first = startProcess(world);
    first.manager.registerTask("t", handler);
    const taskId = await first.manager.startTask("t");
    await rest(world);
    const { questionId } = await openQuestion(first, taskId);
    await first.manager.respondToQuestion(taskId, questionId, "yes");
    await rest(world);
    first.die();
    const second = startProcess(world);
    second.manager.registerTask("t", handler);
    await second.manager.ready();
    await rest(world);
    expect(await messagesOf(second, taskId)).toEqual(["waiting for an answer", "answered", "done"]);
  });

  test("a task that dies many times posts each update once", async () => {
    const world = await makeWorld();
    const handler = async (ctx: TaskContext) => {
      for (let i = 0; i < 8; i++) {
        ctx.update(`begin ${i}`);
        await ctx.step("work", () => i);
        ctx.update(`end ${i}`);
        // One step further with every attempt.
        if (i >= ctx.attempt) await new Promise(() => {});
      }
    };
    let engine = startProcess(world);
    engine.manager.registerTask({ type: "t", maxInterrupts: 100 }, handler);
    const taskId = await engine.manager.startTask("t");
    for (let life = 0; life < 8; life++) {
      await rest(world);
      engine.die();
      engine = startProcess(world);
      engine.manager.registerTask({ type: "t", maxInterrupts: 100 }, handler);
      await engine.manager.ready();
    }
    await rest(world);
    expect((await engine.manager.getTask(taskId)).task.status).toBe("completed");
    expect(await messagesOf(engine, taskId)).toEqual(
      Array.from({ length: 8 }, (_, i) => [`begin ${i}`, `end ${i}`]).flat(),
    );
  });

  test("tasks that had not begun are run by the next process", async () => {
    const world = await makeWorld();
    const first = startProcess(world, { concurrency: 1 });
    first.manager.registerTask("t", () => new Promise(() => {}));
    first.manager.registerTask("u", () => "ran");
    await first.manager.startTask("t");
    const queued = await first.manager.startTask("u");
    first.die();
    const second = startProcess(world, { concurrency: 1 });
    second.manager.registerTask("u", () => "ran");
    await second.manager.ready();
    await rest(world);
    expect((await second.manager.getTask(queued)).result).toBe("ran");
  });

  test("a handler that no longer reaches a recorded step fails with words about it", async () => {
    const world = await makeWorld();
    const { ended } = await crashAndResume(
      world,
      async (ctx) => {
        await ctx.step("old name", () => 1);
        await dieHere(ctx);
      },
      () => {},
      async (ctx) => {
        await ctx.step("new name", () => 1);
      },
    );
    const { task, error } = await ended();
    expect(task.status).toBe("failed");
    expect(error).toMatch(/^ReplayMismatch: .*old name/);
  });

  test.each<[string, object]>([
    ["other choices", { choices: ["a", "c"] }],
    ["several choices", { choices: ["a", "b"], multiple: true }],
    ["a schema", { schema: { type: "string" } }],
    ["free text", {}],
  ])("a question that is now asked with %s is a mismatch", async (_, changed) => {
    const world = await makeWorld();
    const { ended, second, taskId } = await crashAndResume(
      world,
      (ctx) => ctx.askCustomer("Which?", { choices: ["a", "b"] }),
      () => {},
      (ctx) => ctx.askCustomer("Which?", changed),
    );
    const { questionId } = await openQuestion(second, taskId);
    await second.manager.respondToQuestion(taskId, questionId, "a");
    await rest(world);
    expect((await ended()).error).toMatch(/^ReplayMismatch/);
  });

  test("another prompt, other labels and another default are no mismatch", async () => {
    const world = await makeWorld();
    const { ended, second, taskId } = await crashAndResume(
      world,
      (ctx) => ctx.askCustomer("Which?", { choices: ["a", "b"] }),
      () => {},
      (ctx) =>
        ctx.askCustomer("Which one, please?", {
          choices: [{ value: "a", label: "An A" }, "b"],
          default: "b",
        }),
    );
    const { questionId } = await openQuestion(second, taskId);
    await second.manager.respondToQuestion(taskId, questionId, "a");
    await rest(world);
    expect((await ended()).result).toBe("a");
  });

  test("a task cancelled while its process was down cleans up in the next one", async () => {
    const world = await makeWorld();
    let cleaned = 0;
    const { ended } = await crashAndResume(
      world,
      async (ctx) => {
        const kept = await ctx.step("a", () => "kept");
        try {
          await ctx.askCustomer("Proceed?");
        } finally {
          cleaned += 1;
          ctx.update(`cleaned ${kept}`);
        }
      },
      async (_engine, taskId) => {
        await world.store.commit({
          kind: "request_cancel",
          taskId,
          at: world.clock.now(),
          actor: { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" },
          reason: "enough",
          force: false,
        });
      },
    );
    expect((await ended()).error).toBe("TaskCancelled: enough");
    expect(cleaned).toBe(1);
  });
});
