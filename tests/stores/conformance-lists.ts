import { expect } from "vitest";
import type { Actor } from "../../server/core/actor.ts";
import type { Page, QuestionQuery, TaskQuery } from "../../server/core/durable-task-store.ts";
import { activityOf, type TaskRecord } from "../../server/core/task.ts";
import { taskOrders } from "../../server/core/task-order.ts";
import type { QuestionData } from "../../server/core/task-question.ts";
import { waitsFor } from "../../server/core/waits-for.ts";
import type { ConformanceTest } from "./conformance.ts";
import { agent, approvalOf, operator, type StoreKit } from "./store-kit.ts";

/** The lists of tasks and questions, page by page. */
export function listTests(test: ConformanceTest): void {
  test("tasks, newest or oldest first, in pages that neither skip nor repeat", async ({ kit }) => {
    const ids: string[] = [];
    for (let i = 0; i < 11; i += 1) {
      // Three at a time have the same moment, so that the id has to decide.
      if (i % 3 === 0) await kit.clock.advance(1);
      ids.push(await kit.start());
    }
    for (const limit of [1, 3, 4, 11, 500]) {
      expect(await allTasks(kit, { limit, order: "oldest" })).toEqual(ids);
      expect(await allTasks(kit, { limit })).toEqual(ids.toReversed());
    }
  });

  test("a page stays what it was when tasks are added at the head", async ({ kit }) => {
    for (let i = 0; i < 4; i += 1) {
      await kit.clock.advance(1);
      await kit.start();
    }
    const first = await kit.store.listTasks({ limit: 2 });
    await kit.clock.advance(1);
    await kit.start();
    const second = await kit.store.listTasks({ limit: 2, after: first.nextCursor });
    const seen = [...first.items, ...second.items].map(({ taskId }) => taskId);
    expect(new Set(seen).size).toBe(4);
    expect(second.nextCursor).toBeNull();
  });

  test("any filters together, in every order, find what each of them finds", async ({ kit }) => {
    const made = await manyTasks(kit);
    const half = made[12]?.task.createdAt ?? "";
    const parts: Partial<TaskQuery>[] = [
      {},
      { statuses: ["completed"] },
      { statuses: ["running", "waiting_for_input", "completed"] },
      { activities: ["running", "done"] },
      { activities: ["parked", "resuming"] },
      { activities: ["queued", "waiting"] },
      { types: ["deploy"] },
      { types: ["export", "deploy", "none"] },
      { exceptTypes: ["export"] },
      { labels: { env: "prod" } },
      { labels: { env: "prod", team: "a" } },
      { parentTaskId: made[0]?.task.taskId },
      { rerunOf: made[0]?.task.taskId },
      { createdById: "ada" },
      { created: { from: half } },
      { created: { until: half } },
      { finished: { from: half, until: kit.now() } },
      { waitsFor: { actor: operator, exceptTypes: ["export"] } },
      { waitsFor: { actor: agent, exceptTypes: [] } },
      { text: "2" },
      { text: "task_00" },
      { text: "Colour  RED" },
      { text: "red" },
    ];
    const orders = [...taskOrders];
    for (const one of parts) {
      for (const other of parts.slice(parts.indexOf(one))) {
        const query = { now: kit.now(), ...one, ...other };
        const order = query.text
          ? orders[1]
          : orders[(parts.indexOf(one) * 5 + parts.indexOf(other)) % orders.length];
        const wanted = expected(made, { ...query, order });
        const listed = await allTasks(kit, { ...query, order, limit: 5 });
        expect(listed, JSON.stringify({ ...query, order })).toEqual(wanted);
      }
    }
  });

  test("text is found in the id, labels, parameters, result and error", async ({ kit }) => {
    const of = async (fields: Parameters<typeof kit.running>[0]) =>
      (await kit.running(fields)).taskId;
    const byLabel = await of({ labels: { customer: "Nørthwind" } });
    const byParams = await of({ params: { note: "a 100% sure_thing", deep: [{ x: "Überall" }] } });
    const byResult = await kit.running();
    await kit.finish(byResult.taskId, byResult.epoch, { said: "it went well" });
    const byError = await kit.running();
    await kit.commit<"finish">(byError.taskId, {
      kind: "finish",
      epoch: byError.epoch,
      status: "failed",
      result: null,
      error: "RangeError: quota exceeded",
    });
    const find = (text: string) => allTasks(kit, { text, limit: 9 });
    expect(await find("NØRTHWIND")).toEqual([byLabel]);
    expect(await find("0% sure_")).toEqual([byParams]);
    expect(await find("0_ sure%")).toEqual([]);
    expect(await find("überall")).toEqual([byParams]);
    expect(await find("well went")).toEqual([byResult.taskId]);
    expect(await find("quota rangeerror:")).toEqual([byError.taskId]);
    expect(await find("quota well")).toEqual([]);
    expect(await find(byError.taskId)).toEqual([byError.taskId]);
    expect(await find('"')).toHaveLength(4);
    expect(await find('x" OR "y')).toEqual([]);
    expect(await find("xy")).toEqual([]);
  });

  test("of what is large only the beginning is searched, and a deleted task not at all", async ({
    kit,
  }) => {
    const early = await kit.running({ params: { a: `needle ${"x".repeat(5000)}` } });
    await kit.running({ params: { a: `${"x".repeat(5000)} needle` } });
    expect(await allTasks(kit, { text: "needle", limit: 9 })).toEqual([early.taskId]);
    await kit.finish(early.taskId, early.epoch);
    expect(await allTasks(kit, { text: "needle", limit: 9 })).toEqual([early.taskId]);
    await kit.clock.advance(1);
    expect(await kit.store.deleteFinished(kit.now(), 9)).toBe(1);
    expect(await allTasks(kit, { text: "needle", limit: 9 })).toEqual([]);
  });

  test("an approval waits for those who may give it and have not", async ({ kit }) => {
    const taskId = await kit.start({ actor: operator });
    const bob = { ...operator, id: "bob", name: "Bob" };
    const question = await kit.ask(taskId, { approval: approvalOf({ n: 1 }, { needed: 2 }) });
    const waits = (actor: Actor, exceptTypes: string[] = []) =>
      allTasks(kit, { waitsFor: { actor, exceptTypes }, limit: 9 });
    expect(await waits(operator)).toEqual([]);
    expect(await waits(agent)).toEqual([]);
    expect(await waits(bob)).toEqual([taskId]);
    expect(await waits(bob, ["demo"])).toEqual([]);
    await kit.approve(question, bob);
    expect(await waits(bob)).toEqual([]);
    expect(await waits({ ...bob, id: "eve" })).toEqual([taskId]);
  });

  test("a question that somebody took on waits for nobody else, as long as that counts", async ({
    kit,
  }) => {
    const taskId = await kit.start();
    const { questionId } = await kit.ask(taskId);
    const bob = { ...operator, id: "bob", name: "Bob" };
    await kit.commit<"claim_question">(taskId, {
      kind: "claim_question",
      questionId,
      actor: operator,
      takeOver: false,
    });
    const waits = (actor: Actor) => {
      const query = { waitsFor: { actor, exceptTypes: [] }, now: kit.now(), limit: 9 };
      return allTasks(kit, query);
    };
    expect(await waits(bob)).toEqual([]);
    expect(await waits(operator)).toEqual([taskId]);
    await kit.clock.advance(601);
    expect(await waits(bob)).toEqual([taskId]);
  });

  test("a search has no other order than by creation", async ({ kit }) => {
    for (const order of ["longest", "latest_finished"] as const) {
      const search = kit.store.listTasks({ text: "a", order, limit: 1 });
      await expect(search).rejects.toMatchObject({ code: "invalid_input" });
    }
  });

  test("open questions by deadline, resolved ones latest first", async ({ kit }) => {
    const [one, two] = [await kit.start(), await kit.start()];
    const asked: QuestionData[] = [];
    for (const [taskId, seconds] of [
      [one, 50],
      [two, 20],
      [one, 20],
      [two, 90],
    ] as const) {
      asked.push(await kit.ask(taskId, { deadline: kit.later(seconds) }));
    }
    const [a, b, c, d] = asked.map(({ questionId }) => questionId);
    expect(await allQuestions(kit, { state: "open", limit: 1 })).toEqual([b, c, a, d]);
    expect(await allQuestions(kit, { state: "open", taskId: two, limit: 5 })).toEqual([b, d]);
    expect(await allQuestions(kit, { state: "resolved", limit: 5 })).toEqual([]);
    for (const place of [1, 3, 0]) {
      await kit.clock.advance(1);
      await kit.resolve(asked[place]!, "answered", "x");
    }
    expect(await allQuestions(kit, { state: "resolved", limit: 2 })).toEqual([a, d, b]);
    expect(await allQuestions(kit, { state: "resolved", taskId: one, limit: 2 })).toEqual([a]);
    expect(await allQuestions(kit, { state: "open", limit: 2 })).toEqual([c]);
  });

  test("open questions by how pressing they are", async ({ kit }) => {
    const above = await kit.start();
    const between = await kit.start({ parentTaskId: above });
    const below = await kit.start({ parentTaskId: between });
    const ask = async (taskId: string, fields: Partial<QuestionData>, seconds = 86_400) =>
      (await kit.ask(taskId, { timeout: seconds, deadline: kit.later(seconds), ...fields }))
        .questionId;
    const low = await ask(await kit.start(), { urgency: "low" });
    const usual = await ask(await kit.start(), {});
    const blocking = await ask(below, {});
    const halfBlocking = await ask(between, {});
    const high = await ask(await kit.start(), { urgency: "high" });
    const soon = await ask(await kit.start(), { hasDefault: true, defaultValue: "x" }, 200);
    const failing = await ask(await kit.start(), {}, 200);
    const wanted = [failing, soon, high, blocking, halfBlocking, usual, low];
    for (const limit of [1, 3, 7]) {
      expect(await allQuestions(kit, { state: "open", order: "pressing", limit })).toEqual(wanted);
    }
    const one = { state: "open", order: "pressing", taskId: below, limit: 5 } as const;
    expect(await allQuestions(kit, one)).toEqual([blocking]);
    await kit.commit<"request_cancel">(above, {
      kind: "request_cancel",
      actor: operator,
      reason: null,
      force: true,
    });
    const after = await allQuestions(kit, { state: "open", order: "pressing", limit: 4 });
    expect(after).toEqual([failing, soon, high, blocking, usual, halfBlocking, low]);
  });

  test("a cursor that is none is refused", async ({ kit }) => {
    const refusal = { code: "invalid_input" };
    await kit.start();
    await expect(kit.store.listTasks({ limit: 5, after: "x" })).rejects.toMatchObject(refusal);
    const questions = kit.store.listQuestions({ state: "open", limit: 5, after: "x" });
    await expect(questions).rejects.toMatchObject(refusal);
  });
}

