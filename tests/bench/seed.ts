/**
 * A database as it is after a busy year, to look at and to measure with:
 *
 *     npm run bench:seed -- --tasks 1000000 --file /tmp/million/toolthread.db
 *
 * Start the server on it with TOOLTHREAD_DATA_DIR=/tmp/million. A million tasks with ten million
 * events take about ten minutes and 8 GB.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../server/core/system-clock.ts";
import { seedTasks } from "./seed-tasks.ts";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "100000" },
    file: { type: "string", default: "./data/seeded/toolthread.db" },
  },
});
const file = resolve(values.file);
const count = Number(values.tasks);
if (!Number.isInteger(count) || count < 1) throw new Error("--tasks takes a number of tasks");
if (existsSync(file)) throw new Error(`${file} exists already: give another --file`);
mkdirSync(dirname(file), { recursive: true });
const from = performance.now();
await seedTasks(file, count, {
  until: systemClock.now(),
  onBatch(done) {
    if (done % 20_000 !== 0 && done !== count) return;
    const seconds = (performance.now() - from) / 1000;
    process.stdout.write(`${done} tasks, ${Math.round(done / seconds)} a second\n`);
  },
});
process.stdout.write(`${file}: ${(statSync(file).size / 1e9).toFixed(2)} GB\n`);
