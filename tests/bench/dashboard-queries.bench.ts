/**
 * What the dashboard asks the store, with 10,000 tasks and with 1,000,000 (and ten million events):
 * p50 and p95 of each, and how much longer the larger one takes.
 *
 *     npm run bench:dashboard-queries                      makes both databases first
 *     npm run bench:dashboard-queries -- --dir /tmp/seeds   keeps them there, and uses them again
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { TaskQuery } from "../../server/core/durable-task-store.ts";
import { type OverviewRange, overviewRanges, rangeSlots } from "../../server/core/overview.ts";
import { slotOf } from "../../server/core/rollup.ts";
import { systemClock } from "../../server/core/system-clock.ts";
import { addSeconds, toTimestamp } from "../../server/core/timestamp.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { seedTasks } from "./seed-tasks.ts";

const goalMillis = 50;
const goalRatio = 1.5;
const rounds = 60;
const day = 86_400;

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    tasks: { type: "string", default: "10000,1000000" },
  },
});
const dir = values.dir ?? mkdtempSync(join(tmpdir(), "toolthread-bench-"));
const sizes = values.tasks.split(",").map(Number);
const until = systemClock.now();
const now = toTimestamp(until);
const ago = (seconds: number) => addSeconds(now, -seconds);
const ada = { kind: "operator", id: "user_ada", name: "Ada", surface: "dashboard" } as const;

const lists: Record<string, Omit<TaskQuery, "limit">> = {
  "all, newest first": {},
  "all, oldest first": { order: "oldest" },
  completed: { statuses: ["completed"] },
  "failed or cancelled": { statuses: ["failed", "cancelled"] },
  running: { activities: ["running"] },
  parked: { activities: ["parked"] },
  "resuming (none)": { activities: ["resuming"] },
  "one type": { types: ["import_catalogue"] },
  "three types, failed": {
    types: ["deploy", "refund_order", "analyze_logs"],
    statuses: ["failed"],
  },
  "a rare type": { types: ["rotate_certificates"] },
  "all but two types": { exceptTypes: ["deploy", "refund_order"] },
  "waits for me": { waitsFor: { actor: ada, exceptTypes: ["deploy"] }, now },
  "a common label": { labels: { env: "prod" } },
  "a rare label": { labels: { env: "canary" } },
  "two labels, failed": { labels: { env: "staging", customer: "Acme" }, statuses: ["failed"] },
  "created in an hour, long ago": { created: { from: ago(90 * day), until: ago(90 * day - 3600) } },
  "finished in the last hour": { finished: { from: ago(3600) } },
  "finished on a day, long ago": { finished: { from: ago(200 * day), until: ago(199 * day) } },
  "latest updated": { order: "latest_updated" },
  "latest updated, failed": { order: "latest_updated", statuses: ["failed"] },
  "latest finished": { order: "latest_finished" },
  "longest work": { order: "longest" },
  "longest work, failed": { order: "longest", statuses: ["failed"] },
  "of one agent": { createdById: "key_3" },
  "a word in most": { text: "warehouse" },
  "two words": { text: "northwind certificate" },
  "part of an error": { text: "ENOSPC" },
  "words and a status": { text: "reading amount", statuses: ["failed"] },
  "words among what runs": { text: "shipment", statuses: ["running", "waiting_for_input"] },
  "a number": { text: "471147" },
  "a word that is nowhere": { text: "xylophone" },
  "common letters, nowhere": { text: "catalogueparcel ledgerorder" },
  "two letters": { text: "qz" },
};

interface Measured {
  p50: number;
  p95: number;
}

async function measure(read: (i: number) => Promise<unknown>): Promise<Measured> {
  const took: number[] = [];
  for (let i = 0; i < rounds + 5; i += 1) {
    const from = performance.now();
    await read(i);
    // The first ones fill the caches.
    if (i >= 5) took.push(performance.now() - from);
  }
  took.sort((a, b) => a - b);
  return { p50: at(took, 0.5), p95: at(took, 0.95) };
}

function at(sorted: number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function measureAll(count: number): Promise<Map<string, Measured>> {
  const file = join(dir, `${count}`, "toolthread.db");
  if (!existsSync(file)) {
    mkdirSync(join(dir, `${count}`), { recursive: true });
    process.stdout.write(`Making ${count} tasks …\n`);
    await seedTasks(file, count, { until });
  }
  const store = await SQLiteStore.open(file);
  const results = new Map<string, Measured>();
  for (const [name, query] of Object.entries(lists)) {
    results.set(name, await measure(() => store.listTasks({ now, ...query, limit: 50 })));
    const first = await store.listTasks({ now, ...query, limit: 50 });
    if (first.nextCursor === null || first.items.length < 50) continue;
    const deep = { now, ...query, limit: 50, after: first.nextCursor };
    results.set(`${name}, next page`, await measure(() => store.listTasks(deep)));
  }
  const ids = await someIds(store);
  const idOf = (i: number) => ids[i % ids.length] as string;
  results.set(
    "a task by its id",
    await measure((i) => store.listTasks({ text: idOf(i), limit: 50 })),
  );
  results.set("task page", await measure((i) => readPage(store, idOf(i))));
  results.set(
    "open questions, most pressing first",
    await measure(() => store.listQuestions({ state: "open", order: "pressing", limit: 50 })),
  );
  results.set("counts", await measure(() => store.countByStatus()));
  for (const range of overviewRanges) {
    results.set(`overview of ${range}`, await measure(() => readOverview(store, range)));
  }
  await store.close();
  return results;
}

/** Tasks from everywhere in the history, so that they are not all in a cache. */
async function someIds(store: SQLiteStore): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    const created = { until: ago(i * 6 * day) };
    const { items } = await store.listTasks({ created, limit: 1 });
    ids.push(...items.map(({ taskId }) => taskId));
  }
  return ids;
}

