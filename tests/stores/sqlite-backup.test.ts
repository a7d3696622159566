import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { backUpDatabase, restoreDatabase } from "../../server/stores/sqlite-backup.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  file = join(folder, "toolthread.db");
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

async function openStore(path = file): Promise<SQLiteStore> {
  const store = await SQLiteStore.open(path);
  onTestFinished(() => store.close());
  return store;
}

test("a copy made while tasks are being written is whole, and has all acknowledged before", async () => {
  const store = await openStore();
  for (let i = 0; i < 50; i++) await store.createTask(`before_${i}`, "deploy", {});
  const writing = Promise.all(
    Array.from({ length: 300 }, (_, i) => store.createTask(`during_${i}`, "deploy", { i })),
  );
  const backup = join(folder, "backup.db");
  backUpDatabase(file, backup);
  await writing;

  const copy = await openStore(backup);
  for (let i = 0; i < 50; i++) expect(await copy.getTaskStatus(`before_${i}`)).toBe("pending");
  const { items } = await copy.listTasks({ limit: 500 });
  for (const task of items) {
    const events = await copy.readEvents(task.taskId, {});
    expect(events).toHaveLength(task.lastSeq);
    expect(await copy.getPayload(task.taskId)).not.toBeNull();
  }
});

test("a restored copy is what the server opens next; what was there is kept", async () => {
  const store = await openStore();
  await store.createTask("kept", "deploy", {});
  const backup = join(folder, "backup.db");
  backUpDatabase(file, backup);
  await store.createTask("later", "deploy", {});
  await store.close();

  const old = restoreDatabase(backup, file, "20261130T120000Z");
  const restored = await openStore();
  expect(await restored.getTaskStatus("kept")).toBe("pending");
  expect(await restored.getTask("later")).toBeNull();
  expect(old).toBe(`${file}.before-restore-20261130T120000Z`);
  const before = await openStore(old ?? "");
  expect(await before.getTaskStatus("later")).toBe("pending");
});

test("a database that is open is not restored over", async () => {
  const store = await openStore();
  await store.createTask("kept", "deploy", {});
  const backup = join(folder, "backup.db");
  backUpDatabase(file, backup);
  expect(() => restoreDatabase(backup, file, "now")).toThrow(/already open/);
  expect(await store.getTaskStatus("kept")).toBe("pending");
});

test("a file that is no sound database is not restored, and nothing is touched", async () => {
  const store = await openStore();
  await store.createTask("kept", "deploy", {});
  await store.close();
  const backup = join(folder, "backup.db");
  writeFileSync(backup, "this is not a database, however long it may be ".repeat(200));
  expect(() => restoreDatabase(backup, file, "now")).toThrow(/not a sound SQLite database/);
  expect(readdirSync(folder).some((name) => name.includes("before-restore"))).toBe(false);
  expect(await (await openStore()).getTaskStatus("kept")).toBe("pending");
});

test("a backup overwrites nothing, and a missing database or backup is said", () => {
  const backup = join(folder, "backup.db");
  expect(() => backUpDatabase(file, backup)).toThrow(/no database/);
  expect(() => restoreDatabase(backup, file, "now")).toThrow(/no backup/);
  writeFileSync(backup, "mine");
  writeFileSync(file, "");
  expect(() => backUpDatabase(file, backup)).toThrow(/exists already/);
  expect(existsSync(`${backup}.unfinished`)).toBe(false);
});

test("nobody else can read a database, what lies beside it, or its copy", async () => {
  const data = join(folder, "data");
  await openStore(join(data, "tasks.db"));
  const copy = join(folder, "copy.db");
  backUpDatabase(join(data, "tasks.db"), copy);
  // The lock tells which process has the database, and nothing of what is in it.
  const names = readdirSync(data).filter((name) => !name.endsWith(".lock"));
  expect(names).toContain("tasks.db-wal");
  for (const path of [data, ...names.map((name) => join(data, name)), copy]) {
    expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
  }
});
