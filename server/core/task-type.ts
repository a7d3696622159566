import type { z } from "zod";
import type { JsonObject } from "./json.ts";
import type { TypeAccess } from "./permission.ts";
import type { TaskContext } from "./task-context.ts";

/** Does a task's work. What it returns, as JSON, is the task's result; nothing gives null. */
// biome-ignore lint/suspicious/noExplicitAny: handlers in the plain form take any parameters
export type TaskHandler<Params = any> = (ctx: TaskContext, params: Params) => unknown;

/** Seconds a handler has to stop after it was asked to. */
export const defaultCancelGraceSeconds = 30;

/** Seconds a task of a type with `park` does nothing but wait before it leaves memory. */
export const defaultParkAfterSeconds = 30;

/** When and how often a failed attempt is tried again. */
export interface RetryPolicy {
  /** Retries after the first failure; 0 when not given. */
  limit: number;
  /** Seconds before the first retry; 1 when not given. */
  minDelay?: number;
  /** Seconds no delay exceeds; 300 when not given. */
  maxDelay?: number;
  /** What each delay is multiplied by for the next; 2 when not given. */
  factor?: number;
  /** Part of the delay, 0 to 1, that is drawn at random; 0.2 when not given. */
  jitter?: number;
  /** Says no to a retry of this error. */
  retryIf?: (error: unknown) => boolean;
}

/** Where the handler of a type with `isolation: "thread"` is: a function does not cross threads. */
export interface ThreadModule {
  /** An ES module, for example `new URL("./resize.js", import.meta.url)`. */
  module: string | URL;
  /** Its export that is the handler; `default` when not given. */
  exportName?: string;
}

/** Limits that hold over all tasks of a type. */
export interface ConcurrencyLimits {
  /** Handlers of the type that may work at the same time; waiting ones do not count. */
  limit?: number;
  /** What a task must not run beside others of, for example its tenant; null for no limit. */
  // biome-ignore lint/suspicious/noExplicitAny: as free as the params of a handler
  key?: (params: any) => string | null;
  /** Tasks that may run under one key; 1. Each holds it until its end, waiting included. */
  perKey?: number;
  /** Gives the key up while the task waits, and takes it again before the wait returns. */
  releaseWhileWaiting?: boolean;
}

export interface TaskTypeOptions<Schema extends z.ZodType = z.ZodType> {
  /** The name tasks are started by. */
  type: string;
  title?: string;
  description?: string;
  /** Checked at the start of a task; what it parses to is what the handler gets. */
  params?: Schema;
  /** Marks simulated work that is there to be copied. */
  example?: boolean;
  /**
   * Who may see, start and answer its tasks, among those whose role allows it; everybody when not
   * given. Admins may set another rule in the dashboard, which then counts instead.
   */
  access?: TypeAccess;
  /** Seconds of work (not waiting) after which an attempt fails with `TaskTimeout`. */
  timeout?: number;
  retries?: RetryPolicy;
  /**
   * Handlers of this type that may work at the same time; waiting ones do not count. Or more
   * exactly, with limits per key.
   */
  concurrency?: number | ConcurrencyLimits;
  /**
   * Lets an attempt leave memory while it does nothing but wait: it is run again from its journal
   * when the wait is over. Its promises then never settle, so no `catch` or `finally` runs:
   * resources belong inside steps. Off by default.
   */
  park?: boolean;
  /** Seconds of nothing but waiting before it is parked; 30. */
  parkAfter?: number;
  /** Seconds a handler has after a cancel before the task is ended without it; 30. */
  cancelGrace?: number;
  /**
   * `thread`: each task runs in a worker thread, where it may block and can be killed. The handler
   * passed to `registerTask` is then a {@link ThreadModule}.
   */
  isolation?: "thread";
  /** What a cancel does to a task that no worker runs: run its clean-up, or just end it. */
  onCancel?: "run" | "end";
  /**
   * `false`: nobody approves what their own task asks for, neither a task they started nor one that
   * an agent started with a key of theirs. `true` when not given.
   */
  selfApproval?: boolean;
  /** What happens to a task whose worker vanished; `resume` when not given. */
  onInterrupt?: "resume" | "fail";
  /**
   * How often in a row a worker may vanish while it works on a task, without a step recorded or a
   * question asked in between, before the task fails; 3.
   */
  maxInterrupts?: number;
}

/** What callers may know of a task type. */
export interface TaskTypeInfo {
  type: string;
  title: string;
  description: string;
  /** JSON Schema of the parameters; null when the type declares none. */
  paramsSchema: JsonObject | null;
  example: boolean;
}
