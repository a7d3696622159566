/**
 * The task types of the crash test, as a module for `TOOLTHREAD_TASKS`. What they do follows from
 * their params alone, so that a resumed handler does the same again.
 */
import { z } from "zod";
import { hasErrorCode } from "../../server/core/errors.ts";
import type { TaskContext } from "../../server/core/task-context.ts";
import type { TaskHandler, TaskTypeOptions } from "../../server/core/task-type.ts";
import type { TaskManager } from "../../server/engine/task-manager.ts";
import { Ledger } from "./ledger.ts";
import { Witness } from "./witness.ts";

/** The params of every type: which start it is, and how much to do. */
const params = z.strictObject({
  /** Counts the starts of a run; shown in prompts, by which answerers know what to do. */
  start: z.int(),
  size: z.int().min(1).max(9),
  /** How long a step takes. */
  millis: z.int().min(0),
  /** Seconds a question stays open. */
  timeout: z.number(),
  /** For `keyed`: what it must not run beside others of. */
  tenant: z.string(),
});
export type CrashParams = z.output<typeof params>;

type Work = (witness: Witness, params: CrashParams) => Promise<unknown>;

// A crash test interrupts tasks more often than any real machine does.
const maxInterrupts = 100_000;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

const work: Record<string, Work> = {
  async steps(witness, { size, millis }) {
    const values: string[] = [];
    for (const i of numbers(size)) {
      await witness.update(`begin ${i}`);
      values.push(await witness.step(`one ${i}`, { millis }));
      void witness.ctx.update(`not waited for ${i}`);
    }
    const together = numbers(size).map((i) =>
      witness.step(`together ${i}`, { millis: millis + i }),
    );
    return [...values, ...(await Promise.all(together))];
  },

  async ask(witness, { start, size, millis, timeout }) {
    const before = await witness.step("before", { millis });
    const outcomes: string[] = [];
    for (const i of numbers(Math.min(size, 2))) {
      const key = `single ${i}`;
      const { outcome } = await witness.ask({ key, prompt: `start ${start} ${key}`, timeout });
      await witness.update(`heard ${key}: ${outcome}`);
      outcomes.push(outcome);
    }
    return [before, ...outcomes, await witness.step("after", { millis })];
  },

  async ask_together(witness, { start, size, timeout }) {
    const asked = numbers(size).map(async (i) => {
      const key = `together ${i}`;
      const prompt = `start ${start} ${key}`;
      const answerableBy = i % 2 === 0 ? ("operator" as const) : ("anyone" as const);
      const { outcome } = await witness.ask({ key, prompt, timeout, answerableBy });
      return `${outcome} ${await witness.step(`after ${i}`)}`;
    });
    return Promise.all(asked);
  },

  // The answers come about when the time is up.
  async deadline(witness, { start, size, timeout }) {
    const prompt = `start ${start} deadline`;
    const options = { key: "deadline", prompt, timeout: Math.min(timeout, 0.3 + size / 10) };
    const asked = await witness.ask(size % 2 === 0 ? { ...options, default: "nobody" } : options);
    return [asked.outcome, asked.defaultUsed];
  },

  // Kept by every retry: steps and answers. Asked again after one: what was declined.
  async flaky(witness, { start, size, timeout }) {
    const { ctx } = witness;
    const once = await witness.step("once");
    await witness.step("shaky", { fails: 2, retries: { limit: 5, minDelay: 0.01 } });
    const prompt = `start ${start} flaky`;
    const { outcome, answer } = await witness.ask({ key: "flaky", prompt, timeout });
    // Only after the last recorded entry: a retry drops what comes before, as a resume does.
    await witness.update(`attempt ${ctx.attempt}`);
    if (outcome !== "answered") ctx.checkCancelled();
    if (outcome !== "answered") throw new Error(`attempt ${ctx.attempt}: ${outcome}`);
    if (ctx.attempt % (1 + (size % 3)) !== 0) throw new Error(`attempt ${ctx.attempt}`);
    return [once, answer];
  },

  async parent(witness, params) {
    const { ctx } = witness;
    const before = await witness.step("before");
    const first = await ctx.startTask("steps", params);
    const second = await ctx.startTask("sleeper", params);
    const results = await Promise.all(
      [first, second].map((child) =>
        child.result().catch((error: unknown) => {
          if (!hasErrorCode(error, "child_task_failed")) throw error;
          return "child failed";
        }),
      ),
    );
    return [before, ...results, await witness.step("after")];
  },

  async parked(witness, params) {
    const { start, size, timeout } = params;
    const before = await witness.step("before");
    const prompt = `start ${start} parked`;
    const { outcome } = await witness.ask({ key: "parked", prompt, timeout });
    await witness.sleep("between", size / 20);
    const child = await witness.ctx.startTask("steps", { ...params, size: 1 });
    const result = await child.result().catch((error: unknown) => {
      if (!hasErrorCode(error, "child_task_failed")) throw error;
      return "child failed";
    });
    return [before, outcome, result, await witness.step("after")];
  },

  async keyed(witness, { size, millis, tenant }) {
    witness.enter(tenant);
    const values: string[] = [];
    for (const i of numbers(Math.min(size, 3))) {
      values.push(await witness.step(`locked ${i}`, { millis }));
      await witness.sleep(`${i}`, 0.02);
    }
    return values;
  },

  async sleeper(witness, { size }) {
    for (const i of numbers(size)) await witness.sleep(`${i}`, 0.03 * i);
    return "slept well";
  },

  async until_cancelled(witness, { size }) {
    try {
      for (const i of numbers(size * 4)) {
        await witness.step(`round ${i}`);
        await witness.sleep(`${i}`, 0.05);
      }
      return "nobody cancelled";
    } catch (error) {
      if (!hasErrorCode(error, "task_cancelled")) throw error;
      await witness.update("cleaning up");
      await witness.step("clean up", { evenIfCancelled: true });
      throw error;
    }
  },

  async fragile(witness, { size, millis }) {
    const values: string[] = [];
    for (const i of numbers(size)) values.push(await witness.step(`one ${i}`, { millis }));
    return values;
  },

  async waits({ ctx }, { start, timeout }) {
    return ctx.askCustomer(`start ${start} waits`, { timeout });
  },

  // As in the seed's guide: no steps, no keys, and other words in every attempt.
  async plain({ ctx }, { start, timeout }) {
    const words = `attempt ${ctx.attempt} at ${Date.now()}`;
    void ctx.update(`Looking around (${words})`);
    const first = await ctx.askCustomer(`start ${start} first? (${words})`, { timeout });
    void ctx.update(`They said ${first}`);
    const second = await ctx.askCustomer(`start ${start} second? (${words})`, { timeout });
    return [first, second];
  },
};

const options: Record<string, Partial<TaskTypeOptions>> = {
  flaky: { retries: { limit: 100_000, minDelay: 0.02, maxDelay: 0.1 } },
  parked: { park: true, parkAfter: 0.05 },
  waits: { park: true, parkAfter: 0.05 },
  keyed: { concurrency: { key: ({ tenant }: CrashParams) => tenant } },
  fragile: { onInterrupt: "fail" },
};

export const crashTypes = Object.keys(work);

export function registerCrashTasks(manager: TaskManager, ledger: Ledger): void {
  for (const [type, run] of Object.entries(work)) {
    const handler: TaskHandler<CrashParams> = (ctx: TaskContext, given) =>
      run(new Witness(ctx, ledger), given);
    manager.registerTask({ maxInterrupts, ...options[type], type, params }, handler);
  }
}

export default function register(manager: TaskManager): void {
  const path = process.env.CRASH_LEDGER;
  if (!path) throw new Error("CRASH_LEDGER names the file that the handlers write to");
  registerCrashTasks(manager, new Ledger(path));
}
