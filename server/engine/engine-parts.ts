import type { Clock, MakeId } from "../core/clock.ts";
import type { DurableTaskStore } from "../core/durable-task-store.ts";
import type { ChangeHub } from "./change-hub.ts";
import type { EngineLog } from "./engine-log.ts";
import type { KeyLimits } from "./key-limits.ts";
import type { SecretKeeper } from "./secret-keeper.ts";
import type { Slots } from "./slots.ts";
import type { TaskStarter } from "./task-starter.ts";
import type { TaskTypeRegistry } from "./task-type-registry.ts";

/** What the pieces of an engine share. */
export interface EngineParts {
  store: DurableTaskStore;
  secrets: SecretKeeper;
  clock: Clock;
  makeId: MakeId;
  hub: ChangeHub;
  types: TaskTypeRegistry;
  slots: Slots;
  keys: KeyLimits;
  log: EngineLog;
  /** Handlers start their children through it. */
  starter: () => TaskStarter;
  workerId: string;
  /** Seconds a lease lasts without being renewed. */
  leaseSeconds: number;
}
