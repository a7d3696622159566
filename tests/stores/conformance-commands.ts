import { expect } from "vitest";
import type { Actor } from "../../server/core/actor.ts";
import type { Change } from "../../server/core/durable-task-store.ts";
import type { ConformanceTest } from "./conformance.ts";
import { operator } from "./store-kit.ts";

/** Every command, what it leaves behind, and how it is refused. */
export function commandTests(test: ConformanceTest): void {
  test("start with a lease creates and claims in one", async ({ kit }) => {
    const { task, created } = await kit.startDetailed({ lease: kit.lease("w_7"), priority: 3 });
    expect(created).toBe(true);
    expect(task).toMatchObject({ status: "running", attempt: 1, epoch: 1, workerId: "w_7" });
    expect(await kit.task(task.taskId)).toEqual(task);
    expect(await kit.kinds(task.taskId)).toEqual(["task_created", "attempt_started"]);
  });

  test("an idempotency key starts once per actor and type", async ({ kit }) => {
    const keyed = { idempotencyKey: "k", requestDigest: "d1" };
    const first = await kit.startDetailed(keyed);
    const again = await kit.startDetailed(keyed);
    expect(again).toMatchObject({ created: false, task: { taskId: first.task.taskId } });
    expect((await kit.startDetailed({ ...keyed, type: "other" })).created).toBe(true);
    expect((await kit.startDetailed({ ...keyed, actor: operator })).created).toBe(true);
    await expect(kit.startDetailed({ ...keyed, requestDigest: "d2" })).rejects.toMatchObject({
      code: "idempotency_conflict",
      details: { taskId: first.task.taskId },
    });
  });

  test("claim: only when due, only by one, and each raises the epoch", async ({ kit }) => {
    const later = await kit.start({ runAt: kit.later(60) });
    expect(await kit.claim(later)).toBeNull();
    const taskId = await kit.start();
    expect(await kit.claim(taskId, "w_1")).toMatchObject({ epoch: 1, workerId: "w_1" });
    expect(await kit.claim(taskId, "w_2")).toBeNull();
    await kit.commit<"release">(taskId, { kind: "release", epoch: 1 });
    expect(await kit.claim(taskId, "w_2")).toMatchObject({ epoch: 2, attempt: 2 });
  });

  test("renew, release and expire", async ({ kit }) => {
    const { taskId, epoch } = await kit.running();
    const expiresAt = kit.later(60);
    expect(await kit.commit<"renew">(taskId, { kind: "renew", epoch, expiresAt })).toBe(true);
    expect((await kit.task(taskId)).leaseExpiresAt).toBe(expiresAt);
    expect(await kit.commit<"renew">(taskId, { kind: "renew", epoch: 9, expiresAt })).toBe(false);
    const expire = { kind: "expire", deadWorkerId: null, reason: "gone", fail: null } as const;
    expect(await kit.commit<"expire">(taskId, expire)).toBe(false);
    await kit.clock.advance(61);
    expect(await kit.commit<"expire">(taskId, expire)).toBe(true);
    expect(await kit.task(taskId)).toMatchObject({ workerId: null, interrupts: 1 });
    expect(await kit.commit<"release">(taskId, { kind: "release", epoch })).toBe(false);
    await expect(kit.post(taskId, "from the dead", epoch)).rejects.toMatchObject({
      code: "lease_lost",
    });
  });

  test("updates and progress of the attempt that owns the task, of no other", async ({ kit }) => {
    const { taskId, epoch } = await kit.running();
    expect(await kit.post(taskId, "mine", epoch)).toEqual({ seq: 3, at: expect.any(String) });
    await expect(kit.post(taskId, "not mine", epoch + 1)).rejects.toMatchObject({
      code: "lease_lost",
    });
    const progress = { done: 1, total: 2, message: null, at: kit.now() };
    await kit.commit<"set_progress">(taskId, { kind: "set_progress", epoch, progress });
    expect((await kit.task(taskId)).progress).toMatchObject(progress);
    expect(await kit.messages(taskId)).toEqual(["mine"]);
  });

  test("a question opens, is seen once, and is answered once", async ({ kit }) => {
    const { taskId } = await kit.running();
    const question = await kit.ask(taskId, {
      choices: [{ value: "a", label: "A", description: "first" }],
      schema: { type: "string" },
      context: { why: ["x"] },
      hasDefault: true,
      defaultValue: "a",
      answerableBy: "operator",
      urgency: "high",
      timeout: 0.5,
      deadline: kit.later(300),
    });
    expect(await kit.task(taskId)).toMatchObject({ status: "waiting_for_input", openQuestions: 1 });
    const seen = { kind: "mark_seen", questionId: question.questionId, actor: operator } as const;
    await kit.commit<"mark_seen">(taskId, seen);
    await kit.commit<"mark_seen">(taskId, seen);
    const stored = await kit.store.getQuestion(question.questionId);
    expect(stored).toEqual({
      ...question,
      firstSeenAt: expect.any(String),
      firstSeenBy: operator,
      lastSeq: question.lastSeq + 1,
    });
    const agent = { ...operator, kind: "agent" } as const;
    await expect(kit.resolve(question, "answered", "a", agent)).rejects.toMatchObject({
      code: "forbidden",
    });
    expect(await kit.resolve(question, "answered", { deep: [null] })).toMatchObject({ won: true });
    expect(await kit.resolve(question, "answered", { deep: [null] })).toMatchObject({ won: true });
    expect(await kit.resolve(question, "declined")).toMatchObject({
      won: false,
      question: { outcome: "answered", answer: { deep: [null] } },
    });
    expect(await kit.task(taskId)).toMatchObject({ status: "running", openQuestions: 0 });
    expect(await kit.kinds(taskId)).toEqual([
      "task_created",
      "attempt_started",
      "question_opened",
      "question_seen",
      "question_resolved",
    ]);
  });

  test("a claim is kept, taken over, let go of, and over with the answer", async ({ kit }) => {
    const { taskId } = await kit.running();
    const bob = { ...operator, id: "bob", name: "Bob" };
    const question = await kit.ask(taskId);
    const { questionId } = question;
    const claim = (actor: Actor, takeOver = false) =>
      kit.commit<"claim_question">(taskId, { kind: "claim_question", questionId, actor, takeOver });
    const release = (actor: Actor) =>
      kit.commit<"release_question">(taskId, { kind: "release_question", questionId, actor });
    const stored = () => kit.store.getQuestion(questionId);

    expect(await claim(operator)).toMatchObject({ claimed: true });
    expect(await stored()).toEqual({
      ...question,
      claimedBy: operator,
      claimedUntil: expect.any(String),
      lastSeq: question.lastSeq + 1,
    });
    expect(await claim(operator)).toMatchObject({ claimed: true });
    expect(await claim(bob)).toMatchObject({ claimed: false, question: { claimedBy: operator } });
    expect(await release(bob)).toMatchObject({ released: false });
    expect(await claim(bob, true)).toMatchObject({ claimed: true });
    expect(await release(bob)).toMatchObject({ released: true });
    expect(await stored()).toMatchObject({ claimedBy: null, claimedUntil: null });
    await claim(bob);
    // It holds nobody off.
    expect(await kit.resolve(question, "answered", "yes")).toMatchObject({ won: true });
    expect(await stored()).toMatchObject({ claimedBy: null, claimedUntil: null });
    expect(await claim(bob)).toMatchObject({ claimed: false, question: { outcome: "answered" } });
    expect((await kit.kinds(taskId)).slice(3)).toEqual([
      "question_claimed",
      "question_claimed",
      "question_released",
      "question_claimed",
      "question_resolved",
    ]);
    const noted = await kit.store.audit.list({
      actions: ["question.claimed", "question.released"],
      limit: 10,
    });
    const said = noted.items.map(({ action, actor, details }) => [
      action,
      actor?.id,
      details.takenFromId,
    ]);
    expect(said).toEqual([
      ["question.claimed", "bob", undefined],
      ["question.released", "bob", undefined],
      ["question.claimed", "bob", operator.id],
      ["question.claimed", operator.id, undefined],
    ]);
  });

  test("the deadline decides, not who comes first after it", async ({ kit }) => {
    const { taskId } = await kit.running();
    const question = await kit.ask(taskId, { deadline: kit.later(10) });
    expect(await kit.resolve(question, "timed_out")).toMatchObject({ won: false });
    await kit.clock.advance(10);
    expect(await kit.resolve(question, "answered", "late")).toMatchObject({
      won: false,
      question: { outcome: "timed_out", answer: null },
    });
  });

  test("a question's id is used once, and belongs to its task", async ({ kit }) => {
    const one = await kit.start();
    const two = await kit.start();
    const question = await kit.ask(one, { questionId: "q_same" });
    await expect(kit.ask(two, { questionId: "q_same" })).rejects.toMatchObject({
      code: "conflict",
    });
    const foreign = kit.resolve({ ...question, taskId: two }, "answered", "x");
    await expect(foreign).rejects.toMatchObject({ code: "task_not_found" });
    await kit.resolve(question, "answered", "x");
    await expect(kit.ask(one, { questionId: "q_same" })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await kit.store.getQuestion("q_same")).toMatchObject({ taskId: one, answer: "x" });
  });

  test("a cancel closes every open question and ends what no worker has begun", async ({ kit }) => {
    const { taskId } = await kit.running();
    const first = await kit.ask(taskId);
    const second = await kit.ask(taskId);
    expect(await kit.cancel(taskId)).toBe(true);
    expect(await kit.cancel(taskId)).toBe(true);
    for (const { questionId } of [first, second]) {
      expect(await kit.store.getQuestion(questionId)).toMatchObject({ outcome: "cancelled" });
    }
    expect(await kit.task(taskId)).toMatchObject({ status: "running", cancelReason: "not needed" });
    await expect(kit.ask(taskId)).rejects.toMatchObject({ code: "task_cancelled" });
    expect(await kit.cancel(taskId, true)).toBe(true);
    expect(await kit.task(taskId)).toMatchObject({ status: "cancelled", cancelledBy: operator });
    expect(await kit.cancel(taskId)).toBe(false);
    const idle = await kit.start();
    await kit.cancel(idle);
    expect(await kit.store.getPayload(idle)).toMatchObject({
      result: null,
      error: "TaskCancelled: not needed",
    });
  });

  test("finish writes status and result together, and nothing comes after", async ({ kit }) => {
    const { taskId, epoch } = await kit.running();
    expect(await kit.finish(taskId, epoch, { report: 1 })).toMatchObject({ status: "completed" });
    expect(await kit.store.getPayload(taskId)).toEqual({
      params: { n: 1 },
      result: { report: 1 },
      error: null,
    });
    await expect(kit.finish(taskId, epoch, "again")).rejects.toMatchObject({ code: "lease_lost" });
    await expect(kit.post(taskId, "late")).rejects.toMatchObject({ code: "conflict" });
    await expect(kit.ask(taskId)).rejects.toMatchObject({ code: "conflict" });
    expect(await kit.claim(taskId)).toBeNull();
    expect((await kit.store.getPayload(taskId))?.result).toEqual({ report: 1 });
  });

  test("a retry keeps successes and answers and forgets the rest", async ({ kit }) => {
    const { taskId, epoch } = await kit.running();
    await kit.record(taskId, "fetched", "ok", [1]);
    await kit.record(taskId, "parsed", "failed");
    const answered = await kit.ask(taskId);
    await kit.resolve(answered, "answered", "yes");
    const declined = await kit.ask(taskId);
    await kit.resolve(declined, "declined");
    const open = await kit.ask(taskId);
    const retried = await kit.retry(taskId, epoch);
    expect(retried).toMatchObject({ status: "pending", failures: 1, wakeAt: kit.later(5) });
    const journal = await kit.store.getJournal(taskId);
    expect(journal.map(({ name, value }) => [name, value])).toEqual([["fetched", [1]]]);
    const questions = await kit.store.getQuestions(taskId);
    expect(questions.map(({ questionId, forgotten }) => [questionId, forgotten])).toEqual([
      [answered.questionId, false],
      [declined.questionId, true],
      [open.questionId, true],
    ]);
  });

  test("the journal keeps order and replaces by kind, name and key", async ({ kit }) => {
    const { taskId } = await kit.running();
    await kit.record(taskId, "nap", "pending", kit.later(60), "sleep");
    await kit.record(taskId, "nap", "ok", { as: "step" });
    await kit.record(taskId, "nap", "ok", null, "sleep");
    const journal = await kit.store.getJournal(taskId);
    expect(journal.map(({ kind, status, value }) => [kind, status, value])).toEqual([
      ["sleep", "ok", null],
      ["step", "ok", { as: "step" }],
    ]);
    expect(journal[0]).toMatchObject({ key: "#1", afterSeq: 3, recordedAt: expect.any(String) });
  });

  test("a task that ends wakes its parent in the same commit", async ({ kit }) => {
    const parent = await kit.running();
    const child = await kit.start({ parentTaskId: parent.taskId });
    await kit.commit<"park">(parent.taskId, {
      kind: "park",
      epoch: parent.epoch,
      openQuestions: 0,
      wakeAt: null,
    });
    expect((await kit.task(parent.taskId)).wakeAt).toBeNull();
    await kit.cancel(child);
    expect((await kit.task(parent.taskId)).wakeAt).toBe(kit.now());
  });

  test("listeners hear of each commit in order, after it can be read", async ({ kit }) => {
    const heard: Change[] = [];
    const end = kit.store.subscribe((change) => heard.push(change));
    const { taskId, epoch } = await kit.running();
    const question = await kit.ask(taskId);
    await kit.resolve(question, "answered", 1);
    await kit.post(taskId, "hi", epoch);
    await expect(kit.post(taskId, "refused", 99)).rejects.toThrow();
    end();
    await kit.post(taskId, "unheard", epoch);
    expect(heard.map(({ events }) => events.map(({ kind }) => kind))).toEqual([
      ["task_created", "attempt_started"],
      ["question_opened"],
      ["question_resolved"],
      ["update"],
    ]);
    expect(heard[2]?.questions).toMatchObject([{ outcome: "answered", answer: 1 }]);
    expect(heard[3]?.task).toMatchObject({ taskId, lastSeq: 5 });
  });
}