interface Made {
  task: TaskRecord;
  /** What is searched, and a little more. */
  text: string;
  questions: QuestionData[];
}

/** Tasks of all kinds, with parents, labels, ends and questions; as they were made, oldest first. */
async function manyTasks(kit: StoreKit): Promise<Made[]> {
  const parentTaskId = await kit.start({ type: "parent", params: { colour: "red" } });
  for (let i = 0; i < 24; i += 1) {
    if (i % 2 === 0) await kit.clock.advance(1);
    const { taskId, epoch } = await kit.running({
      type: ["deploy", "export", "deploy"][i % 3],
      params: { colour: i % 5 === 0 ? "Red" : "green" },
      labels: { env: i % 2 === 0 ? "prod" : "test", ...(i % 5 === 0 ? { team: "a" } : {}) },
      parentTaskId: i % 4 === 0 ? parentTaskId : null,
      rerunOf: i % 3 === 0 ? parentTaskId : null,
      lease: i % 9 === 8 ? null : kit.lease("w_1", i % 6 === 3 ? 5 : 90),
      ...(i % 6 === 0 ? { actor: operator } : {}),
    });
    await kit.clock.advance((i % 7) / 10);
    if (i % 9 === 8) continue;
    if (i % 4 === 1) await kit.finish(taskId, epoch);
    if (i % 4 === 2) await kit.ask(taskId, i % 8 === 2 ? { answerableBy: "operator" } : {});
    if (i % 8 === 6) await kit.commit<"release">(taskId, { kind: "release", epoch });
  }
  const { items } = await kit.store.listTasks({ limit: 500, order: "oldest" });
  return Promise.all(
    items.map(async (task) => {
      const { taskId, labels } = task;
      const payload = await kit.store.getPayload(taskId);
      const text = JSON.stringify([taskId, labels, payload]).toLowerCase();
      return { task, text, questions: await kit.store.getQuestions(taskId) };
    }),
  );
}

