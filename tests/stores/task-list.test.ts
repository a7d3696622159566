import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TaskQuery } from "../../server/core/durable-task-store.ts";
import { PrismaClient } from "../../server/stores/generated/client.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { TaskList } from "../../server/stores/task-list.ts";
import { testClock } from "../support/test-clock.ts";
import { StoreKit } from "./store-kit.ts";

// Rare among many, for a list that looks at two tasks at a time and has no patience at all.
let folder: string;
let prisma: PrismaClient;
let list: TaskList;
const rare: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  const file = join(folder, "tasks.db");
  const clock = testClock();
  const store = await SQLiteStore.open(file, { clock });
  const kit = new StoreKit(store, clock);
  for (let i = 0; i < 30; i += 1) {
    const isRare = i % 11 === 4;
    await clock.advance(1);
    const { taskId, epoch } = await kit.running({
      type: i % 2 === 0 ? "even" : "odd",
      params: { note: isRare ? "a needle in it" : "an eedle, dle, eed: nothing" },
      labels: isRare ? { env: "rare" } : {},
    });
    await kit.finish(taskId, epoch);
    if (isRare) rare.unshift(taskId);
  }
  await store.close();
  prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: file, readonly: true }) });
  list = new TaskList(prisma, { step: 2, textStep: 2, patience: -1 });
});

afterAll(async () => {
  await prisma.$disconnect();
  rmSync(folder, { recursive: true });
});

const queries: [string, Partial<TaskQuery>][] = [
  ["words", { text: "needle" }],
  ["words of two letters", { text: "a in it" }],
  ["a label beside a status", { labels: { env: "rare" }, statuses: ["completed"] }],
  ["a label, by work", { labels: { env: "rare" }, order: "shortest" }],
  ["several streams", { types: ["even", "odd"], text: "needle", parentTaskId: undefined }],
];

test.each(queries)("a page that finds too little says how far it looked: %s", async (_, query) => {
  const found: string[] = [];
  let pages = 0;
  let after: string | null = null;
  do {
    const page = await list.page({ limit: 2, ...query, after });
    found.push(...page.items.map(({ taskId }) => taskId));
    after = page.nextCursor;
    pages += 1;
  } while (after !== null && pages < 100);
  expect([...found].sort()).toEqual([...rare].sort());
  if (query.order === undefined) expect(found).toEqual(rare);
  expect(pages).toBeGreaterThan(1);
});

test("a cursor from elsewhere is refused", async () => {
  const page = list.page({ limit: 2, text: "needle", after: "2026-11-30T12:00:00Z~task_1" });
  await expect(page).rejects.toMatchObject({ code: "invalid_input" });
});
