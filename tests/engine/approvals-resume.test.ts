import { expect, test } from "vitest";
import { type Grant, hasErrorCode, type TaskContext } from "../../server/index.ts";
import { onBothStores, rest, startProcess, type World } from "./mortal-process.ts";
import { ann, openQuestion } from "./test-engine.ts";

const args = { order: "A-1", amount: 40 };
const bob = { ...ann, id: "bob", name: "Bob" };

type Handler = (ctx: TaskContext) => unknown;

function process(world: World, handler: Handler, retries = 0) {
  const engine = startProcess(world);
  const options = { type: "t", retries: { limit: retries, minDelay: 1, jitter: 0 } };
  engine.manager.registerTask(options, handler);
  return engine;
}

async function approve(engine: ReturnType<typeof startProcess>, taskId: string, actor = ann) {
  const { questionId } = await openQuestion(engine, taskId);
  await engine.manager.answerQuestion(questionId, { approve: true }, { actor });
}

/** Never settles in the first attempt: there the process dies. */
const dieHere = (ctx: TaskContext) =>
  ctx.attempt === 1 ? new Promise<void>(() => {}) : Promise.resolve();

onBothStores((makeWorld) => {
  test("an approval that was given gives the same grant again; one still open stays so, with who approved", async () => {
    const world = await makeWorld();
    const grants: Grant<typeof args>[] = [];
    const handler: Handler = async (ctx) => {
      const grant = await ctx.approve("refund", args, { approvals: 2 });
      grants.push(grant);
      await dieHere(ctx);
      return ctx.step("pay", { grant, args }, ({ amount }) => amount);
    };
    const first = process(world, handler);
    const taskId = await first.manager.startTask("t");
    await rest(world);
    await approve(first, taskId);
    first.die();
    const second = process(world, async (ctx) => {
      if (ctx.attempt < 3) await ctx.approve("refund", args, { approvals: 2 });
      return new Promise(() => {});
    });
    await second.manager.ready();
    await rest(world);
    expect((await openQuestion(second, taskId)).approval?.given).toMatchObject([{ by: ann }]);
    await approve(second, taskId, bob);
    await rest(world);
    second.die();
    const third = process(world, handler);
    await third.manager.ready();
    await rest(world);
    expect(await third.manager.getTask(taskId)).toMatchObject({ result: 40 });
    expect(grants).toHaveLength(1);
    expect(grants[0]?.approvedBy.map(({ by }) => by.name)).toEqual(["Ann", "Bob"]);
  });

  test("a step that used its grant is not run again, and its grant stays used", async () => {
    const world = await makeWorld();
    const ran: string[] = [];
    const handler: Handler = async (ctx) => {
      const grant = await ctx.approve("refund", args);
      const paid = await ctx.step("pay", { grant, args }, () => ran.push("pay"));
      await dieHere(ctx);
      const again = await ctx
        .step("pay twice", { grant, args }, () => ran.push("twice"))
        .catch((error: unknown) => hasErrorCode(error, "grant_refused") && error.details.reason);
      return { paid, again };
    };
    const first = process(world, handler);
    const taskId = await first.manager.startTask("t");
    await rest(world);
    await approve(first, taskId);
    await rest(world);
    first.die();
    const second = process(world, handler);
    await second.manager.ready();
    await rest(world);
    expect((await second.manager.getTask(taskId)).result).toEqual({ paid: 1, again: "used" });
    expect(ran).toEqual(["pay"]);
  });

  test("a process that dies between the step and its record leaves the grant; the step runs again", async () => {
    const world = await makeWorld();
    let runs = 0;
    const handler: Handler = async (ctx) => {
      const grant = await ctx.approve("refund", args, { expiresIn: 100 });
      return ctx.step("pay", { grant, args }, async () => {
        runs += 1;
        await dieHere(ctx);
        return runs;
      });
    };
    const first = process(world, handler);
    const taskId = await first.manager.startTask("t");
    await rest(world);
    await approve(first, taskId);
    await rest(world);
    first.die();
    const second = process(world, handler);
    await second.manager.ready();
    await rest(world);
    expect(await second.manager.getTask(taskId)).toMatchObject({ result: 2 });
  });

  test("a grant that expired while no process was up is refused", async () => {
    const world = await makeWorld();
    const handler: Handler = async (ctx) => {
      const grant = await ctx.approve("refund", args, { expiresIn: 100 });
      await dieHere(ctx);
      return ctx.step("pay", { grant, args }, () => "paid");
    };
    const first = process(world, handler);
    const taskId = await first.manager.startTask("t");
    await rest(world);
    await approve(first, taskId);
    await rest(world);
    first.die();
    await world.clock.advance(101);
    const second = process(world, handler);
    await second.manager.ready();
    await rest(world);
    const { task, error } = await second.manager.getTask(taskId);
    expect(task.status).toBe("failed");
    expect(error).toMatch(/^GrantRefused: .*expired at/);
  });

  test("a retry keeps a grant that was not used, and asks nobody again", async () => {
    const world = await makeWorld();
    let runs = 0;
    const engine = process(
      world,
      async (ctx) => {
        const grant = await ctx.approve("refund", args);
        return ctx.step("pay", { grant, args }, () => {
          runs += 1;
          if (ctx.attempt === 1) throw new Error("bank is closed");
          return "paid";
        });
      },
      1,
    );
    const taskId = await engine.manager.startTask("t");
    await rest(world);
    await approve(engine, taskId);
    await rest(world);
    await world.clock.advance(2);
    await rest(world);
    const { task, result, questions } = await engine.manager.getTask(taskId);
    expect({ status: task.status, result, runs }).toEqual({
      status: "completed",
      result: "paid",
      runs: 2,
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]?.approval?.usedBy).toMatchObject({ name: "pay" });
  });

  test("a retry cannot help where a grant is refused, so there is none", async () => {
    const world = await makeWorld();
    const engine = process(
      world,
      async (ctx) => {
        const grant = await ctx.approve("refund", args);
        return ctx.step("pay", { grant, args: { ...args, amount: 1 } }, () => "paid");
      },
      5,
    );
    const taskId = await engine.manager.startTask("t");
    await rest(world);
    await approve(engine, taskId);
    await rest(world);
    expect((await engine.manager.getTask(taskId)).task).toMatchObject({
      status: "failed",
      attempt: 1,
    });
  });

  test.each([
    ["other arguments", (ctx: TaskContext) => ctx.approve("refund", { ...args, amount: 4000 })],
    ["another action", (ctx: TaskContext) => ctx.approve("delete", args)],
    ["a question", (ctx: TaskContext) => ctx.askCustomer("Well?")],
  ])("a handler that now asks for %s does not get the old approval", async (_, changed) => {
    const world = await makeWorld();
    const first = process(world, async (ctx) => {
      await ctx.approve("refund", args);
      await dieHere(ctx);
    });
    const taskId = await first.manager.startTask("t");
    await rest(world);
    await approve(first, taskId);
    await rest(world);
    first.die();
    const second = process(world, changed);
    await second.manager.ready();
    await rest(world);
    expect((await second.manager.getTask(taskId)).error).toMatch(/^ReplayMismatch: Question #1/);
  });
});
