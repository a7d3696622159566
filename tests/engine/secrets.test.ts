import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  secretBox,
  type TaskContext,
  type TaskTypeOptions,
  toTimestamp,
} from "../../server/index.ts";
import { PlainStore } from "../support/plain-store.ts";
import { onBothStores, rest, startProcess, type World } from "./mortal-process.ts";
import {
  allThatIsShown,
  allThatIsStored,
  loginParams,
  pin,
  stepSecret,
  token,
} from "./secret-world.ts";
import {
  agent,
  ann,
  messagesOf,
  openQuestion,
  otherAgent,
  rejection,
  type TestEngine,
  testEngine,
} from "./test-engine.ts";

const box = () => secretBox({ secret: "a secret that is for tests" });
const mask = "•••";

type Handler = (ctx: TaskContext, params: z.output<typeof loginParams>) => unknown;

function register(
  { manager }: TestEngine,
  handler: Handler,
  options: Partial<TaskTypeOptions> = {},
) {
  manager.registerTask({ ...options, type: "login", params: loginParams }, handler);
}

function engineIn(world: World, handler: Handler, options?: Partial<TaskTypeOptions>) {
  const engine = startProcess(world, { secrets: box() });
  register(engine, handler, options);
  return engine;
}

async function answer(engine: TestEngine, taskId: string, value: unknown) {
  const { questionId } = await openQuestion(engine, taskId);
  return engine.manager.answerQuestion(questionId, value, { actor: ann });
}

