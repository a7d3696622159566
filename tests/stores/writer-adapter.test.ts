import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { plainStart } from "../../server/core/plain-start.ts";
import { systemClock } from "../../server/core/system-clock.ts";
import type { PrismaClient } from "../../server/stores/generated/client.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";

let folder: string;
let store: SQLiteStore;
let client: PrismaClient;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolthread-writer-"));
  store = await SQLiteStore.open(join(folder, "tasks.db"));
  client = (await store.identity()).client as PrismaClient;
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const user = (id: string) => ({ id, name: id, email: `${id}@example.com` });

function startTask(i: number) {
  return store.commit({
    ...plainStart,
    taskId: `task_${i}`,
    at: systemClock.now(),
    type: "echo",
  });
}

test("a client and the engine write at the same time, and nothing is lost or blocked", async () => {
  const both = Array.from({ length: 100 }, (_, i) => [
    startTask(i),
    client.user.create({ data: user(`u${i}`) }),
  ]);
  await Promise.all(both.flat());
  expect(await client.user.count()).toBe(100);
  expect((await store.countByStatus()).pending).toBe(100);
});

test("a transaction is whole: its commit is on the disk when it returns, a failure leaves nothing", async () => {
  const started: Promise<unknown>[] = [];
  await client.$transaction(async (tx) => {
    await tx.user.create({ data: user("a") });
    // The engine's writes wait for the transaction, and do not become part of it.
    started.push(startTask(1));
    await tx.user.create({ data: user("b") });
  });
  await Promise.all(started);
  const failing = client.$transaction(async (tx) => {
    await tx.user.create({ data: user("c") });
    started.push(startTask(2));
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  await Promise.all(started);
  expect((await client.user.findMany()).map(({ id }) => id).sort()).toEqual(["a", "b"]);
  expect((await store.countByStatus()).pending).toBe(2);

  await store.close();
  const again = await SQLiteStore.open(join(folder, "tasks.db"));
  expect((await (await again.identity()).listPeople()).map(({ userId }) => userId)).toEqual([
    "a",
    "b",
  ]);
  await again.close();
});

test("a refused statement harms neither the connection nor what the engine knows", async () => {
  await startTask(1);
  await client.user.create({ data: user("a") });
  const again = client.user.create({ data: user("a") });
  await expect(again).rejects.toMatchObject({ code: "P2002" });
  await startTask(2);
  expect(await client.user.count()).toBe(1);
  expect((await store.countByStatus()).pending).toBe(2);
});

test("a transaction that waits for the engine ends by itself, and the engine goes on", async () => {
  const waiting = client.$transaction(
    async (tx) => {
      await tx.user.create({ data: user("a") });
      await startTask(1);
    },
    { timeout: 100 },
  );
  await expect(waiting).rejects.toMatchObject({ code: "P2028" });
  expect((await store.countByStatus()).pending).toBe(1);
  expect(await client.user.count()).toBe(0);
});

test("after the store is closed its client is told so", async () => {
  await store.close();
  await expect(client.user.count()).rejects.toThrow("closed");
});
