import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Actor, Grant, TaskContext } from "../../server/index.ts";
import {
  agent,
  ann,
  drive,
  eventKinds,
  openQuestion,
  rejection,
  testEngine,
  watch,
} from "./test-engine.ts";

const bob: Actor = { ...ann, id: "bob", name: "Bob" };
const args = { order: "A-1", amount: 40 };
const yes = { approve: true };

type Options = Parameters<TaskContext["approve"]>[2];

/** A task that waits for an approval. */
async function asking(options: Options = {}, value: unknown = args) {
  const engine = testEngine();
  const task = await drive(engine);
  const grant = watch(task.ctx.approve("refund", value, options));
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, task.taskId);
  const say = async (answer: unknown, actor: Actor = ann) => {
    const resolution = await engine.manager.answerQuestion(questionId, answer, { actor });
    await engine.clock.settle();
    return resolution;
  };
  return { engine, ...task, grant, questionId, say };
}

/** A task with a grant. */
async function granted(options: Options = {}) {
  const asked = await asking(options);
  await asked.say(yes);
  return { ...asked, grant: asked.grant.value as Grant<typeof args> };
}

describe("asking for approval", () => {
  test("shows operators the action, the arguments and what is still needed", async () => {
    const { engine, questionId, taskId } = await asking({ approvals: 2, allowEdit: true });
    const question = await engine.manager.getQuestion(questionId);
    expect(question).toMatchObject({
      prompt: "Approve refund?",
      answerableBy: "operator",
      timeout: 300,
      hasDefault: false,
      approval: { action: "refund", args, allowEdit: true, needed: 2, given: [], edited: null },
    });
    // echo -n '{"amount":40,"order":"A-1"}' | sha256sum
    expect(question.approval?.argsDigest).toBe(
      "432e0624a1c2a6e716c97bd207f326b244ea7522b76b57f7685ffe8b4f3d0df6",
    );
    const { pendingQuestion } = await engine.manager.pollTask(taskId);
    expect(pendingQuestion?.toJSON().approval?.args).toEqual(args);
  });

  test("resolves to a grant that says what was approved, by whom and until when", async () => {
    const { grant, say, engine, questionId } = await asking({ expiresIn: 60 });
    expect(await say(yes)).toMatchObject({ won: true, question: { outcome: "answered" } });
    const { approval, resolvedAt } = await engine.manager.getQuestion(questionId);
    expect(grant.value).toEqual({
      questionId,
      action: "refund",
      args,
      argsDigest: approval?.argsDigest,
      isEdited: false,
      approvedBy: [{ by: ann, at: resolvedAt }],
      expiresAt: approval?.expiresAt,
    });
  });

  test("throws as a question does: declined, timed out, cancelled", async () => {
    const declined = await asking();
    await declined.engine.manager.declineQuestion(declined.questionId, {
      actor: ann,
      reason: "no",
    });
    await declined.engine.clock.settle();
    expect(declined.grant.error).toMatchObject({
      code: "question_declined",
      message: "Ann declined to answer: no",
    });
    const late = await asking({ timeout: 10 });
    await late.engine.clock.advance(10);
    expect(late.grant.error).toMatchObject({ code: "task_timeout" });
    const cancelled = await asking();
    await cancelled.engine.manager.cancelTask(cancelled.taskId);
    await cancelled.engine.clock.settle();
    expect(cancelled.grant.error).toMatchObject({ code: "task_cancelled" });
  });

  test.each([
    ["no name", "", args, {}],
    ["a blank name", "  ", args, {}],
    ["a long name", "x".repeat(201), args, {}],
    ["arguments that are no JSON", "refund", { at: () => 1 }, {}],
    ["no people", "refund", args, { approvals: 0 }],
    ["half a person", "refund", args, { approvals: 1.5 }],
    ["a grant that never begins", "refund", args, { expiresIn: 0 }],
    ["a grant for ever", "refund", args, { expiresIn: Number.POSITIVE_INFINITY }],
    ["no time to answer", "refund", args, { timeout: 0 }],
    ["arguments that do not fit", "refund", args, { schema: z.object({ amount: z.string() }) }],
  ])("refuses %s", async (_, action, value, options) => {
    const { ctx } = await drive(testEngine());
    expect(await rejection(ctx.approve(action, value, options))).toMatchObject({
      code: "invalid_input",
    });
  });

  test("keeps what was approved from being changed afterwards", async () => {
    const value = { order: "A-1", amount: 40 };
    const { engine, grant, say, questionId, ctx } = await asking({}, value);
    value.amount = 4000;
    await say(yes);
    const got = grant.value as Grant<typeof value>;
    expect(got.args).toEqual(args);
    got.args.amount = 5000;
    expect((await engine.manager.getQuestion(questionId)).approval?.args).toEqual(args);
    expect(await rejection(ctx.step("pay", { grant: got, args: got.args }, () => 1))).toMatchObject(
      { code: "grant_refused", details: { reason: "other_args" } },
    );
  });
});