onBothStores((makeWorld) => {
  test("only the handler sees a secret parameter, a secret answer and a secret step value", async () => {
    const world = await makeWorld();
    const seen: unknown[] = [];
    const engine = engineIn(world, async (ctx, params) => {
      const given = await ctx.askCustomer("The PIN?", { secret: true });
      const made = await ctx.step("session", () => ({ id: stepSecret }), { secret: true });
      seen.push(params.token, given, made.id);
      await ctx.update(`token ${params.token}, pin ${given}, session ${made.id}`);
      await ctx.progress(1, 2, `signing in as ${made.id}`);
      await ctx
        .step("broken", () => Promise.reject(new Error(`denied for ${given}`)))
        .catch(() => {});
      await ctx.ask({
        prompt: `Is ${params.token} right?`,
        context: { made },
        timeout: 1,
        default: "y",
      });
      return { ...params, [`by ${given}`]: [made.id] };
    });
    const { manager, store, clock } = engine;
    const taskId = await manager.startTask(
      "login",
      { token },
      { actor: agent, idempotencyKey: "k" },
    );
    await rest(world);
    expect(await openQuestion(engine, taskId)).toMatchObject({
      secret: true,
      answerableBy: "operator",
      hasDefault: false,
    });
    const { question, won } = await answer(engine, taskId, pin);
    expect({ won, answer: question.answer }).toEqual({ won: true, answer: mask });
    await rest(world);
    await clock.advance(2);
    await rest(world);
    expect(seen).toEqual([token, pin, stepSecret]);
    const { params, result, task } = await manager.getTask(taskId);
    expect(task.status).toBe("completed");
    expect(params).toEqual({ token: mask });
    expect(result).toEqual({ host: "example.com", token: mask, [`by ${mask}`]: [mask] });
    expect(await messagesOf(engine, taskId)).toContain(
      `token ${mask}, pin ${mask}, session ${mask}`,
    );
    const texts = [
      await allThatIsShown(manager, taskId),
      await allThatIsStored(store, taskId),
      engine.logged.join(),
    ];
    for (const text of texts) {
      for (const secret of [token, pin, stepSecret]) expect(text).not.toContain(secret);
    }
    // Not the plain digest either, from which a short secret could be guessed.
    expect(task.requestDigest).toMatch(/^[\w-]{8}\.[0-9a-f]{64}$/);
  });

  test("a resumed handler gets the same secrets from its journal", async () => {
    const world = await makeWorld();
    let ran = 0;
    const seen: unknown[] = [];
    const handler: Handler = async (ctx, params) => {
      const given = await ctx.askCustomer("The PIN?", { secret: true });
      const made = await ctx.step(
        "session",
        () => {
          ran += 1;
          return stepSecret;
        },
        { secret: true },
      );
      if (ctx.attempt === 1) return new Promise(() => {});
      seen.push(params.token, given, made);
      await ctx.update(`${params.token} ${given} ${made}`);
      return made;
    };
    const first = engineIn(world, handler);
    const taskId = await first.manager.startTask("login", { token });
    await rest(world);
    await answer(first, taskId, pin);
    await rest(world);
    first.die();
    const second = engineIn(world, handler);
    await second.manager.ready();
    await rest(world);
    await world.clock.advance(20);
    await rest(world);
    expect(seen).toEqual([token, pin, stepSecret]);
    expect(ran).toBe(1);
    expect(await second.manager.getTask(taskId)).toMatchObject({ result: mask });
    expect(await messagesOf(second, taskId)).toEqual([`${mask} ${mask} ${mask}`]);
  });

  test("an old secret still opens what it sealed; without it the task fails and says why", async () => {
    const world = await makeWorld();
    const handler: Handler = async (ctx, params) => {
      if (ctx.attempt === 1) return new Promise(() => {});
      return params.token === token;
    };
    const first = engineIn(world, handler);
    const taskIds = await Promise.all(
      [1, 2].map(() => first.manager.startTask("login", { token })),
    );
    await rest(world);
    expect(await world.store.listSealingKeys()).toEqual(box().keyIds);
    first.die();
    const rotated = secretBox({
      secret: "a new secret since the rotation",
      oldSecrets: ["a secret that is for tests"],
    });
    const second = startProcess(world, { secrets: rotated, concurrency: 1 });
    register(second, handler);
    await second.manager.ready();
    await world.clock.advance(20);
    await rest(world);
    for (const taskId of taskIds) {
      expect(await second.manager.getTask(taskId)).toMatchObject({ result: true });
    }
    const taskId = await second.manager.startTask(
      "login",
      { token },
      { startAfter: toTimestamp(world.clock.now() + 60_000_000) },
    );
    second.die();
    const third = startProcess(world, {
      secrets: secretBox({ secret: "another secret altogether" }),
    });
    register(third, handler);
    await third.manager.ready();
    await world.clock.advance(70);
    await rest(world);
    const { error } = await third.manager.getTask(taskId);
    expect(error).toMatch(/^SecretUnreadable: .*TOOLTHREAD_OLD_SECRETS/);
  });

  test("a rerun keeps the secrets only when every other parameter stays", async () => {
    const world = await makeWorld();
    const seen: unknown[] = [];
    const engine = engineIn(world, (_, params) => {
      seen.push(params);
    });
    const { manager } = engine;
    const taskId = await manager.startTask("login", { token, host: "a.example" });
    await rest(world);
    const again = await manager.rerunTask(taskId, { actor: ann });
    const shown = (await manager.getTask(again.taskId)).params;
    expect(shown).toEqual({ token: mask, host: "a.example" });
    await rest(world);
    await manager.rerunTask(again.taskId, { params: { host: "a.example", token: mask } });
    await rest(world);
    expect(seen).toEqual(Array(3).fill({ token, host: "a.example" }));
    const elsewhere = { host: "evil.example", token: mask };
    const refused = await rejection(manager.rerunTask(taskId, { params: elsewhere }));
    expect(refused).toMatchObject({
      code: "invalid_params",
      details: { issues: [{ path: "token", message: expect.stringMatching(/again/) }] },
    });
    expect(await rejection(manager.startTask("login", { token: mask }))).toMatchObject({
      code: "invalid_params",
    });
    await manager.rerunTask(taskId, { params: { host: "b.example", token: pin } });
    await rest(world);
    expect(seen.at(-1)).toEqual({ host: "b.example", token: pin });
    expect(await allThatIsShown(manager, again.taskId)).not.toContain(token);
  });

  test("a start repeated with its key is known by its secrets, also after a rotation", async () => {
    const world = await makeWorld();
    const first = engineIn(world, () => new Promise(() => {}));
    const start = (engine: TestEngine, secret: string) =>
      engine.manager.startTaskDetailed("login", { token: secret }, { idempotencyKey: "k" });
    const { task } = await start(first, token);
    expect(await start(first, token)).toMatchObject({ created: false });
    expect(await rejection(start(first, pin))).toMatchObject({ code: "idempotency_conflict" });
    first.die();
    const oldSecrets = ["a secret that is for tests"];
    const second = startProcess(world, {
      secrets: secretBox({ secret: "a new secret since the rotation", oldSecrets }),
    });
    register(second, () => {});
    expect(await start(second, token)).toMatchObject({
      created: false,
      task: { taskId: task.taskId },
    });
    expect(await rejection(start(second, pin))).toMatchObject({ code: "idempotency_conflict" });
  });

  test("nothing is secret where a store outlives the key: it is refused", async () => {
    const world = await makeWorld();
    const engine = startProcess(world);
    register(engine, (ctx) => ctx.askCustomer("The PIN?", { secret: true }));
    engine.manager.registerTask("asks", (ctx) => ctx.askCustomer("The PIN?", { secret: true }));
    const start = () => engine.manager.startTask("login", { token });
    const asking = await engine.manager.startTask("asks");
    await rest(world);
    const { error } = await engine.manager.getTask(asking);
    if (!world.store.isDurable) {
      await start();
      expect(error).toBeNull();
      return;
    }
    expect(await rejection(start())).toMatchObject({ code: "invalid_input" });
    expect(error).toMatch(/secretBox/);
    expect(await allThatIsStored(world.store, asking)).not.toContain(token);
  });

  test("repeating a secret answer is no conflict, another one is, and neither is shown", async () => {
    const world = await makeWorld();
    const engine = engineIn(world, (ctx) => ctx.askCustomer("The PIN?", { secret: true }));
    const { manager } = engine;
    const taskId = await manager.startTask("login", { token });
    await rest(world);
    const { questionId } = await openQuestion(engine, taskId);
    const send = (value: unknown, actor = ann) =>
      manager.answerQuestion(questionId, value, { actor });
    for (const actor of [agent, otherAgent]) {
      expect(await rejection(send(pin, actor))).toMatchObject({ code: "forbidden" });
    }
    const wrong = await rejection(send({ pin }));
    expect(wrong).toMatchObject({ code: "invalid_answer" });
    const both = await Promise.all([send(pin), send(pin)]);
    expect(both.map(({ won }) => won)).toEqual([true, true]);
    expect(await send("pin-another")).toMatchObject({ won: false, question: { answer: mask } });
    expect(await send(pin, { ...ann, id: "bob" })).toMatchObject({ won: false });
  });
});