/** The ids of a query's tasks, by looking at each task there is. */
function expected(made: Made[], query: Partial<TaskQuery>): string[] {
  const { now = "", order = "newest", waitsFor: waits } = query;
  const fitting: TaskRecord[] = [];
  for (const { task, text, questions } of made) {
    const isIn = (at: string | null, period: TaskQuery["created"]) =>
      !period || (at !== null && at >= (period.from ?? "") && at < (period.until ?? "~"));
    if (
      (query.statuses?.includes(task.status) ?? true) &&
      (query.activities?.includes(activityOf(task, now)) ?? true) &&
      (query.types?.includes(task.type) ?? true) &&
      !query.exceptTypes?.includes(task.type) &&
      Object.entries(query.labels ?? {}).every(([k, v]) => task.labels[k] === v) &&
      (query.parentTaskId === undefined || task.parentTaskId === query.parentTaskId) &&
      (query.rerunOf === undefined || task.rerunOf === query.rerunOf) &&
      (query.createdById === undefined || task.createdBy.id === query.createdById) &&
      isIn(task.createdAt, query.created) &&
      isIn(task.finishedAt, query.finished) &&
      (!waits ||
        (!waits.exceptTypes.includes(task.type) &&
          questions.some((question) => waitsFor(question, task, waits.actor, now)))) &&
      (query.text ?? "")
        .toLowerCase()
        .split(/ +/)
        .every((word) => text.includes(word)) &&
      (/newest|oldest|updated/.test(order) || task.finishedAt !== null)
    ) {
      fitting.push(task);
    }
  }
  const key = (task: TaskRecord) =>
    /newest|oldest/.test(order)
      ? task.createdAt
      : /updated/.test(order)
        ? task.lastEventAt
        : /finished/.test(order)
          ? (task.finishedAt ?? "")
          : task.workedSeconds;
  const descending = /newest|latest|longest/.test(order);
  const compare = (a: TaskRecord, b: TaskRecord) =>
    key(a) === key(b) ? (a.taskId < b.taskId ? -1 : 1) : key(a) < key(b) ? -1 : 1;
  fitting.sort((a, b) => compare(a, b) * (descending ? -1 : 1));
  return fitting.map(({ taskId }) => taskId);
}

async function allTasks(kit: StoreKit, query: TaskQuery): Promise<string[]> {
  const pages = await allPages((after) => kit.store.listTasks({ ...query, after }), query.limit);
  return pages.map(({ taskId }) => taskId);
}

async function allQuestions(kit: StoreKit, query: QuestionQuery): Promise<string[]> {
  const list = (after: string | null) => kit.store.listQuestions({ ...query, after });
  return (await allPages(list, query.limit)).map(({ questionId }) => questionId);
}

async function allPages<Item>(
  list: (after: string | null) => Promise<Page<Item>>,
  limit: number,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | null = null;
  do {
    const page: Page<Item> = await list(after);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (page.nextCursor !== null) expect(page.items).toHaveLength(limit);
    items.push(...page.items);
    after = page.nextCursor;
  } while (after !== null);
  return items;
}