describe("answering", () => {
  test.each([
    ["a text", "yes", /answered with/],
    ["nothing", null, /answered with/],
    ["a no", { approve: false }, /decline the question/],
    ["a truthy thing", { approve: 1 }, /must be true/],
    ["a list", [true], /answered with/],
    ["something more", { approve: true, force: true }, /not "force"/],
    ["a digest that is no text", { approve: true, argsDigest: 5 }, /argsDigest/],
    ["other arguments", { approve: true, args: { amount: 1 } }, /must not be changed/],
  ])("with %s is refused, and the question stays open", async (_, answer, message) => {
    const { say, engine, questionId } = await asking();
    const error = await rejection(say(answer));
    expect(error).toMatchObject({ code: "invalid_answer" });
    expect(error.message).toMatch(message);
    expect((await engine.manager.getQuestion(questionId)).outcome).toBeNull();
  });

  test("by an agent is forbidden whatever it sends", async () => {
    const { engine, questionId, taskId, grant } = await asking({ allowEdit: true, approvals: 2 });
    const { manager } = engine;
    const posing = { ...yes, actor: ann, by: ann, answerableBy: "anyone" };
    for (const answer of [yes, posing, "yes", { approve: true, args }, null]) {
      for (const options of [{ actor: agent }, {}]) {
        const respond = manager.respondToQuestion(taskId, questionId, answer, options);
        expect(await rejection(respond)).toMatchObject({ code: "forbidden" });
      }
    }
    expect(await rejection(manager.declineQuestion(questionId, { actor: agent }))).toMatchObject({
      code: "forbidden",
    });
    expect(
      await rejection(Promise.resolve(engine.store.answerQuestion(questionId, yes))),
    ).toMatchObject({
      code: "forbidden",
    });
    expect(grant.state).toBe("pending");
    expect((await manager.getQuestion(questionId)).approval?.given).toEqual([]);
  });

  test("with edited arguments gives those to the handler", async () => {
    const { say, grant, ctx, engine } = await asking({ allowEdit: true });
    await say({ approve: true, args: { order: "A-1", amount: 30 } });
    const got = grant.value as Grant<typeof args>;
    expect(got).toMatchObject({ isEdited: true, args: { order: "A-1", amount: 30 } });
    const paid = ctx.step("pay", { grant: got, args: got.args }, ({ amount }) => amount);
    await engine.clock.settle();
    expect(await paid).toBe(30);
  });

  test("with arguments that do not fit their schema is refused, also what only zod can say", async () => {
    const schema = z
      .object({ order: z.string(), amount: z.number().max(100) })
      .refine(({ amount }) => amount % 10 === 0, { message: "whole tens only", path: ["amount"] });
    const { say, grant } = await asking({ allowEdit: true, schema });
    expect(await rejection(say({ ...yes, args: { order: "A-1", amount: 200 } }))).toMatchObject({
      code: "invalid_answer",
      details: { issues: [{ path: "args.amount" }] },
    });
    expect(await rejection(say({ ...yes, args: { order: "A-1", amount: 7 } }))).toMatchObject({
      code: "invalid_answer",
      details: { issues: [{ path: "args.amount", message: "whole tens only" }] },
    });
    await say({ ...yes, args: { order: "A-1", amount: 70 } });
    expect((grant.value as Grant<typeof args>).args.amount).toBe(70);
  });

  test("by two people, when two are needed", async () => {
    const { say, grant, engine, taskId } = await asking({ approvals: 2 });
    expect(await say(yes)).toMatchObject({ won: true, question: { outcome: null } });
    expect(await say(yes)).toMatchObject({ won: true, question: { outcome: null } });
    expect(grant.state).toBe("pending");
    await say(yes, bob);
    expect((grant.value as Grant).approvedBy.map(({ by }) => by.id)).toEqual(["ann", "bob"]);
    const kinds = await eventKinds(engine, taskId);
    expect(kinds.filter((kind) => kind === "approval_given")).toHaveLength(1);
  });

  test("of two who race for the last approval, exactly one makes it", async () => {
    const { engine, questionId, say } = await asking({ approvals: 2 });
    await say(yes, { ...ann, id: "cleo" });
    const race = [ann, bob].map((actor) =>
      engine.manager.answerQuestion(questionId, yes, { actor }),
    );
    const won = (await Promise.all(race)).map(({ won }) => won);
    expect(won.sort()).toEqual([false, true]);
    const { approval } = await engine.manager.getQuestion(questionId);
    expect(approval?.given).toHaveLength(2);
  });

  test("one's own task is forbidden where the type says so", async () => {
    const engine = testEngine();
    engine.manager.registerTask({ type: "t", selfApproval: false }, (ctx: TaskContext) =>
      ctx.approve("refund", args),
    );
    engine.manager.registerTask("parent", async (ctx: TaskContext) =>
      (await ctx.startTask("t")).result(),
    );
    const owned: Actor = { ...agent, keyOwnerId: "ann" };
    for (const [type, actor] of [
      ["t", ann],
      ["t", owned],
      ["parent", owned],
    ] as const) {
      await engine.manager.startTask(type, {}, { actor });
      await engine.clock.settle();
      const { items } = await engine.manager.listQuestions({ state: "open", limit: 10 });
      const questionId = items[0]?.questionId as string;
      const byAnn = engine.manager.answerQuestion(questionId, yes, { actor: ann });
      expect(await rejection(byAnn)).toMatchObject({ code: "forbidden" });
      await engine.manager.answerQuestion(questionId, yes, { actor: bob });
      await engine.clock.settle();
    }
  });
});

