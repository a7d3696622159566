import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, describe, type TestAPI } from "vitest";
import { MemoryStore, TaskManager, type TaskStore } from "../../server/index.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { PlainStore } from "./plain-store.ts";

/** A kind of store, and how to have an empty one for the length of `use`. */
interface StoreKind {
  name: string;
  withStore(use: (store: TaskStore) => Promise<void>): Promise<void>;
}

const storeKinds: StoreKind[] = [
  { name: "MemoryStore", withStore: (use) => use(new MemoryStore()) },
  {
    name: "SQLiteStore in a file",
    async withStore(use) {
      const folder = await mkdtemp(join(tmpdir(), "toolthread-"));
      try {
        await closeAfter(new SQLiteStore(join(folder, "tasks.db")), use);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
  {
    name: "SQLiteStore in memory",
    withStore: (use) => closeAfter(new SQLiteStore(":memory:"), use),
  },
  { name: "a class with the ten methods", withStore: (use) => use(new PlainStore()) },
];

async function closeAfter(store: SQLiteStore, use: (store: TaskStore) => Promise<void>) {
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

interface Fixtures {
  store: TaskStore;
  /** A manager on that store; it is shut down after the test. */
  manager: TaskManager;
}

/** Declares the same tests once for every kind of store. */
export function onEveryStore(declare: (test: TestAPI<Fixtures>) => void): void {
  for (const kind of storeKinds) {
    const test = base.extend<Fixtures>({
      store: ({ task: _task }, use) => kind.withStore(use),
      manager: async ({ store }, use) => {
        const manager = new TaskManager({ store });
        await use(manager);
        await manager.shutdown(1);
      },
    });
    describe(`on ${kind.name}`, () => declare(test));
  }
}
