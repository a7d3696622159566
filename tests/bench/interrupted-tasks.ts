import { parseTimestamp } from "../../server/core/timestamp.ts";
import { type DurableTaskStore, TaskManager } from "../../server/index.ts";
import type { SQLiteStore } from "../../server/stores/sqlite-store.ts";

/**
 * Milliseconds from the moment when the lease of the last of `count` interrupted tasks ran out until
 * another worker has every one of them where it was, its recorded step replayed. The worker that
 * died leaves timers behind in this process: whoever measures ends it.
 */
export async function millisToResume(store: SQLiteStore, count: number): Promise<number> {
  const leaseSeconds = 3;
  let isDead = false;
  const options = { leaseSeconds, concurrency: count };
  const dies = new TaskManager({ ...options, store: diesWith(store, () => isDead) });
  const other = new TaskManager({ ...options, store });
  await Promise.all([dies.ready(), other.ready()]);

  let stepped = 0;
  dies.registerTask("interrupted", async (ctx) => {
    await ctx.step("work", () => ctx.attempt);
    stepped += 1;
    await new Promise(() => {});
  });
  const starts = Array.from({ length: count }, () => dies.startTask("interrupted"));
  const ids = await Promise.all(starts);
  while (stepped < count) await tick();
  isDead = true;

  let resumed = 0;
  let lastAt = 0;
  other.registerTask("interrupted", async (ctx) => {
    const attempt = await ctx.step("work", () => ctx.attempt);
    if (attempt !== 1) throw new Error("a recorded step ran again");
    resumed += 1;
    lastAt = Date.now();
  });
  const tasks = await Promise.all(ids.map((taskId) => store.getTask(taskId)));
  const ranOutAt = tasks.map((task) => parseTimestamp(task?.leaseExpiresAt ?? "") / 1000);
  while (resumed < count) await tick();
  await other.shutdown(1);
  return lastAt - Math.max(...ranOutAt);
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

/** The store as a worker has it that may die: from then on none of its calls comes back. */
function diesWith(store: SQLiteStore, isDead: () => boolean): DurableTaskStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) =>
        isDead() ? new Promise(() => {}) : Reflect.apply(value, target, args);
    },
  });
}
