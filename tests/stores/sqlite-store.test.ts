import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { describeStore } from "./conformance.ts";

describeStore("SQLiteStore in a file", async (clock, use) => {
  const folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  const store = new SQLiteStore(join(folder, "tasks.db"), { clock });
  try {
    await use(store);
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
});

describeStore("SQLiteStore in memory", async (clock, use) => {
  const store = new SQLiteStore(":memory:", { clock });
  try {
    await use(store);
  } finally {
    await store.close();
  }
});
