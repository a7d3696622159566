import { expect } from "vitest";
import type { TaskEvent } from "../../server/core/task-event.ts";
import type { ConformanceTest } from "./conformance.ts";
import { findTimelineFault, operator } from "./store-kit.ts";

const seqs = (events: TaskEvent[]) => events.map((event) => event.seq);

/** Reading one task, its events, the feed, and what is due. */
export function readTests(test: ConformanceTest): void {
  test("what is not there reads as nothing", async ({ kit }) => {
    const { store } = kit;
    expect(await store.getTask("none")).toBeNull();
    expect(await store.getPayload("none")).toBeNull();
    expect(await store.getQuestion("none")).toBeNull();
    expect(await store.getJournal("none")).toEqual([]);
    expect(await store.getQuestions("none")).toEqual([]);
    expect(await store.getOpenQuestions("none")).toEqual([]);
    expect(await store.readEvents("none", {})).toEqual([]);
    expect(await store.readFeed({ afterPosition: 0, limit: 10 })).toEqual([]);
    expect(await store.lastPosition()).toBe(0);
    expect(await store.nextDueAt()).toBeNull();
    expect(await store.listWorkers()).toEqual([]);
    await store.ping();
  });

  test("a record reads as it was written, field by field", async ({ kit }) => {
    const { task } = await kit.startDetailed({
      type: "deploy",
      actor: operator,
      runAt: kit.later(60),
      priority: -2,
      labels: { env: "prod", "with space": "é" },
      concurrencyKey: "tenant-1",
      parentTaskId: await kit.start(),
      rerunOf: await kit.start(),
      idempotencyKey: "key",
      requestDigest: "digest",
    });
    expect(await kit.task(task.taskId)).toEqual(task);
    const [listed] = (await kit.store.listTasks({ limit: 1, types: ["deploy"] })).items;
    expect(listed).toEqual(task);
  });

  test("events by seq, kind, moment and limit", async ({ kit }) => {
    const taskId = await kit.start();
    const at: string[] = [];
    for (let i = 2; i <= 9; i += 1) {
      await kit.clock.advance(1);
      at[i] = i === 5 ? (await kit.ask(taskId)).askedAt : (await kit.post(taskId, `m${i}`)).at;
    }
    const read = async (query: Parameters<typeof kit.store.readEvents>[1]) =>
      seqs(await kit.store.readEvents(taskId, query));
    expect(await read({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await read({ afterSeq: 6 })).toEqual([7, 8, 9]);
    expect(await read({ afterSeq: 9 })).toEqual([]);
    expect(await read({ afterSeq: 2, untilSeq: 4 })).toEqual([3, 4]);
    expect(await read({ limit: 2 })).toEqual([1, 2]);
    expect(await read({ afterSeq: 3, limit: 2 })).toEqual([4, 5]);
    expect(await read({ kinds: ["update"], afterSeq: 3 })).toEqual([4, 6, 7, 8, 9]);
    expect(await read({ kinds: ["update"], afterSeq: 3, limit: 2 })).toEqual([4, 6]);
    expect(await read({ kinds: ["question_opened", "task_created"] })).toEqual([1, 5]);
    expect(await read({ afterTimestamp: at[6] })).toEqual([7, 8, 9]);
    expect(await read({ afterTimestamp: at[6], kinds: ["update"], limit: 1 })).toEqual([7]);
    expect(await read({ afterTimestamp: kit.later(1) })).toEqual([]);
    expect(await read({ afterTimestamp: "1970-01-01T00:00:00.000000Z" })).toHaveLength(9);
  });

  test("a long timeline reads back whole, from any place in it", async ({ kit }) => {
    const taskId = await kit.start();
    const count = 2500;
    const posted = await Promise.all(
      Array.from({ length: count }, (_, i) => kit.post(taskId, `m${i}`)),
    );
    const all = await kit.store.readEvents(taskId, {});
    expect(all).toHaveLength(count + 1);
    expect(findTimelineFault(all)).toBeNull();
    for (const place of [0, 700, 1250, 2000, 2499]) {
      const { seq, at } = posted[place]!;
      const bySeq = await kit.store.readEvents(taskId, { afterSeq: seq, limit: 3 });
      const byTime = await kit.store.readEvents(taskId, { afterTimestamp: at, limit: 3 });
      expect(seqs(bySeq)).toEqual(seqs(all.slice(seq, seq + 3)));
      expect(byTime).toEqual(bySeq);
    }
  });

  test("the feed has every event of all tasks once, by position", async ({ kit }) => {
    const [one, two] = [await kit.start(), await kit.start()];
    for (let i = 0; i < 5; i += 1) {
      await Promise.all([kit.post(one, `a${i}`), kit.post(two, `b${i}`)]);
    }
    const last = await kit.store.lastPosition();
    const whole = await kit.store.readFeed({ afterPosition: 0, limit: 100 });
    expect(whole.map(({ position }) => position)).toEqual(
      Array.from({ length: last }, (_, i) => i + 1),
    );
    const paged: TaskEvent[] = [];
    for (let afterPosition = 0; ; ) {
      const page = await kit.store.readFeed({ afterPosition, limit: 3 });
      if (page.length === 0) break;
      paged.push(...page);
      afterPosition = page.at(-1)!.position;
    }
    expect(paged).toEqual(whole);
    const ofTwo = await kit.store.readFeed({ afterPosition: 4, limit: 3, taskId: two });
    expect(ofTwo).toEqual(whole.filter((e) => e.taskId === two && e.position > 4).slice(0, 3));
    expect(await kit.store.readFeed({ afterPosition: last, limit: 3 })).toEqual([]);
  });

  test("questions of a task, oldest first, and the open ones of them", async ({ kit }) => {
    const taskId = await kit.start();
    const asked = [await kit.ask(taskId), await kit.ask(taskId), await kit.ask(taskId)];
    await kit.resolve(asked[1]!, "answered", "x");
    const ids = asked.map(({ questionId }) => questionId);
    const all = await kit.store.getQuestions(taskId);
    expect(all.map(({ questionId }) => questionId)).toEqual(ids);
    expect(all[0]).toEqual(asked[0]);
    const open = await kit.store.getOpenQuestions(taskId);
    expect(open.map(({ questionId }) => questionId)).toEqual([ids[0], ids[2]]);
  });

  test("counts follow every change", async ({ kit }) => {
    expect(Object.values(await kit.store.countByStatus())).toEqual([0, 0, 0, 0, 0, 0]);
    const { taskId, epoch } = await kit.running();
    await kit.start();
    const question = await kit.ask(taskId);
    expect(await kit.store.countByStatus()).toMatchObject({ pending: 1, waiting_for_input: 1 });
    expect(await kit.store.countOpenQuestions()).toBe(1);
    await kit.resolve(question, "answered", "x");
    await kit.ask(taskId);
    await kit.finish(taskId, epoch);
    expect(await kit.store.countByStatus()).toEqual({
      pending: 1,
      running: 0,
      waiting_for_input: 0,
      completed: 1,
      failed: 0,
      cancelled: 0,
    });
    expect(await kit.store.countOpenQuestions()).toBe(0);
  });

  test("runnable: by priority, then by how long they are due; never what is held", async ({
    kit,
  }) => {
    const late = await kit.start();
    await kit.clock.advance(1);
    const latest = await kit.start();
    const urgent = await kit.start({ priority: 5 });
    const minor = await kit.start({ priority: -5 });
    await kit.start({ type: "other" });
    const future = await kit.start({ runAt: kit.later(30), priority: 9 });
    await kit.running();
    const find = async (limit: number, types = ["demo"]) => {
      const found = await kit.store.findRunnable({ now: kit.now(), limit, types, fullKeys: [] });
      return found.map(({ taskId }) => taskId);
    };
    expect(await find(10)).toEqual([urgent, late, latest, minor]);
    expect(await find(2)).toEqual([urgent, late]);
    expect(await find(10, [])).toEqual([]);
    await kit.clock.advance(30);
    expect(await find(1)).toEqual([future]);
  });

  test("a full concurrency key holds back all but those that have it", async ({ kit }) => {
    const keyed = { concurrencyKey: "tenant" };
    const holder = await kit.running(keyed);
    const waiting = await kit.start(keyed);
    const free = await kit.start();
    expect(await kit.store.listKeyHolders()).toEqual([{ key: "tenant", holders: [holder.taskId] }]);
    const query = { now: kit.now(), limit: 10, types: ["demo"], fullKeys: ["tenant"] };
    const found = await kit.store.findRunnable(query);
    expect(found).toEqual([{ taskId: free, type: "demo", concurrencyKey: null, holdsKey: false }]);
    await kit.finish(holder.taskId, holder.epoch);
    expect(await kit.store.listKeyHolders()).toEqual([]);
    const freed = await kit.store.findRunnable({ ...query, fullKeys: [] });
    expect(freed.map(({ taskId }) => taskId)).toEqual([waiting, free]);
  });

  test("due: leases that ran out and questions past their deadline", async ({ kit }) => {
    const { taskId } = await kit.running();
    const soon = await kit.ask(taskId, { deadline: kit.later(10) });
    await kit.ask(taskId, { deadline: kit.later(99) });
    const now = () => kit.store.findDue(kit.now(), 10);
    expect(await now()).toEqual({ expiredLeases: [], questions: [] });
    expect(await kit.store.listWorkers()).toEqual(["w_1"]);
    expect(await kit.store.nextDueAt()).toBe(soon.deadline);
    await kit.clock.advance(15);
    expect(await now()).toEqual({
      expiredLeases: [
        { taskId, type: "demo", status: "waiting_for_input", workerId: "w_1", interrupts: 0 },
      ],
      questions: [{ taskId, questionId: soon.questionId }],
    });
    await kit.resolve(soon, "timed_out");
    await kit.cancel(taskId, true);
    expect(await now()).toEqual({ expiredLeases: [], questions: [] });
    expect(await kit.store.nextDueAt()).toBeNull();
    expect(await kit.store.listWorkers()).toEqual([]);
    const later = await kit.start({ runAt: kit.later(40), priority: 3 });
    await kit.start({ runAt: kit.later(50) });
    expect(await kit.store.nextDueAt()).toBe((await kit.task(later)).wakeAt);
  });
}
