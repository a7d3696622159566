import { expect } from "vitest";
import type { AuditQuery, AuditRecord } from "../../server/core/audit.ts";
import { answerPlace, paramsPlace, stepPlace } from "../../server/core/secret-box.ts";
import type { ConformanceTest } from "./conformance.ts";
import { agent, approvalOf, operator, type StoreKit } from "./store-kit.ts";

const from = (address: string) => ({ ...operator, address });

async function entries(kit: StoreKit, query: Partial<AuditQuery> = {}) {
  return (await kit.store.audit.list({ limit: 100, ...query })).items;
}

/** The audit log, and the sealed values beside what they belong to. */
export function auditTests(test: ConformanceTest): void {
  test("what is done to a task is noted with who, over what, from where, and what changed", async ({
    kit,
  }) => {
    const key = { ...agent, address: "10.0.0.7", keyOwnerId: "olga" };
    const { taskId, epoch } = await kit.running({ actor: key, params: { n: [1] } });
    const first = await kit.ask(taskId, { prompt: "One?" });
    const second = await kit.ask(taskId, { prompt: "Two?" });
    await kit.commit<"mark_seen">(taskId, {
      kind: "mark_seen",
      questionId: first.questionId,
      actor: from("::1"),
    });
    await kit.resolve(first, "answered", { yes: true }, from("192.0.2.1"));
    await kit.resolve(first, "answered", { yes: true }, from("192.0.2.2"));
    await kit.resolve(second, "declined", null, from("192.0.2.1"));
    await kit.cancel(taskId);
    await kit.cancel(taskId);
    await kit.finish(taskId, epoch);
    const about = { taskId, taskType: "demo" };
    const ada = { kind: "operator", id: "ada", name: "Ada" };
    expect(await entries(kit)).toMatchObject([
      { action: "task.cancelled", actor: ada, details: { reason: "not needed", force: false } },
      {
        action: "question.declined",
        questionId: second.questionId,
        details: { prompt: "Two?", reason: "no" },
      },
      {
        ...about,
        action: "question.answered",
        actor: ada,
        surface: "dashboard",
        address: "192.0.2.1",
        questionId: first.questionId,
        details: { prompt: "One?", answer: { yes: true } },
      },
      { action: "question.seen", address: "::1" },
      {
        ...about,
        action: "task.started",
        actor: { kind: "agent", id: "key_1", name: "a key" },
        keyOwnerId: "olga",
        surface: "rest",
        address: "10.0.0.7",
        questionId: null,
        details: { params: { n: [1] } },
      },
    ]);
  });

  test("where a call came from is in the audit log and nowhere else", async ({ kit }) => {
    const { taskId } = await kit.running({ actor: { ...agent, address: "10.0.0.7" } });
    const question = await kit.ask(taskId);
    await kit.resolve(question, "answered", "yes", from("192.0.2.1"));
    await kit.commit<"request_cancel">(taskId, {
      kind: "request_cancel",
      actor: from("192.0.2.1"),
      reason: null,
      force: false,
    });
    const shown = [
      await kit.task(taskId),
      await kit.store.getQuestions(taskId),
      await kit.store.readEvents(taskId, {}),
    ];
    expect(JSON.stringify(shown)).not.toMatch(/10\.0\.0\.7|192\.0\.2\.1|address/);
  });

  test("what is refused is not noted, and a repeated start neither", async ({ kit }) => {
    const start = { idempotencyKey: "k", requestDigest: "d" };
    const taskId = await kit.start(start);
    await kit.start(start);
    const question = await kit.ask(taskId, { answerableBy: "operator" });
    await expect(kit.resolve(question, "answered", "x", agent)).rejects.toThrow();
    expect((await entries(kit)).map(({ action }) => action)).toEqual(["task.started"]);
  });

  test("each approval is noted with the arguments, and what was edited", async ({ kit }) => {
    const { taskId } = await kit.running();
    const approval = approvalOf({ sum: 9 }, { needed: 2, allowEdit: true });
    const question = await kit.ask(taskId, { approval });
    await kit.approve(question, operator, { args: { sum: 5 }, argsDigest: "d2" });
    await kit.approve(question, { ...operator, id: "bob" }, { args: { sum: 5 }, argsDigest: "d2" });
    expect(await entries(kit, { actions: ["approval.given"] })).toMatchObject([
      { actor: { id: "bob" }, details: { action: "refund", given: 2, needed: 2 } },
      {
        actor: { id: "ada" },
        questionId: question.questionId,
        details: { args: { sum: 5 }, askedArgs: { sum: 9 }, edited: true, given: 1 },
      },
    ]);
  });

  test("long details are cut, and strange text comes back as it was", async ({ kit }) => {
    const params = { long: "x".repeat(5000) };
    await kit.start({ params, actor: { ...agent, name: "\u0000\ud800 ’=1" } });
    const [entry] = await entries(kit);
    expect(entry?.actor?.name).toBe("\u0000\ud800 ’=1");
    expect(String(entry?.details.params)).toMatch(/^\{"long":"x{1900,}…$/);
  });

  test("entries of other things are added; the list is filtered and paged", async ({ kit }) => {
    const record: AuditRecord = {
      at: kit.now(),
      action: "identity.signed_in",
      actor: { kind: "operator", id: "ada", name: "Ada Byron" },
      keyOwnerId: null,
      surface: "dashboard",
      address: null,
      taskId: null,
      taskType: null,
      questionId: null,
      details: {},
    };
    await kit.store.audit.append(record);
    await kit.store.audit.append({ ...record, action: "identity.sign_in_failed", actor: null });
    const early = kit.now();
    await kit.clock.advance(10);
    const taskIds = [await kit.start(), await kit.start({ actor: operator })];
    const actionsOf = async (query: Partial<AuditQuery>) =>
      (await entries(kit, query)).map(({ action }) => action);
    expect(await actionsOf({ actor: "byron" })).toEqual(["identity.signed_in"]);
    expect(await actionsOf({ actor: "ada" })).toEqual(["task.started", "identity.signed_in"]);
    expect(await actionsOf({ actions: ["identity.sign_in_failed", "task.rerun"] })).toHaveLength(1);
    expect(await entries(kit, { taskId: taskIds[0] as string })).toHaveLength(1);
    expect(await actionsOf({ from: kit.later(-5) })).toEqual(["task.started", "task.started"]);
    expect(await actionsOf({ until: kit.later(-5), from: early })).toHaveLength(2);
    expect(await actionsOf({ until: early })).toEqual([]);

    const ids: number[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await kit.store.audit.list({ limit: 3, after });
      ids.push(...page.items.map(({ auditId }) => auditId));
      after = page.nextCursor;
    }
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(4);
    await expect(kit.store.audit.list({ limit: 3, after: "x" })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  test("entries outlive their task", async ({ kit }) => {
    const { taskId, epoch } = await kit.running();
    await kit.finish(taskId, epoch);
    await kit.clock.advance(100);
    expect(await kit.store.deleteFinished(kit.now(), 10)).toBe(1);
    expect(await entries(kit, { taskId })).toMatchObject([{ action: "task.started" }]);
  });

  test("sealed values are kept beside the masks, and go with their task", async ({ kit }) => {
    const sealed = (text: string) => ({ keyId: "k1", text: `${text}'"\u0001` });
    const { taskId, epoch } = await kit.running({
      params: { token: "•••" },
      sealedParams: sealed("p"),
    });
    const question = await kit.ask(taskId, { secret: true, hasDefault: true, defaultValue: "x" });
    expect(question).toMatchObject({ secret: true, answerableBy: "operator", hasDefault: false });
    await expect(kit.resolve(question, "answered", "open")).rejects.toThrow(/not sealed/);
    const { question: answered } = await kit.commit<"resolve">(taskId, {
      kind: "resolve",
      questionId: question.questionId,
      outcome: "answered",
      answer: "in the clear by mistake",
      sealedAnswer: sealed("a"),
      declineReason: null,
      actor: operator,
    });
    expect(answered.answer).toBe("•••");
    expect(await kit.store.getQuestion(question.questionId)).toEqual(answered);
    for (const text of ["first", "s"]) {
      await kit.commit<"record">(taskId, {
        kind: "record",
        epoch,
        sealedValue: sealed(text),
        entry: {
          taskId,
          kind: "step",
          name: "n",
          key: "#1",
          status: "ok",
          value: "•••",
          error: null,
          startedAt: kit.now(),
        },
      });
    }
    expect(await kit.store.getSealed(taskId)).toEqual(
      new Map([
        [paramsPlace, sealed("p")],
        [answerPlace(question.questionId), sealed("a")],
        [stepPlace("n", "#1"), sealed("s")],
      ]),
    );
    expect(await kit.store.listSealingKeys()).toEqual(["k1"]);
    await kit.finish(taskId, epoch);
    expect(await kit.store.listSealingKeys()).toEqual([]);
    expect((await kit.store.getSealed(taskId)).size).toBe(3);
    await kit.clock.advance(100);
    await kit.store.deleteFinished(kit.now(), 10);
    expect((await kit.store.getSealed(taskId)).size).toBe(0);
  });
}
