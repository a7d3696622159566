import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DriverAdapterError } from "@prisma/driver-adapter-utils";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CommandWriter } from "../../server/stores/command-writer.ts";
import { migrate } from "../../server/stores/migrate.ts";
import { inMemory, SqliteConnection } from "../../server/stores/sqlite-connection.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { testClock } from "../support/test-clock.ts";
import { findTimelineFault, StoreKit } from "./store-kit.ts";

const clock = testClock();
const unavailable = { code: "store_unavailable" };
let folder: string;
let file: string;
let kit: StoreKit;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  file = join(folder, "tasks.db");
  kit = new StoreKit(await SQLiteStore.open(file, { clock }), clock);
});

afterEach(async () => {
  await kit.store.close();
  rmSync(folder, { recursive: true });
});

/** Makes the database itself refuse every event that contains the word. */
function poison(word: string): void {
  const database = new Database(file);
  database.exec(
    `CREATE TRIGGER poison BEFORE INSERT ON events WHEN NEW.data LIKE '%${word}%' ` +
      "BEGIN SELECT RAISE(ABORT, 'poisoned'); END",
  );
  database.close();
}

test("a write the database refuses fails alone; its batch stands", async () => {
  poison("arsenic");
  const tasks = await Promise.all(Array.from({ length: 20 }, () => kit.running()));
  const messages = Array.from({ length: 400 }, (_, i) => (i % 137 === 50 ? "arsenic" : `m${i}`));
  const settled = await Promise.allSettled(
    messages.map((message, i) => kit.post(tasks[i % 20]!.taskId, message)),
  );
  const refused = settled.flatMap((one, i) => (one.status === "rejected" ? messages[i] : []));
  expect(refused).toEqual(["arsenic", "arsenic", "arsenic"]);
  for (const [t, { taskId }] of tasks.entries()) {
    const wanted = messages.filter((message, i) => i % 20 === t && message !== "arsenic");
    expect(await kit.messages(taskId)).toEqual(wanted);
    expect(findTimelineFault(await kit.store.readEvents(taskId, {}))).toBeNull();
  }
  const last = await kit.store.lastPosition();
  expect(last).toBe(20 * 2 + 397);
  expect(await kit.store.countByStatus()).toMatchObject({ running: 20 });
});

test("the reason is told, and memory says what the file says", async () => {
  poison("arsenic");
  const { taskId, epoch } = await kit.running();
  await expect(kit.post(taskId, "arsenic", epoch)).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringContaining("poisoned"),
  });
  const ask = kit.ask(taskId, { prompt: "arsenic?" });
  await expect(ask).rejects.toMatchObject(unavailable);
  expect(await kit.task(taskId)).toMatchObject({ status: "running", lastSeq: 2 });
  expect(await kit.store.getOpenQuestions(taskId)).toEqual([]);
  expect(await kit.post(taskId, "water", epoch)).toMatchObject({ seq: 3 });
});

test("while another program holds the lock nothing is acknowledged, and then it goes on", async () => {
  const taskId = await kit.start();
  const other = new Database(file);
  other.exec("BEGIN IMMEDIATE");
  const waits = kit.post(taskId, "waits");
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 10);
  await new Promise((resolve) => setTimeout(resolve, 300));
  // Reads go on, and so does everything else in this process.
  expect(await kit.messages(taskId)).toEqual([]);
  expect((await kit.store.listTasks({ limit: 5 })).items).toHaveLength(1);
  expect(turns).toBeGreaterThan(10);
  other.exec("COMMIT");
  expect(await waits).toMatchObject({ seq: 2 });
  clearInterval(turning);
  other.exec("BEGIN IMMEDIATE");
  await expect(kit.post(taskId, "too long")).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringMatching(/tasks\.db cannot be used now: another program holds a lock/),
  });
  other.exec("COMMIT");
  other.close();
  expect(await kit.post(taskId, "after")).toMatchObject({ seq: 3 });
  expect(await kit.messages(taskId)).toEqual(["waits", "after"]);
}, 20_000);