describe("a step with a grant", () => {
  test("runs once, with the arguments, and uses the grant up", async () => {
    const { ctx, grant, engine, questionId, taskId } = await granted();
    const paid = ctx.step("pay", { grant, args }, (given) => ({ paid: given.amount }));
    await engine.clock.settle();
    expect(await paid).toEqual({ paid: 40 });
    const { approval } = await engine.manager.getQuestion(questionId);
    expect(approval?.usedBy).toMatchObject({ name: "pay", key: "#1" });
    const events = await engine.manager.readEvents(taskId);
    expect(events.at(-1)).toMatchObject({ kind: "step_completed", grantOf: questionId });
  });

  test.each([
    ["used", async () => {}],
    [
      "expired",
      async (engine: Awaited<ReturnType<typeof granted>>["engine"]) => engine.clock.advance(901),
    ],
  ])("does not run when the grant is %s", async (reason, before) => {
    const { ctx, grant, engine, taskId } = await granted();
    if (reason === "used") await ctx.step("first", { grant, args }, () => 1);
    await before(engine);
    let ran = false;
    const step = ctx.step("pay", { grant, args }, () => {
      ran = true;
    });
    await engine.clock.settle();
    expect(await rejection(step)).toMatchObject({ code: "grant_refused", details: { reason } });
    expect(ran).toBe(false);
    expect(await eventKinds(engine, taskId)).not.toContain("step_failed");
  });

  test("does not run with other arguments, another task's grant, a made-up one or none", async () => {
    const { ctx, grant, engine } = await granted();
    const foreign = await drive(engine);
    const other = { ...args, amount: 4000 };
    const run = () => {
      throw new Error("it ran");
    };
    const refused = [
      ctx.step("a", { grant, args: other }, run),
      ctx.step("b", { grant: { ...grant, args: other, argsDigest: "x" }, args: other }, run),
      ctx.step("c", { grant: { ...grant, questionId: "q_none" }, args }, run),
      foreign.ctx.step("d", { grant, args }, run),
    ].map(rejection);
    await engine.clock.settle();
    const reasons = (await Promise.all(refused)).map((error) => [
      error.code,
      (error as unknown as { details: { reason: string } }).details.reason,
    ]);
    expect(reasons).toEqual([
      ["grant_refused", "other_args"],
      // The same grant, which the step before had in hand.
      ["grant_refused", "used"],
      ["grant_refused", "foreign"],
      ["grant_refused", "foreign"],
    ]);
    const none = ctx.step("e", {} as never, run);
    expect(await rejection(none)).toMatchObject({ code: "invalid_input" });
    const forged = { ...grant, args: other, argsDigest: grant.argsDigest };
    expect(await rejection(ctx.step("f", { grant: forged, args: other }, run))).toMatchObject({
      details: { reason: "other_args" },
    });
  });

  test("takes equal arguments for the same, whatever the order of their keys", async () => {
    const { ctx, grant } = await granted();
    const reordered = { amount: 40, order: "A-1" };
    expect(await ctx.step("pay", { grant, args: reordered }, () => "paid")).toBe("paid");
  });

  test("of two at once, only one gets the grant", async () => {
    const { ctx, grant, engine } = await granted();
    let runs = 0;
    const steps = ["a", "b"].map((name) =>
      watch(
        ctx.step(name, { grant, args }, () => {
          runs += 1;
        }),
      ),
    );
    await engine.clock.settle();
    expect(steps.map(({ state }) => state).sort()).toEqual(["fulfilled", "rejected"]);
    expect(runs).toBe(1);
  });

  test("that fails leaves the grant; its own retries use it too, until it expires", async () => {
    const { ctx, grant, engine, questionId } = await granted({ expiresIn: 100 });
    const failing = ctx.step("pay", { grant, args }, () => {
      throw new Error("bank is closed");
    });
    expect((await rejection(failing)).message).toBe("bank is closed");
    expect((await engine.manager.getQuestion(questionId)).approval?.usedBy).toBeNull();
    let runs = 0;
    const retried = watch(
      ctx.step(
        "pay again",
        { grant, args },
        (given) => {
          runs += 1;
          // A try begins with what was approved, whatever the one before did to it.
          expect(given).toEqual(args);
          given.amount = 0;
          throw new Error("bank is still closed");
        },
        { retries: { limit: 9, minDelay: 40, factor: 1, jitter: 0 } },
      ),
    );
    for (let i = 0; i < 4; i++) await engine.clock.advance(40);
    expect(runs).toBe(3);
    expect(retried.error).toMatchObject({ code: "grant_refused", details: { reason: "expired" } });
  });

  test("that takes longer than the grant lasts is recorded all the same", async () => {
    const { ctx, grant, engine } = await granted({ expiresIn: 10 });
    const paid = watch(
      ctx.step(
        "pay",
        { grant, args },
        () => new Promise((r) => engine.clock.after(60, () => r(1))),
      ),
    );
    await engine.clock.settle();
    await engine.clock.advance(60);
    expect(paid).toMatchObject({ state: "fulfilled", value: 1 });
  });

  test("cannot ask for approval inside", async () => {
    const { ctx, engine } = await granted();
    const step = ctx.step("outer", () => ctx.approve("more", {}));
    await engine.clock.settle();
    expect(await rejection(step)).toMatchObject({ code: "conflict" });
  });
});

