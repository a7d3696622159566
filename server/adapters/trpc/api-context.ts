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
  /**
   * Passes on the promise of a long wait, when a procedure has nothing to do after it. Whoever calls
   * the procedure may take the wait over, so that what tRPC keeps for a call is not kept with it.
   */
  hold<T>(wait: Promise<T>): Promise<T>;
}
