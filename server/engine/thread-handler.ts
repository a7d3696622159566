import { Worker } from "node:worker_threads";
import {
  describeThrown,
  hasErrorCode,
  isToolthreadError,
  markToolthreadError,
} from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { GrantedArgs, TaskContext } from "../core/task-context.ts";
import type { TaskHandler, ThreadModule } from "../core/task-type.ts";

/** An error as it travels between threads. */
interface FlatError {
  name?: string;
  message?: string;
  code?: string;
  details?: Record<string, unknown>;
  thrown?: unknown;
}

type Settled = { value?: unknown; error?: FlatError };

/** What the thread says; it hears `settled`, `abort` and `run_step`. */
type FromThread =
  | { kind: "call"; id: number; method: CtxMethod; args: unknown[] }
  | ({ kind: "step_done"; runId: number } & Settled)
  | ({ kind: "done" } & Settled);

type CtxMethod = "update" | "progress" | "askCustomer" | "ask" | "approve" | "sleep" | "step";

/**
 * A handler that runs a module's function in a worker thread of its own, one a task. There it may
 * block the event loop without hurting anybody, and a cancelled one that does not stop is killed
 * `graceSeconds` later. Everything it does with `ctx` happens here, over messages.
 */
export function threadHandler(thread: ThreadModule, graceSeconds: number): TaskHandler {
  return (ctx, params) => new ThreadRun(thread, graceSeconds, ctx, params).result;
}

class ThreadRun {
  readonly result: Promise<unknown>;
  readonly #ctx: TaskContext;
  readonly #worker: Worker;
  readonly #stepRuns = new Map<number, (settled: Settled) => void>();
  #lastRunId = 0;
  #killTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(thread: ThreadModule, graceSeconds: number, ctx: TaskContext, params: unknown) {
    this.#ctx = ctx;
    this.#worker = new Worker(new URL("./thread-worker.mjs", import.meta.url), {
      workerData: {
        module: String(thread.module),
        exportName: thread.exportName ?? "default",
        params,
        taskId: ctx.taskId,
        attempt: ctx.attempt,
      },
    });
    const onAbort = () => this.#abort(graceSeconds);
    ctx.signal.addEventListener("abort", onAbort);
    if (ctx.signal.aborted) onAbort();
    this.result = this.#untilDone().finally(() => {
      ctx.signal.removeEventListener("abort", onAbort);
      clearTimeout(this.#killTimer);
      void this.#worker.terminate();
    });
  }

  #untilDone(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#worker.on("message", (message: FromThread) => {
        if (message.kind === "done") settle(message, resolve, reject);
        else if (message.kind === "step_done") this.#stepRuns.get(message.runId)?.(message);
        else void this.#call(message);
      });
      this.#worker.on("error", reject);
      this.#worker.on("exit", (code) => {
        // A killed thread ends with the reason it was told to stop for.
        if (this.#ctx.signal.aborted) reject(this.#ctx.signal.reason);
        else reject(new Error(`The handler's thread ended with code ${code} before it was done.`));
      });
    });
  }

  async #call({ id, method, args }: FromThread & { kind: "call" }): Promise<void> {
    try {
      const value = await this.#perform(method, args);
      this.#worker.postMessage({ kind: "settled", id, value: toPlain(value) });
    } catch (error) {
      this.#worker.postMessage({ kind: "settled", id, error: flatten(error) });
    }
  }

  #perform(method: CtxMethod, args: unknown[]): Promise<unknown> {
    if (method === "step") {
      const [name, stepId, options, granted] = args as [
        string,
        number,
        object | undefined,
        GrantedArgs | null,
      ];
      const run = (stepArgs?: JsonValue) => this.#runStep(stepId, stepArgs);
      return granted
        ? this.#ctx.step(name, granted, run, options)
        : this.#ctx.step(name, () => run(), options);
    }
    const perform = this.#ctx[method] as (...args: unknown[]) => Promise<unknown>;
    return perform.apply(this.#ctx, args);
  }

  /** Has the thread run a step's function; resolves to its value. */
  #runStep(stepId: number, args: JsonValue | undefined): Promise<unknown> {
    this.#lastRunId += 1;
    const runId = this.#lastRunId;
    return new Promise((resolve, reject) => {
      this.#stepRuns.set(runId, (settled) => {
        this.#stepRuns.delete(runId);
        settle(settled, resolve, reject);
      });
      this.#worker.postMessage({ kind: "run_step", stepId, runId, args });
    });
  }

  #abort(graceSeconds: number): void {
    const { reason } = this.#ctx.signal;
    this.#worker.postMessage({ kind: "abort", reason: flatten(reason) });
    // Nobody waits for a thread whose task is no longer this attempt's.
    const seconds = hasErrorCode(reason, "lease_lost") ? 0 : graceSeconds;
    this.#killTimer = setTimeout(() => void this.#worker.terminate(), seconds * 1000);
  }
}

function settle(
  { value, error }: Settled,
  resolve: (value: unknown) => void,
  reject: (reason: unknown) => void,
): void {
  if (error) reject(revive(error));
  else resolve(value);
}

function flatten(error: unknown): FlatError {
  if (!(error instanceof Error)) return { thrown: describeThrown(error) };
  const { name, message } = error;
  if (!isToolthreadError(error)) return { name, message };
  return { name, message, code: error.code, details: error.details };
}

function revive({ name, message, code, details, thrown }: FlatError): unknown {
  if (message === undefined) return thrown;
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: name ?? "Error", configurable: true });
  return code === undefined ? error : markToolthreadError(error, code, details ?? {});
}

/** Objects with methods, such as a question, as plain data. */
function toPlain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
