/**
 * `npm run test:crash -- [--kills N] [--seed S]`: the crash test in its long form. What a seed
 * chooses (what is started, said and cancelled, and where the kills come) is the same in every run
 * with it; how the processes are timed is not.
 *
 * `npm run test:crash -- --waiting N` restarts a server that has N tasks waiting for humans instead.
 */
import { parseArgs } from "node:util";
import { runCrashTest } from "./run-crash-test.ts";
import { measureWaiting } from "./waiting-tasks.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    waiting: { type: "string" },
  },
});
if (values.waiting === undefined) await kill();
else await restartWaiting(Number(values.waiting));

async function restartWaiting(count: number): Promise<void> {
  for (const isParked of [true, false]) {
    const figures = await measureWaiting(count, isParked);
    console.log(isParked ? "Parked before the restart:" : "Killed with all of them in memory:");
    console.log(figures);
    if (figures.readySeconds > 5) process.exitCode = 1;
  }
}

async function kill(): Promise<void> {
  const kills = Number(values.kills);
  const seed = Number(values.seed);
  console.log(`Killing the server ${kills} times; --seed ${seed} repeats these choices.`);

  const from = performance.now();
  const result = await runCrashTest({
    kills,
    seed,
    onKill: (done) => {
      if (done % 10 === 0) console.log(`${done} kills`);
    },
  });
  const seconds = Math.round((performance.now() - from) / 1000);
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  console.log(`Killed: ${listed(result.kills)}.`);
  console.log(`Checked in ${seconds} s: ${listed(result.counts)}.`);
  for (const violation of result.violations.slice(0, 50)) console.log(`BROKEN: ${violation}`);
  console.log(
    result.violations.length === 0
      ? `Nothing lost, nothing doubled (${kills} kills, seed ${seed}).`
      : `${result.violations.length} promises broken (${kills} kills, seed ${seed}).`,
  );
  process.exitCode = result.violations.length === 0 ? 0 : 1;
}
