/**
 * What SQLiteStore costs, as ratios to a baseline of the same run: better-sqlite3 writing one row a
 * transaction, with the same pragmas, on the same disk.
 *
 *     npx tsx tests/bench/store.bench.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "../../server/core/command.ts";
import { plainStart } from "../../server/core/plain-start.ts";
import { randomId, systemClock } from "../../server/core/system-clock.ts";
import { addSeconds, toTimestamp } from "../../server/core/timestamp.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { baselineRowsPerSecond } from "./sqlite-baseline.ts";

const folder = mkdtempSync(join(tmpdir(), "toolthread-bench-"));

const baselinePerSecond = baselineRowsPerSecond(join(folder, "baseline.db"));
const baselineMillis = 1000 / baselinePerSecond;
report("baseline: one row a transaction", baselinePerSecond, "rows/s", 1);

const store = await SQLiteStore.open(join(folder, "store.db"));
await updates(1, 50_000, 500, "updates of 1 task, posted 500 at a time");
await updates(100, 100_000, 5000, "updates of 100 tasks, posted 5000 at a time");
await updates(20, 10_000, 20, "updates of 20 tasks, each awaiting its last");
await lifecycles(10_000, 2000);
await idleLatency();
await reads();
await store.close();
rmSync(folder, { recursive: true });

async function updates(tasks: number, count: number, together: number, name: string) {
  const ids = await Promise.all(Array.from({ length: tasks }, () => start(false)));
  const from = performance.now();
  for (let posted = 0; posted < count; posted += together) {
    await Promise.all(
      Array.from({ length: together }, (_, i) => post(ids[i % tasks] as string, posted + i)),
    );
  }
  report(name, (count / (performance.now() - from)) * 1000, "updates/s");
}

async function lifecycles(count: number, together: number) {
  const from = performance.now();
  for (let done = 0; done < count; done += together) {
    await Promise.all(Array.from({ length: together }, () => lifecycle()));
  }
  const perSecond = (count / (performance.now() - from)) * 1000;
  report("start, claim, finish of many tasks at once", perSecond, "tasks/s");
}

async function lifecycle() {
  const taskId = await start(false);
  const lease = { workerId: "w_bench", expiresAt: addSeconds(now(), 15) };
  const claimed = await store.commit({ kind: "claim", taskId, at: systemClock.now(), lease });
  await store.commit({
    kind: "finish",
    taskId,
    at: systemClock.now(),
    epoch: claimed?.epoch ?? null,
    status: "completed",
    result: { ok: true },
    error: null,
  });
}

async function idleLatency() {
  const started: number[] = [];
  const posted: number[] = [];
  for (let i = 0; i < 300; i += 1) {
    const from = performance.now();
    const taskId = await start(true);
    const between = performance.now();
    await post(taskId, i);
    posted.push(performance.now() - between);
    started.push(between - from);
  }
  report("one idle start with its lease", median(started), "ms", median(started) / baselineMillis);
  report("one idle update", median(posted), "ms", median(posted) / baselineMillis);
}

async function reads() {
  const taskId = await start(true);
  await post(taskId, 1);
  const { items } = await store.listTasks({ limit: 1, order: "oldest" });
  const cold = items[0]?.taskId as string;
  await measure("getTask, hot", () => store.getTask(taskId));
  await measure("readEvents, hot", () => store.readEvents(taskId, { afterSeq: 1 }));
  await measure("getPayload, cold", () => store.getPayload(cold));
  await measure("listTasks, 50 of all", () => store.listTasks({ limit: 50 }));
  const statuses = ["running", "waiting_for_input"] as const;
  const query = { limit: 50, statuses: [...statuses], types: ["bench"] };
  await measure("listTasks, 50 by status and type", () => store.listTasks(query));
  await measure("findRunnable", () =>
    store.findRunnable({ now: now(), limit: 50, types: ["bench"], fullKeys: [] }),
  );
  await measure("nextDueAt", () => store.nextDueAt());
}

async function measure(name: string, read: () => Promise<unknown>) {
  const took: number[] = [];
  for (let i = 0; i < 300; i += 1) {
    const from = performance.now();
    await read();
    took.push(performance.now() - from);
  }
  report(name, median(took), "ms", median(took) / baselineMillis);
}

function start(withLease: boolean): Promise<string> {
  const taskId = randomId("task");
  const command: Command<"start"> = {
    ...plainStart,
    taskId,
    at: systemClock.now(),
    type: "bench",
    params: { files: ["app.log"] },
    lease: withLease ? { workerId: "w_bench", expiresAt: addSeconds(now(), 15) } : null,
  };
  return store.commit(command).then(() => taskId);
}

function post(taskId: string, i: number): Promise<unknown> {
  return store.commit({
    kind: "post_update",
    taskId,
    at: systemClock.now(),
    epoch: null,
    updateId: randomId("u"),
    level: "info",
    message: message(i),
  });
}

function message(i: number): string {
  return `Processed ${i} of the items in this batch`;
}

function now() {
  return toTimestamp(systemClock.now());
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function report(name: string, value: number, unit: string, ratio = value / baselinePerSecond) {
  const shown = value >= 100 ? Math.round(value).toString() : value.toFixed(3);
  const padded = `${name.padEnd(52)}${shown.padStart(10)} ${unit.padEnd(10)}`;
  process.stdout.write(`${padded}${ratio.toFixed(2).padStart(8)} x baseline\n`);
}
