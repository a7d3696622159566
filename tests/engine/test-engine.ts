import { onTestFinished } from "vitest";
import type { Actor } from "../../server/core/actor.ts";
import type { MakeId } from "../../server/core/clock.ts";
import type { TaskContext } from "../../server/core/task-context.ts";
import {
  type DurableTaskStore,
  type EngineLog,
  MemoryStore,
  TaskManager,
  type TaskManagerOptions,
  type TaskStore,
  type TaskTypeOptions,
} from "../../server/index.ts";
import { type TestClock, testClock } from "../support/test-clock.ts";

export const agent: Actor = { kind: "agent", id: "a1", name: "an agent", surface: "rest" };
export const otherAgent: Actor = { kind: "agent", id: "a2", name: "another", surface: "mcp" };
export const ann: Actor = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" };

/** An engine on a clock that stands still until the test moves it. */
export interface TestEngine {
  manager: TaskManager;
  clock: TestClock;
  store: DurableTaskStore;
  /** What the engine reported. */
  logged: string[];
}

type Options = Omit<TaskManagerOptions, "store" | "clock"> & {
  store?: TaskStore | DurableTaskStore;
  clock?: TestClock;
  /** Whether it is beyond being shut down at the end of the test. */
  isDead?: () => boolean;
};

let lastId = 0;

/** Ids in the order they were made; unique in a test file, whichever engine makes them. */
const countingId: MakeId = (prefix) => {
  lastId += 1;
  return `${prefix}_${String(lastId).padStart(9, "0")}`;
};

let makeStore: (clock: TestClock) => DurableTaskStore = (clock) => new MemoryStore(clock);

/** Makes the engines of this file that name no store use another one than `MemoryStore`. */
export function makeStoresWith(make: typeof makeStore): void {
  makeStore = make;
}

/** An engine for one test; at its end nothing it started goes on. */
export function testEngine(options: Options = {}): TestEngine {
  const { clock = testClock() } = options;
  const { store = makeStore(clock) } = options;
  const logged: string[] = [];
  const note = (message: string, data?: Record<string, unknown>) => {
    logged.push(`${message} ${JSON.stringify(data ?? {})}`);
  };
  const log: EngineLog = { info() {}, warn: note, error: note };
  const manager = new TaskManager({ makeId: countingId, log, ...options, store, clock });
  onTestFinished(async () => {
    if (!options.isDead?.()) await manager.shutdown(0);
    if (!options.store) await (store as DurableTaskStore).close();
  });
  return { manager, clock, store: store as DurableTaskStore, logged };
}

/** A task whose handler does nothing but what the test does with its `ctx`. */
export interface DrivenTask {
  taskId: string;
  ctx: TaskContext;
  finish(value?: unknown): void;
  fail(error: unknown): void;
}

/** Starts a {@link DrivenTask}. */
export async function drive(
  { manager, clock }: TestEngine,
  options: Omit<TaskTypeOptions, "type"> = {},
): Promise<DrivenTask> {
  const type = countingId("task");
  let driven: Omit<DrivenTask, "taskId"> | undefined;
  manager.registerTask({ ...options, type }, (ctx: TaskContext) => {
    return new Promise((finish, fail) => {
      driven = { ctx, finish, fail };
    });
  });
  const taskId = await manager.startTask(type);
  await clock.settle();
  if (!driven) throw new Error("the handler did not begin");
  return { taskId, ...driven };
}

/** What became of a promise so far; looking does not wait. */
export interface Watched<T> {
  state: "pending" | "fulfilled" | "rejected";
  value: T | undefined;
  error: unknown;
}

export function watch<T>(promise: PromiseLike<T>): Watched<T> {
  const watched: Watched<T> = { state: "pending", value: undefined, error: undefined };
  promise.then(
    (value) => Object.assign(watched, { state: "fulfilled", value }),
    (error: unknown) => Object.assign(watched, { state: "rejected", error }),
  );
  return watched;
}

/** The error a promise rejects with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<Error & { code?: string }> {
  const watched = watch(promise);
  await Promise.resolve(promise).catch(() => {});
  if (watched.state !== "rejected") throw new Error("it did not reject");
  return watched.error as Error & { code?: string };
}

/** The one open question of a task. */
export async function openQuestion({ store }: TestEngine, taskId: string) {
  const [question, ...more] = await store.getOpenQuestions(taskId);
  if (!question || more.length > 0) throw new Error(`${more.length + 1} open questions`);
  return question;
}

/** The messages of a task's updates, in order. */
export async function messagesOf({ store }: TestEngine, taskId: string): Promise<string[]> {
  return (await store.getUpdates(taskId)).map((update) => update.message);
}

/** How often each kind of event happened to a task. */
export async function eventKinds({ store }: TestEngine, taskId: string): Promise<string[]> {
  return (await store.readEvents(taskId, {})).map((event) => event.kind);
}
