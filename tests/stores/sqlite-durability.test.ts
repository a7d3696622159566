import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { testClock } from "../support/test-clock.ts";
import { findTimelineFault, operator, StoreKit } from "./store-kit.ts";

let folder: string;
let file: string;
let kit: StoreKit;
const clock = testClock();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  file = join(folder, "data", "tasks.db");
  kit = new StoreKit(await SQLiteStore.open(file, { clock }), clock);
});

afterEach(async () => {
  await kit.store.close();
  rmSync(folder, { recursive: true });
});

/** The store as another process would find it: nothing in memory. */
async function reopen(): Promise<void> {
  await kit.store.close();
  kit = new StoreKit(await SQLiteStore.open(file, { clock }), clock);
}

/** Everything a store says about one task. */
async function everythingOf(taskId: string) {
  const { store } = kit;
  return {
    task: await store.getTask(taskId),
    payload: await store.getPayload(taskId),
    events: await store.readEvents(taskId, {}),
    questions: await store.getQuestions(taskId),
    open: await store.getOpenQuestions(taskId),
    journal: await store.getJournal(taskId),
    feed: await store.readFeed({ afterPosition: 0, limit: 1000 }),
    position: await store.lastPosition(),
    counts: await store.countByStatus(),
    openCount: await store.countOpenQuestions(),
    list: await store.listTasks({ limit: 10 }),
    due: await store.nextDueAt(),
  };
}

test("what memory answers is what the file holds", async () => {
  const { taskId, epoch } = await kit.running({ labels: { a: "b" }, priority: 2 });
  await kit.post(taskId, "hello", epoch);
  await kit.record(taskId, "step", "ok", { deep: [1, { x: null }] });
  await kit.record(taskId, "nap", "pending", kit.later(5), "sleep");
  const question = await kit.ask(taskId, { choices: [{ value: "a", label: "A" }] });
  await kit.resolve(question, "answered", "a");
  await kit.ask(taskId, { schema: { type: "number" }, context: [1] });
  const progress = { done: 0.5, total: null, message: "half", at: kit.now() };
  await kit.commit<"set_progress">(taskId, { kind: "set_progress", epoch, progress });
  const hot = await everythingOf(taskId);
  await reopen();
  expect(await everythingOf(taskId)).toEqual(hot);
  await kit.cancel(taskId);
  await kit.finish(taskId, epoch, { ok: true });
  const ended = await everythingOf(taskId);
  expect(ended.task?.status).toBe("completed");
  await reopen();
  expect(await everythingOf(taskId)).toEqual(ended);
});

test("work goes on where it stopped: seq, positions and guards", async () => {
  const { taskId, epoch } = await kit.running();
  const question = await kit.ask(taskId);
  await reopen();
  await kit.post(taskId, "after", epoch);
  await reopen();
  expect(await kit.resolve(question, "answered", "late is fine")).toMatchObject({ won: true });
  await reopen();
  expect(await kit.resolve(question, "declined")).toMatchObject({ won: false });
  const events = await kit.store.readEvents(taskId, {});
  expect(findTimelineFault(events)).toBeNull();
  expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  const keyed = { idempotencyKey: "k", requestDigest: "d" };
  const first = await kit.startDetailed({ taskId: "task_keyed", ...keyed });
  await reopen();
  const again = await kit.startDetailed({ taskId: "task_other", ...keyed });
  expect(again).toEqual({ created: false, task: first.task });
});

test("positions of deleted events are not given again", async () => {
  await kit.start();
  const last = await kit.store.lastPosition();
  await kit.store.close();
  const database = new Database(file);
  database.exec("DELETE FROM events");
  database.close();
  kit = new StoreKit(await SQLiteStore.open(file, { clock }), clock);
  expect(await kit.store.lastPosition()).toBe(last);
});

const hostile = [
  "NUL \0 inside",
  "\0",
  "lone \ud800 surrogate",
  "\udc00\ud800",
  "\u0001 control",
  '\u0001"quoted"',
  "emoji 👩‍👩‍👧 and 𝒳",
  "'; DROP TABLE tasks; --",
  '{"json": "text"}',
  "line\nbreak\r\t\\",
  " ",
  "",
];

