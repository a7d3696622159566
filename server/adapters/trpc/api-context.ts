import type { Timestamp } from "../../core/timestamp.ts";
import type { Caller } from "../../identity/caller.ts";
import type { CallersTasks } from "../../identity/callers-tasks.ts";
import type { Identity } from "../../identity/identity.ts";
import type { PushSender } from "../../push/push-sender.ts";

/** What every procedure is given: who calls, and the engine as far as that caller may use it. */
export interface ApiContext {
  /** From authentication, never from a payload. */
  caller: Caller;
  tasks: CallersTasks;
  /** People, keys and rules; null where nobody signs in. */
  identity: Identity | null;
  /** Tells browsers of questions; null where nothing is kept on disk. */
  push: PushSender | null;
  version: string;
  startedAt: Timestamp;
  /**
   * Passes on the promise of a long wait, when a procedure has nothing to do after it. Whoever calls
   * the procedure may take the wait over, so that what tRPC keeps for a call is not kept with it.
   */
  hold<T>(wait: Promise<T>): Promise<T>;
}
