import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../server/core/system-clock.ts";
import { readMigrationFiles } from "../../server/stores/migration-files.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { testClock } from "../support/test-clock.ts";
import { StoreKit } from "./store-kit.ts";

test("the migration counts what happened before as the store counts it when it happens", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "tasks.db");
  // Now, because the fine slots are made for the last days only.
  const clock = testClock(systemClock.now() - 3600e6);
  const store = await SQLiteStore.open(file, { clock });
  const kit = new StoreKit(store, clock);
  for (let i = 0; i < 40; i += 1) {
    await clock.advance(37 + i / 7);
    const { taskId, epoch } = await kit.running({ type: i % 3 === 0 ? "deploy" : "export" });
    const question = i % 2 === 0 ? await kit.ask(taskId) : null;
    await clock.advance(0.02 + (i * i) / 11);
    if (question && i % 8 !== 2) await kit.resolve(question, i % 8 === 4 ? "declined" : "answered");
    if (i % 5 === 0) await kit.cancel(taskId, true);
    else if (i % 7 !== 0) await kit.finish(taskId, epoch);
  }
  await store.close();

  const database = new Database(file);
  onTestFinished(() => void database.close());
  const tables = () =>
    ["task_rollups", "answer_rollups"].map((table) => {
      const rows = database.prepare(`SELECT * FROM ${table} ORDER BY width, slot, type`).all();
      // Sums of seconds are added up in another order.
      const round = (_: string, value: unknown) =>
        typeof value === "number" ? Number(value.toFixed(3)) : value;
      return rows.map((row) => JSON.stringify(row, round)).sort();
    });
  const counted = tables();
  expect(counted[0]?.length).toBeGreaterThan(50);
  expect(counted[1]?.length).toBeGreaterThan(20);
  database.exec("DELETE FROM task_rollups; DELETE FROM answer_rollups;");
  const { sql } = readMigrationFiles().find(({ name }) => name.endsWith("_rollups")) as {
    sql: string;
  };
  database.exec(sql.slice(sql.indexOf("-- What happened before.")));
  expect(tables()).toEqual(counted);
});
