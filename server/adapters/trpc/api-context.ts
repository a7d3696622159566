import type { Actor } from "../../core/actor.ts";
import type { Timestamp } from "../../core/timestamp.ts";
import type { TaskManager } from "../../engine/task-manager.ts";

/** What every procedure is given: the engine, and who calls. */
export interface ApiContext {
  manager: TaskManager;
  /** From authentication, never from a payload. */
  actor: Actor;
  version: string;
  startedAt: Timestamp;
}