describe("the last time", () => {
  test("is the approval of the action before this one: of the task, else of its type", async () => {
    const engine = testEngine();
    const { manager, clock } = engine;
    manager.registerTask("t", async (ctx: TaskContext, { amounts }: { amounts: number[] }) => {
      for (const amount of amounts) await ctx.approve("refund", { amount }).catch(() => {});
    });
    const first = await manager.startTask("t", { amounts: [1, 2] });
    await clock.settle();
    const previous = async (taskId: string, acrossTasks: boolean) => {
      const { questionId } = await openQuestion(engine, taskId);
      const found = await manager.findPreviousApproval(questionId, { acrossTasks });
      return [questionId, found?.approval?.args ?? null] as const;
    };
    const [one, before] = await previous(first, true);
    expect(before).toBeNull();
    await manager.declineQuestion(one, { actor: ann });
    await clock.advance(1);
    expect((await previous(first, false))[1]).toEqual({ amount: 1 });
    const second = await manager.startTask("t", { amounts: [3] });
    await clock.advance(1);
    expect((await previous(second, true))[1]).toEqual({ amount: 2 });
    expect((await previous(second, false))[1]).toBeNull();
    const elsewhere = await drive(engine);
    void elsewhere.ctx.approve("refund", { amount: 4 }).catch(() => {});
    await clock.settle();
    expect((await previous(elsewhere.taskId, true))[1]).toBeNull();
    await manager.shutdown(0);
  });

  test("of what is no approval is nothing", async () => {
    const engine = testEngine();
    const { ctx, taskId } = await drive(engine);
    void ctx.ask({ prompt: "Well?" });
    await engine.clock.settle();
    const { questionId } = await openQuestion(engine, taskId);
    const options = { acrossTasks: true };
    expect(await engine.manager.findPreviousApproval(questionId, options)).toBeNull();
  });
});
