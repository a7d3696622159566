/**
 * What the engine costs on SQLite, as ratios to a baseline of the same run: better-sqlite3 writing
 * one row a transaction, with the same pragmas, on the same disk. Medians.
 *
 *     npm run bench:engine
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { TaskManager } from "../../server/index.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { millisToResume } from "./interrupted-tasks.ts";
import { baselineRowsPerSecond } from "./sqlite-baseline.ts";

const folder = mkdtempSync(join(tmpdir(), "toolthread-bench-"));
const baseline = baselineRowsPerSecond(join(folder, "baseline.db"));
const commitMillis = 1000 / baseline;
console.log(
  `baseline: ${Math.round(baseline)} rows/s, one a transaction; the rest as ratios to it\n`,
);

const store = await SQLiteStore.open(join(folder, "engine.db"));
const manager = new TaskManager({ store, concurrency: 5000 });
await manager.ready();

await updates();
await updateToPoll();
await startToFirstLine();
await answerToHandler();
await trivialTasks();
await steps();
await manager.shutdown(1);
await resumes();
await store.close();
rmSync(folder, { recursive: true });
// The worker that died has timers left.
process.exit();

function rate(name: string, count: number, fromMillis: number): void {
  const perSecond = (count / (performance.now() - fromMillis)) * 1000;
  console.log(`${name}: ${Math.round(perSecond)}/s, ${(perSecond / baseline).toFixed(1)}×`);
}

function latency(name: string, millis: number[]): void {
  const sorted = millis.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  console.log(
    `${name}: p50 ${at(0.5).toFixed(2)} ms, p95 ${at(0.95).toFixed(2)} ms; p50 is ` +
      `${(at(0.5) / commitMillis).toFixed(1)}× one commit of the baseline`,
  );
}

/** Waits for a task's end without reading its updates, which are not what is measured. */
async function end(taskId: string): Promise<void> {
  const since = "2100-01-01T00:00:00Z";
  for (;;) {
    const response = await manager.pollTask(taskId, { since, waitFor: "input_or_result" });
    if (response.result) return;
  }
}

async function updates(): Promise<void> {
  const [handlers, each] = [20, 10_000];
  manager.registerTask("posts", async (ctx) => {
    // Awaited now and then, as a handler with much to say does: unbounded posting is no steady state.
    for (let i = 1; i <= each; i++) {
      const posted = ctx.update(`update ${i} of a task that posts many`);
      if (i % 250 === 0) await posted;
    }
  });
  const from = performance.now();
  const ids = await Promise.all(Array.from({ length: handlers }, () => manager.startTask("posts")));
  await Promise.all(ids.map(end));
  rate("ctx.update, sustained", handlers * each, from);
}

async function updateToPoll(): Promise<void> {
  const millis: number[] = [];
  let postedAt = 0;
  manager.registerTask("posts_slowly", async (ctx) => {
    for (let i = 0; i < 300; i++) {
      await pause(20);
      postedAt = performance.now();
      await ctx.update(`update ${i}`);
    }
  });
  const taskId = await manager.startTask("posts_slowly");
  let { cursor } = await manager.pollTask(taskId, { timeout: 0 });
  for (;;) {
    const response = await manager.pollTask(taskId, { since: cursor });
    // A poll gathers until its newest update is 5 ms old; what it takes beyond that counts.
    if (response.result) break;
    millis.push(performance.now() - postedAt - 5);
    cursor = response.cursor;
  }
  latency("from ctx.update to a waiting poll, beyond the gathering time", millis);
}

async function startToFirstLine(): Promise<void> {
  const millis: number[] = [];
  let startedAt = 0;
  manager.registerTask("begins", () => {
    millis.push(performance.now() - startedAt);
  });
  for (let i = 0; i < 300; i++) {
    startedAt = performance.now();
    const taskId = await manager.startTask("begins");
    await end(taskId);
  }
  latency("from startTask to the first line of the handler", millis);
}

async function answerToHandler(): Promise<void> {
  const millis: number[] = [];
  let answeredAt = 0;
  manager.registerTask("asks", async (ctx) => {
    await ctx.askCustomer("Well?");
    millis.push(performance.now() - answeredAt);
  });
  for (let i = 0; i < 200; i++) {
    const taskId = await manager.startTask("asks");
    const { pendingQuestion } = await manager.pollTask(taskId, { waitFor: "input_or_result" });
    answeredAt = performance.now();
    await manager.respondToQuestion(taskId, pendingQuestion?.questionId ?? "", "yes");
    await end(taskId);
  }
  latency("from an answer to its handler", millis);
}

async function trivialTasks(): Promise<void> {
  const count = 10_000;
  manager.registerTask("trivial", () => "done");
  const from = performance.now();
  const ids = await Promise.all(Array.from({ length: count }, () => manager.startTask("trivial")));
  await Promise.all(ids.map(end));
  rate("trivial tasks, started all at once, to their end", count, from);
}

async function steps(): Promise<void> {
  const [handlers, each] = [100, 500];
  manager.registerTask("steps", async (ctx) => {
    for (let i = 0; i < each; i++) await ctx.step("work", () => i);
  });
  const from = performance.now();
  const ids = await Promise.all(Array.from({ length: handlers }, () => manager.startTask("steps")));
  await Promise.all(ids.map(end));
  rate("ctx.step, 100 handlers one after the other each", handlers * each, from);
}

async function resumes(): Promise<void> {
  const count = 1000;
  const millis = await millisToResume(store, count);
  console.log(
    `${count} interrupted tasks, from their leases running out to all of them resumed: ` +
      `${(millis / 1000).toFixed(2)} s, ${Math.round(millis / commitMillis)}× one commit of the baseline`,
  );
}