describe("where a secret must not go", () => {
  const engineWith = (handler: Handler) => {
    const engine = testEngine();
    register(engine, handler);
    return engine;
  };

  async function resultOf(handler: Handler): Promise<unknown> {
    const { manager, clock } = engineWith(handler);
    const taskId = await manager.startTask("login", { token });
    await clock.settle();
    const { result, error } = await manager.getTask(taskId);
    expect(String(error)).not.toContain(token);
    return error ?? result;
  }

  test("a step value with one in it is refused, whole or in part, in a text, a name or a list", async () => {
    const values = [
      token,
      `Bearer ${token}`,
      { [token]: 1 },
      [[{ a: `x${token}y` }]],
      JSON.stringify({ token }),
    ];
    for (const value of values) {
      expect(await resultOf((ctx) => ctx.step("s", () => value))).toMatch(
        /^InvalidInput: The value of step "s" has a secret .*secret: true/,
      );
    }
    expect(await resultOf((ctx) => ctx.step("s", () => token.slice(0, 9)))).toBe(token.slice(0, 9));
  });

  test("names and keys of steps, choices, schemas, defaults and approvals with one are refused", async () => {
    const calls: ((ctx: TaskContext) => Promise<unknown>)[] = [
      (ctx) => ctx.step(`with ${token}`, () => 1),
      (ctx) => ctx.step("s", () => 1, { key: token }),
      (ctx) => ctx.askCustomer("Which?", { choices: ["a", token] }),
      (ctx) => ctx.askCustomer("Which?", { default: token }),
      (ctx) => ctx.askCustomer("Which?", { key: token }),
      (ctx) => ctx.askCustomer("Which?", { schema: { type: "string", title: token } }),
      (ctx) => ctx.approve("pay", { with: token }),
      (ctx) => ctx.approve(token, {}),
    ];
    for (const call of calls) expect(await resultOf(call)).toMatch(/^InvalidInput: .*secret/);
  });

  test("an error thrown, a number, and each line of a key are masked", async () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nshort\n-----END KEY-----";
    const engine = testEngine();
    const params = z.object({
      key: z.string().meta({ secret: true }),
      code: z.int().meta({ secret: true }),
    });
    engine.manager.registerTask({ type: "keys", params }, (ctx, { code }) => {
      void ctx.update(`{"key":${JSON.stringify(key)}} and MIIEvQIBADANBgkqhkiG9w0 with ${code}`);
      return [code, 12, "short"];
    });
    const taskId = await engine.manager.startTask("keys", { key, code: 80414 });
    await engine.clock.settle();
    expect(await messagesOf(engine, taskId)).toEqual([
      `{"key":"${mask}"} and ${mask} with ${mask}`,
    ]);
    expect(await engine.manager.getTask(taskId)).toMatchObject({ result: [mask, 12, "short"] });
    expect(
      await resultOf((_, { token: secret }) => Promise.reject(new RangeError(`no ${secret}!`))),
    ).toBe(`RangeError: no ${mask}!`);
  });

  test("a schema's own words about a secret are masked in the refusal", async () => {
    const { manager } = testEngine();
    const params = z.object({
      token: z
        .string()
        .refine(() => false, { error: ({ input }) => `${input} is known to be leaked` })
        .meta({ secret: true }),
    });
    manager.registerTask({ type: "picky", params }, () => {});
    const error = await rejection(manager.startTask("picky", { token }));
    expect(error).toMatchObject({ code: "invalid_params" });
    expect(JSON.stringify([error.message, error])).not.toContain(token);
    expect(error.message).toContain(`${mask} is known to be leaked`);
  });

  test("a child gets one as a secret or not at all", async () => {
    const engine = testEngine();
    const got: unknown[] = [];
    register(engine, async (ctx, params) => {
      await ctx.startTask("sealed", { token: params.token });
      return (await ctx
        .startTask("open", { token: params.token })
        .catch((e: Error) => e.message)) as string;
    });
    const child = {
      type: "sealed",
      params: z.object({ token: z.string().meta({ writeOnly: true }) }),
    };
    engine.manager.registerTask(child, (_, params) => {
      got.push(params);
    });
    engine.manager.registerTask("open", () => {});
    const taskId = await engine.manager.startTask("login", { token });
    await engine.clock.settle();
    expect(await engine.manager.getTask(taskId)).toMatchObject({
      result: expect.stringMatching(/secret/),
    });
    expect(got).toEqual([{ token }]);
    const { items } = await engine.manager.listTasks({ limit: 9 });
    expect(items.map(({ type }) => type).sort()).toEqual(["login", "sealed"]);
  });

  test("not into a label, an idempotency key or a concurrency key", async () => {
    const engine = testEngine();
    const concurrency = { key: (params: { token: string }) => params.token };
    register(engine, () => new Promise(() => {}), { concurrency });
    const { manager, store } = engine;
    for (const options of [{ labels: { as: token } }, { idempotencyKey: `for ${token}` }]) {
      expect(await rejection(manager.startTask("login", { token }, options))).toMatchObject({
        code: "invalid_input",
      });
    }
    const [one, two, other] = [
      await manager.startTask("login", { token }),
      await manager.startTask("login", { token }),
      await manager.startTask("login", { token: pin }),
    ];
    const keys = await Promise.all(
      [one, two, other].map(async (id) => (await store.getTask(id))?.concurrencyKey),
    );
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys.join()).not.toContain(token);
  });

  test("a store of the user's own with the ten methods never hears of one", async () => {
    const inner = new PlainStore();
    const told: string[] = [];
    const store = new Proxy(inner, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          told.push(JSON.stringify(args));
          return value.apply(target, args);
        };
      },
    });
    const engine = testEngine({ store });
    const seen: unknown[] = [];
    register(engine, async (ctx, params) => {
      seen.push(params.token, await ctx.askCustomer("The PIN?", { secret: true }));
      return seen as string[];
    });
    const { manager, clock } = engine;
    const taskId = await manager.startTask("login", { token });
    await clock.settle();
    const { pendingQuestion } = await manager.pollTask(taskId, { timeout: 0 });
    await manager.answerQuestion(pendingQuestion?.questionId as string, pin, { actor: ann });
    await clock.settle();
    expect(seen).toEqual([token, pin]);
    expect(told.length).toBeGreaterThan(5);
    for (const secret of [token, pin]) expect(told.join()).not.toContain(secret);
  });
});

