import { expect } from "vitest";
import type { ConformanceTest } from "./conformance.ts";
import { agent, approvalOf, operator } from "./store-kit.ts";

/** Approvals and their grants: kept as they are, used once. */
export function approvalTests(test: ConformanceTest): void {
  test("an approval keeps who approved, what was edited, and the step that used its grant", async ({
    kit,
  }) => {
    const { taskId, epoch } = await kit.running({ actor: { ...agent, keyOwnerId: "olga" } });
    const createdBy = { ...agent, keyOwnerId: "olga" };
    expect((await kit.task(taskId)).createdBy).toEqual(createdBy);
    expect((await kit.store.listTasks({ limit: 9 })).items).toMatchObject([{ createdBy }]);
    const question = await kit.ask(taskId, {
      answerableBy: "operator",
      approval: approvalOf({ n: [1, null, "\u0000\ud800"] }, { needed: 2, allowEdit: true }),
    });
    expect(await kit.store.getQuestion(question.questionId)).toEqual(question);
    const olga = { ...operator, id: "olga" };
    const refused = kit.approve(question, { ...olga, kind: "agent" });
    await expect(refused).rejects.toMatchObject({ code: "forbidden" });
    await expect(kit.approve(question, olga)).rejects.toMatchObject({ code: "forbidden" });
    await kit.approve(question, operator);
    const edit = { args: { n: 2 }, argsDigest: "d2" };
    const { question: edited } = await kit.approve(question, { ...operator, id: "bob" }, edit);
    expect(edited.approval).toMatchObject({ args: { n: 2 }, argsDigest: "d2", given: [{}] });
    expect(await kit.store.getQuestion(question.questionId)).toEqual(edited);
    expect(await kit.store.getOpenQuestions(taskId)).toEqual([edited]);
    expect((await kit.store.listQuestions({ state: "open", limit: 9 })).items).toEqual([edited]);
    expect(await kit.approve(question, operator, edit)).toMatchObject({ won: true });
    const use = { questionId: question.questionId, argsDigest: "d2", at: kit.now() };
    const wrong = kit.record(taskId, "pay", "ok", 1, "step", { ...use, argsDigest: "d1" });
    await expect(wrong).rejects.toMatchObject({ code: "grant_refused" });
    expect(await kit.store.getJournal(taskId)).toEqual([]);
    await kit.record(taskId, "pay", "ok", 1, "step", use);
    await expect(kit.record(taskId, "again", "ok", 1, "step", use)).rejects.toMatchObject({
      code: "grant_refused",
      details: { reason: "used" },
    });
    expect(await kit.store.getJournal(taskId)).toMatchObject([{ name: "pay" }]);
    await kit.retry(taskId, epoch);
    const { items } = await kit.store.listQuestions({ state: "resolved", limit: 9 });
    expect(items).toEqual([await kit.store.getQuestion(question.questionId)]);
    expect(await kit.store.getQuestion(question.questionId)).toMatchObject({
      outcome: "answered",
      answer: { approve: true, args: { n: 2 } },
      forgotten: false,
      approval: { usedBy: { name: "pay", key: "#1" }, given: [{ by: { id: "bob" } }, {}] },
    });
    const events = await kit.store.readEvents(taskId, {});
    expect(events.filter(({ kind }) => kind === "approval_given")).toMatchObject([
      { actor: operator, given: 1, needed: 2, edited: false, dropped: 0 },
      { given: 1, edited: true, dropped: 1 },
    ]);
    expect(events.find(({ kind }) => kind === "step_completed")).toMatchObject({
      grantOf: question.questionId,
    });
  });

  test("of those who race for a quorum, and of steps that race for its grant, each counts once", async ({
    kit,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      const { taskId } = await kit.running();
      const question = await kit.ask(taskId, {
        answerableBy: "operator",
        approval: approvalOf({ round }, { needed: 2 }),
      });
      const votes = ["ann", "ann", "bob", "cleo", "bob"].map((id) =>
        kit.approve(question, { ...operator, id }),
      );
      const won = (await Promise.all(votes)).map((vote) => vote.won);
      // Ann twice and Bob make it; Cleo is late; Bob only says again what he said.
      expect(won).toEqual([true, true, true, false, true]);
      const stored = await kit.store.getQuestion(question.questionId);
      expect(stored?.approval?.given.map(({ by }) => by.id)).toEqual(["ann", "bob"]);
      const use = { questionId: question.questionId, argsDigest: "d1", at: kit.now() };
      const steps = await Promise.allSettled(
        ["a", "b", "c"].map((name) => kit.record(taskId, name, "ok", 1, "step", use)),
      );
      expect(steps.map(({ status }) => status).sort()).toEqual([
        "fulfilled",
        "rejected",
        "rejected",
      ]);
      expect(await kit.store.getJournal(taskId)).toHaveLength(1);
    }
  });

  test("a grant of another task is refused, and stays unused", async ({ kit }) => {
    const one = await kit.running();
    const two = await kit.running();
    const approval = approvalOf({ n: 1 });
    const question = await kit.ask(one.taskId, { answerableBy: "operator", approval });
    await kit.approve(question, operator);
    const use = { questionId: question.questionId, argsDigest: "d1", at: kit.now() };
    await expect(kit.record(two.taskId, "pay", "ok", 1, "step", use)).rejects.toMatchObject({
      code: "grant_refused",
      details: { reason: "foreign" },
    });
    const stored = await kit.store.getQuestion(question.questionId);
    expect(stored?.approval?.usedBy).toBeNull();
  });

  test("the last approval of an action before a moment, of a task and of a type", async ({
    kit,
  }) => {
    const ask = async (taskId: string, action: string, n: number) => {
      await kit.clock.advance(1);
      const approval = approvalOf({ n }, { action });
      return kit.ask(taskId, { answerableBy: "operator", approval });
    };
    const one = await kit.running();
    const two = await kit.running();
    const elsewhere = await kit.running({ type: "other" });
    await ask(one.taskId, "refund", 1);
    const second = await ask(one.taskId, "refund", 2);
    await ask(one.taskId, "delete", 3);
    await ask(two.taskId, "refund", 4);
    await ask(elsewhere.taskId, "refund", 5);
    await kit.ask(one.taskId);
    await kit.clock.advance(1);
    const find = async (of: { taskId: string } | { taskType: string }, before = kit.now()) => {
      const found = await kit.store.findLastApproval({ action: "refund", before, ...of });
      return found?.approval?.args ?? null;
    };
    expect(await find({ taskId: one.taskId })).toEqual({ n: 2 });
    expect(await find({ taskId: one.taskId }, second.askedAt)).toEqual({ n: 1 });
    expect(await find({ taskType: "demo" })).toEqual({ n: 4 });
    expect(await find({ taskType: "other" })).toEqual({ n: 5 });
    expect(await find({ taskType: "none" })).toBeNull();
    expect(await find({ taskId: "none" })).toBeNull();
    // One that a retry forgot is not the last time: it was asked again.
    await kit.retry(two.taskId, two.epoch);
    expect(await find({ taskType: "demo" })).toEqual({ n: 2 });
  });
}