test.each(hostile.map((text) => [JSON.stringify(text), text]))(
  "text comes back as it was: %s",
  async (_name, text) => {
    const taskId = `task_${text}`;
    const actor = { ...operator, id: text, name: text };
    const keyed = { idempotencyKey: text, requestDigest: "d", actor, type: `t${text}` };
    const { task } = await kit.startDetailed({
      taskId,
      params: { [text]: [text] },
      labels: { [`k${text}`]: text },
      ...keyed,
      lease: kit.lease(`w${text}`),
    });
    await kit.post(taskId, text, 1);
    await kit.record(taskId, `s${text}`, "ok", text);
    const question = await kit.ask(taskId, { prompt: text, questionId: `q${text}`, key: text });
    await kit.resolve(question, "answered", text, actor);
    const hot = await everythingOf(taskId);
    expect(hot.events).toContainEqual(expect.objectContaining({ message: text }));
    expect(hot.payload?.params).toEqual({ [text]: [text] });
    await reopen();
    expect(await everythingOf(taskId)).toEqual(hot);
    expect(await kit.startDetailed({ ...keyed, taskId: "task_2" })).toMatchObject({
      created: false,
      task: { taskId: task.taskId },
    });
    expect(await kit.store.getQuestion(`q${text}`)).toMatchObject({ prompt: text, answer: text });
    const query = { limit: 5, types: [`t${text}`], labels: { [`k${text}`]: text } };
    expect((await kit.store.listTasks(query)).items).toHaveLength(1);
    expect(await kit.store.listWorkers()).toEqual([`w${text}`]);
  },
);

test("a megabyte of parameters, message, answer and result", async () => {
  const large = "x€".repeat(400_000);
  const { taskId, epoch } = await kit.running({ params: { large } });
  await kit.post(taskId, large, epoch);
  const question = await kit.ask(taskId);
  await kit.resolve(question, "answered", large);
  await kit.finish(taskId, epoch, [large]);
  await reopen();
  expect(await kit.store.getPayload(taskId)).toEqual({
    params: { large },
    result: [large],
    error: null,
  });
  expect(await kit.messages(taskId)).toEqual([large]);
  expect(await kit.store.getQuestion(question.questionId)).toMatchObject({ answer: large });
});

test("many updates at once, of many tasks, all there and in order after a restart", async () => {
  const tasks = await Promise.all(Array.from({ length: 100 }, () => kit.running()));
  const perTask = 80;
  const wanted = Array.from({ length: perTask }, (_, i) => `m${i}`);
  await Promise.all(
    wanted.flatMap((message) => tasks.map(({ taskId, epoch }) => kit.post(taskId, message, epoch))),
  );
  await reopen();
  for (const { taskId } of tasks) {
    expect(await kit.messages(taskId)).toEqual(wanted);
    expect(findTimelineFault(await kit.store.readEvents(taskId, {}))).toBeNull();
  }
  expect(await kit.store.lastPosition()).toBe(100 * (perTask + 2));
});

test("more tasks than memory keeps: each is found again where it stands", async () => {
  const ids = await Promise.all(Array.from({ length: 3000 }, () => kit.start()));
  const large = "y".repeat(30_000);
  for (let i = 0; i < ids.length; i += 300) {
    await Promise.all(ids.slice(i, i + 300).map((taskId) => kit.post(taskId, large)));
  }
  const sample = ids.filter((_, i) => i % 250 === 0);
  for (const taskId of sample) {
    expect((await kit.task(taskId)).lastSeq).toBe(2);
    expect(await kit.post(taskId, "more")).toMatchObject({ seq: 3 });
    expect((await kit.messages(taskId)).map((message) => message.length)).toEqual([30_000, 4]);
  }
});

test("a row that something else broke is named, and the others are read", async () => {
  const { taskId } = await kit.running();
  const whole = await kit.start();
  const question = await kit.ask(taskId);
  await kit.store.close();
  const database = new Database(file);
  database.prepare("UPDATE tasks SET status = 'lost' WHERE id = ?").run(taskId);
  database.prepare("UPDATE questions SET choices = '{'").run();
  database.prepare("UPDATE events SET data = '{}' WHERE position = 2").run();
  database.close();
  kit = new StoreKit(await SQLiteStore.open(file, { clock }), clock);
  const damaged = { code: "store_unavailable" };
  await expect(kit.store.getTask(taskId)).rejects.toMatchObject({
    ...damaged,
    message: expect.stringMatching(/Row task_\S+ of table tasks is damaged: .*status/),
  });
  await expect(kit.store.getQuestion(question.questionId)).rejects.toMatchObject({
    message: expect.stringContaining('"{" is not JSON'),
  });
  await expect(kit.store.readEvents(taskId, {})).rejects.toMatchObject({
    ...damaged,
    message: expect.stringContaining("Row 2 of table events is damaged"),
  });
  await expect(kit.post(taskId, "m")).rejects.toMatchObject(damaged);
  expect(await kit.post(whole, "fine")).toMatchObject({ seq: 2 });
});

test("after close everything is refused, and close may be called again", async () => {
  const taskId = await kit.start();
  const last = kit.post(taskId, "handed in before");
  await kit.store.close();
  await expect(last).resolves.toMatchObject({ seq: 2 });
  const closed = { code: "store_unavailable", message: expect.stringContaining("is closed") };
  await expect(kit.post(taskId, "after")).rejects.toMatchObject(closed);
  await expect(kit.store.getTask(taskId)).rejects.toMatchObject(closed);
  await expect(kit.store.ping()).rejects.toMatchObject(closed);
  await kit.store.close();
});
