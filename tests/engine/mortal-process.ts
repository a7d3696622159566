import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished } from "vitest";
import { type DurableTaskStore, MemoryStore, type TaskManagerOptions } from "../../server/index.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { type TestClock, testClock } from "../support/test-clock.ts";
import { type TestEngine, testEngine } from "./test-engine.ts";

/** What outlives the processes of a test: the store and the time. */
export interface World {
  clock: TestClock;
  store: DurableTaskStore;
}

/** An engine in a process that can die or freeze. */
export interface MortalProcess extends TestEngine {
  /** From now on it writes nothing, reads nothing and hears nothing. */
  die(): void;
  readonly isDead: boolean;
  /** From now on it hears nothing and renews no lease; its handlers go on. */
  freeze(): void;
}

export async function memoryWorld(): Promise<World> {
  const clock = testClock();
  return { clock, store: new MemoryStore(clock) };
}

async function sqliteWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  const clock = testClock();
  const store = await SQLiteStore.open(join(folder, "tasks.db"), { clock });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return { clock, store };
}

/** Declares the same tests for the store in memory and the one on disk. */
export function onBothStores(declare: (makeWorld: () => Promise<World>) => void): void {
  describe("on MemoryStore", () => declare(memoryWorld));
  describe("on SQLiteStore", () => declare(sqliteWorld));
}

export function startProcess(
  world: World,
  options: Omit<TaskManagerOptions, "store" | "clock"> = {},
): MortalProcess {
  let isDead = false;
  let isFrozen = false;
  const store = new Proxy(world.store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name === "subscribe") {
        return (listener: Parameters<DurableTaskStore["subscribe"]>[0]) =>
          target.subscribe((change) => {
            if (!isDead && !isFrozen) listener(change);
          });
      }
      return (...args: unknown[]) => {
        const isRenewal = name === "commit" && (args[0] as { kind: string }).kind === "renew";
        if (isDead || (isFrozen && isRenewal)) return new Promise(() => {});
        return value.apply(target, args);
      };
    },
  });
  const engine = testEngine({ ...options, store, clock: world.clock, isDead: () => isDead });
  return {
    ...engine,
    store: world.store,
    get isDead() {
      return isDead;
    },
    die() {
      isDead = true;
    },
    freeze() {
      isFrozen = true;
    },
  };
}

/** Lets everything that is under way come to rest, a store on disk included. */
export async function rest({ clock }: { clock: TestClock }): Promise<void> {
  for (let i = 0; i < 4; i++) await clock.settle();
}
