import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";

let folder: string;
let file: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  file = join(folder, "tasks.db");
});

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  rmSync(folder, { recursive: true });
});

async function openInChild(path: string): Promise<{ child: ChildProcess; says: string }> {
  const script = join(import.meta.dirname, "open-in-child.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [text] = await once(child.stdout!, "data");
  return { child, says: String(text).trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

const locked = {
  code: "store_locked",
  message: expect.stringMatching(/tasks\.db is already open.*Stop the other one/),
};

test("a second store on one file is refused, by whatever name it comes", async () => {
  const store = await SQLiteStore.open(file);
  await expect(SQLiteStore.open(file)).rejects.toMatchObject(locked);
  const other = join(folder, "other");
  mkdirSync(other);
  symlinkSync(file, join(other, "link.db"));
  await expect(SQLiteStore.open(join(other, "link.db"))).rejects.toMatchObject(locked);
  await expect(new SQLiteStore(join(other, "..", "tasks.db")).ping()).rejects.toMatchObject(locked);
  await store.createTask("t", "demo", {});
  await store.close();
  const next = await SQLiteStore.open(file);
  expect(await next.getTaskStatus("t")).toBe("pending");
  await next.close();
});

test("a refused store works once the other one is closed", async () => {
  const store = await SQLiteStore.open(file);
  const waiting = new SQLiteStore(file);
  await expect(waiting.createTask("t", "demo", {})).rejects.toMatchObject(locked);
  await store.close();
  await waiting.createTask("t", "demo", {});
  await waiting.close();
});

test("stores in memory do not share and do not lock", async () => {
  const one = await SQLiteStore.open(":memory:");
  const two = await SQLiteStore.open(":memory:");
  await one.createTask("t", "demo", {});
  expect(await two.getTask("t")).toBeNull();
  await Promise.all([one.close(), two.close()]);
});

test("another process is refused while one lives, and not after it was killed", async () => {
  const { child, says } = await openInChild(file);
  expect(says).toBe("open");
  await expect(SQLiteStore.open(file)).rejects.toMatchObject(locked);
  expect((await openInChild(file)).says).toMatch(
    /^StoreLocked: The database .*tasks\.db is already/,
  );
  await kill(child);
  const store = await SQLiteStore.open(file);
  expect(await store.getTaskStatus("task_of_child")).toBe("pending");
  await store.close();
}, 30_000);