describe("what can be secret", () => {
  const shown = async (params: z.ZodType, given: unknown) => {
    const { manager, clock } = testEngine();
    const got: unknown[] = [];
    manager.registerTask({ type: "t", params }, (_, value) => {
      got.push(value);
    });
    const taskId = await manager.startTask("t", given);
    await clock.settle();
    expect(got).toEqual([await params.parseAsync(given)]);
    return (await manager.getTask(taskId)).params;
  };
  const secret = z.string().meta({ secret: true });

  test.each<[string, z.ZodType, unknown, unknown]>([
    [
      "an optional one that is given",
      z.object({ a: secret.optional() }),
      { a: token },
      { a: mask },
    ],
    ["an optional one that is not", z.object({ a: secret.optional() }), {}, {}],
    ["null, which is none", z.object({ a: secret.nullable() }), { a: null }, { a: null }],
    ["in a list", z.object({ a: z.array(secret) }), { a: [token, pin] }, { a: [mask, mask] }],
    ["in a tuple", z.tuple([z.string(), secret]), ["a", token], ["a", mask]],
    ["in a record", z.record(z.string(), secret), { x: token }, { x: mask }],
    ["in a union", z.object({ a: z.union([z.number(), secret]) }), { a: token }, { a: mask }],
    [
      "a whole object",
      z.object({ a: z.object({ u: z.string() }).meta({ secret: true }) }),
      { a: { u: pin } },
      { a: mask },
    ],
    [
      "behind a preprocess",
      z.preprocess((x) => x, z.object({ a: secret })),
      { a: token },
      { a: mask },
    ],
    [
      "before a transform",
      z.object({ a: secret.transform((x) => x.length) }),
      { a: token },
      { a: mask },
    ],
    [
      "with a name of its own",
      z.object({ a: secret.meta({ id: "Secret_T", secret: true }) }),
      { a: token },
      { a: mask },
    ],
    ["everything", z.object({ a: z.string() }).meta({ secret: true }), { a: token }, mask],
  ])("%s", async (_, params, given, expected) => {
    expect(await shown(params, given)).toEqual(expected);
  });

  test("in a recursive schema, however deep", async () => {
    const node: z.ZodType = z.object({
      key: secret,
      get next() {
        return z.union([node, z.null()]);
      },
    });
    const given = { key: token, next: { key: pin, next: null } };
    expect(await shown(node, given)).toEqual({ key: mask, next: { key: mask, next: null } });
  });

  test("its schema says so in both ways, and shows no default", () => {
    const { manager } = testEngine();
    const params = z.object({ a: secret.default("tok-default") });
    manager.registerTask({ type: "t", params }, () => {});
    const [info] = manager.taskTypes();
    expect(info?.paramsSchema).toMatchObject({
      properties: { a: { type: "string", secret: true, writeOnly: true } },
    });
    expect(JSON.stringify(info)).not.toContain("tok-default");
  });

  test("a question whose schema marks a part is secret as a whole, and refuses what would show it", async () => {
    const engine = testEngine();
    const refused: string[] = [];
    register(engine, async (ctx) => {
      for (const options of [
        { choices: ["a"] },
        { default: "a" },
        { answerableBy: "anyone" as const },
      ]) {
        await ctx
          .askCustomer("?", { ...options, secret: true })
          .catch((e: Error) => refused.push(e.message));
      }
      const schema = z.object({ user: z.string(), password: secret });
      const { user, password } = await ctx.askCustomer("Sign in", { schema });
      return user + password.length;
    });
    const { manager, clock } = engine;
    const taskId = await manager.startTask("login", { token });
    await clock.settle();
    expect(refused).toEqual(Array(3).fill(expect.stringMatching(/^A secret question cannot have/)));
    expect(await openQuestion(engine, taskId)).toMatchObject({
      secret: true,
      answerableBy: "operator",
    });
    const { question } = await answer(engine, taskId, { user: "olga", password: pin });
    expect(question.answer).toBe(mask);
    await clock.settle();
    expect(await manager.getTask(taskId)).toMatchObject({ result: `${mask}${pin.length}` });
  });
});