test("nothing is written into a file that was moved away or deleted", async () => {
  const { taskId } = await kit.running();
  await kit.store.ping();
  const gone = {
    ...unavailable,
    message: expect.stringContaining("was moved or deleted while it was open"),
    details: { file: realpathSync(file), reason: expect.stringContaining("moved or deleted") },
  };
  renameSync(file, `${file}.moved`);
  await expect(kit.store.ping()).rejects.toMatchObject(gone);
  const posts = ["one", "two", "three"].map((message) => kit.post(taskId, message));
  for (const post of posts) await expect(post).rejects.toMatchObject(gone);
  writeFileSync(file, "another file");
  await expect(kit.post(taskId, "four")).rejects.toMatchObject(gone);
  renameSync(`${file}.moved`, file);
  await kit.store.ping();
  await kit.post(taskId, "five");
  expect(await kit.messages(taskId)).toEqual(["five"]);
});

/** A writer whose statements fail as `faults` says: by the word they begin with. */
async function faultyWriter(faults: Map<string, string>) {
  const connection = await SqliteConnection.open(inMemory, { busyTimeout: 0 });
  await migrate(connection, inMemory);
  const opened: string[] = [];
  const faulty = new Proxy(connection, {
    get(target, name) {
      if (name === "close") return async () => opened.push("closed");
      const member = Reflect.get(target, name, target);
      if (name === "rows") {
        return async (sql: string, ...args: unknown[]) => {
          const rows = await target.rows(sql, ...args);
          // Leaves time for whatever else may happen meanwhile.
          await new Promise((resolve) => setImmediate(resolve));
          return rows;
        };
      }
      if (name !== "run") return typeof member === "function" ? member.bind(target) : member;
      return async (sql: string, ...args: unknown[]) => {
        const code = [...faults].find(([word]) => sql.startsWith(word))?.[1];
        if (code) throw fault(code);
        return target.run(sql, ...args);
      };
    },
  });
  const writer = new CommandWriter({
    file: "tasks.db",
    requireInPlace: () => undefined,
    exclusively: (transaction) => transaction(),
    publish: () => undefined,
    async connect() {
      opened.push("opened");
      return faulty;
    },
  });
  await writer.open();
  return { writer, opened };
}

function fault(code: string): Error {
  const error = { kind: "sqlite", extendedCode: 1, message: code } as const;
  return new DriverAdapterError({ ...error, originalCode: code, originalMessage: code } as never);
}

test.each([
  ["SQLITE_FULL", "the disk is full; make room", false],
  ["SQLITE_IOERR_WRITE", "input/output error", true],
  ["SQLITE_READONLY", "it is read-only", true],
  ["SQLITE_CANTOPEN", "cannot be opened", true],
])(
  "%s at any statement: told, nothing kept, and over when it is over",
  async (code, words, anew) => {
    for (const statement of ["BEGIN", 'INSERT INTO "tasks"', 'INSERT INTO "events"', "COMMIT"]) {
      const faults = new Map<string, string>();
      const { writer, opened } = await faultyWriter(faults);
      const commands = new StoreKit(writer as never, clock);
      const { task } = await commands.startDetailed();
      faults.set(statement, code);
      const failing = [commands.startDetailed(), commands.post(task.taskId, "lost")];
      for (const settled of await Promise.allSettled(failing)) {
        expect(settled).toMatchObject({
          status: "rejected",
          reason: { ...unavailable, message: expect.stringContaining(words) },
        });
      }
      faults.clear();
      expect(await commands.post(task.taskId, "kept")).toMatchObject({ seq: 2 });
      expect(writer.committed).toMatchObject({ lastPosition: 2, counts: { pending: 1 } });
      expect(opened).toEqual(anew ? ["opened", "closed", "opened"] : ["opened"]);
      await writer.close();
    }
  },
);

test("what asks for counts after a fault does not read into the next transaction", async () => {
  const faults = new Map<string, string>();
  const { writer } = await faultyWriter(faults);
  const commands = new StoreKit(writer as never, clock);
  for (let round = 1; round <= 5; round += 1) {
    faults.set("COMMIT", "SQLITE_FULL");
    await expect(commands.start()).rejects.toMatchObject(unavailable);
    faults.clear();
    expect(writer.committed).toBeNull();
    const turns = Array.from({ length: round }, (_, i) => i);
    const asking = turns.map(async (turn) => {
      for (let i = 0; i < turn; i += 1) await new Promise((resolve) => setImmediate(resolve));
      return writer.readAgain();
    });
    await Promise.all([commands.start(), ...asking]);
    await commands.start();
    expect(writer.committed).toMatchObject({
      lastPosition: round * 2,
      counts: { pending: round * 2 },
    });
  }
  await writer.close();
});