/** As the manager reads it, without what it makes of it. */
function readOverview(store: SQLiteStore, range: OverviewRange): Promise<unknown> {
  const { width, slots } = rangeSlots[range];
  const last = slotOf(now, width);
  return Promise.all([
    store.readRollups({ width, first: last - slots + 1, last }),
    store.countLive(),
    store.listLongestWaiting(6),
  ]);
}

function readPage(store: SQLiteStore, taskId: string): Promise<unknown> {
  return Promise.all([
    store.getTask(taskId),
    store.getPayload(taskId),
    store.getQuestions(taskId),
    store.readEvents(taskId, { limit: 500 }),
  ]);
}

const measured = new Map<number, Map<string, Measured>>();
for (const size of sizes) measured.set(size, await measureAll(size));
if (values.dir === undefined) rmSync(dir, { recursive: true });

const [small, large] = [sizes[0] as number, sizes.at(-1) as number];
const millis = (value = Number.NaN) => value.toFixed(2).padStart(9);
process.stdout.write(
  `\n${"p50 and p95 in ms".padEnd(42)}${`${small}`.padStart(18)}${`${large}`.padStart(18)}    ratio\n`,
);
const missed: string[] = [];
for (const name of measured.get(large)?.keys() ?? []) {
  const a = measured.get(small)?.get(name);
  const b = measured.get(large)?.get(name);
  const ratio = (b?.p95 ?? Number.NaN) / (a?.p95 ?? Number.NaN);
  if ((b?.p95 ?? 0) > goalMillis) missed.push(`${name}: ${millis(b?.p95)} ms`);
  process.stdout.write(
    `${name.padEnd(42)}${millis(a?.p50)}${millis(a?.p95)}${millis(b?.p50)}${millis(b?.p95)}${ratio.toFixed(2).padStart(9)}${ratio > goalRatio ? " *" : ""}\n`,
  );
}
process.stdout.write(`* more than ${goalRatio} times\n`);
process.stdout.write(
  missed.length === 0
    ? `All within ${goalMillis} ms (p95).\n`
    : `Over ${goalMillis} ms (p95):\n  ${missed.join("\n  ")}\n`,
);
