// The inside of a worker thread that runs one attempt of a task type with `isolation: "thread"`.
// Plain JavaScript, because a worker's entry file is loaded as it is, from the sources and from the
// compiled package alike. The other side is thread-handler.ts, which describes the messages.
import { parentPort, workerData } from "node:worker_threads";

const toolthreadError = Symbol.for("toolthread.error");
const abort = new AbortController();
const calls = new Map();
const steps = new Map();
let lastId = 0;

/** Calls a method of the real ctx and resolves to what it does. */
function call(method, args) {
  const id = ++lastId;
  const promise = new Promise((resolve, reject) => calls.set(id, { resolve, reject }));
  // An ignored call must not crash the thread; whether it failed is judged on the other side.
  promise.catch(() => {});
  try {
    parentPort.postMessage({ kind: "call", id, method, args });
  } catch (error) {
    calls
      .get(id)
      .reject(
        new TypeError(
          `ctx.${method}: in a thread its arguments must be plain data (${error.message})`,
        ),
      );
  }
  return promise;
}

const ctx = {
  taskId: workerData.taskId,
  attempt: workerData.attempt,
  signal: abort.signal,
  get isCancelled() {
    return abort.signal.aborted && abort.signal.reason?.code === "task_cancelled";
  },
  checkCancelled() {
    if (abort.signal.aborted) throw abort.signal.reason;
  },
  update: (...args) => call("update", args),
  progress: (...args) => call("progress", args),
  askCustomer: (...args) => call("askCustomer", args),
  ask: (...args) => call("ask", args),
  sleep: (...args) => call("sleep", args),
  startTask: (...args) => call("startTask", args),
  approve: (...args) => call("approve", args),
  step(name, ...rest) {
    const [granted, fn, options] = typeof rest[0] === "function" ? [null, ...rest] : rest;
    const stepId = ++lastId;
    steps.set(stepId, fn);
    return call("step", [name, stepId, options, granted]).finally(() => steps.delete(stepId));
  },
};

function flatten(error) {
  if (!(error instanceof Error)) return { thrown: error };
  const { name, message, code, details } = error;
  return { name, message, code: toolthreadError in error ? code : undefined, details };
}

function revive({ name, message, code, details, thrown }) {
  if (message === undefined) return thrown;
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: name, configurable: true });
  if (code !== undefined) {
    Object.defineProperty(error, toolthreadError, { value: true });
    Object.assign(error, { code, details });
  }
  return error;
}

parentPort.on("message", async (message) => {
  if (message.kind === "settled") {
    const waiting = calls.get(message.id);
    calls.delete(message.id);
    if (message.error) waiting?.reject(revive(message.error));
    else waiting?.resolve(message.value);
  } else if (message.kind === "abort") {
    abort.abort(revive(message.reason));
  } else if (message.kind === "run_step") {
    try {
      const value = await steps.get(message.stepId)(message.args);
      parentPort.postMessage({ kind: "step_done", runId: message.runId, value });
    } catch (error) {
      parentPort.postMessage({ kind: "step_done", runId: message.runId, error: flatten(error) });
    }
  }
});

try {
  const module = await import(workerData.module);
  const handler = module[workerData.exportName];
  if (typeof handler !== "function") {
    throw new TypeError(`${workerData.module} has no function export "${workerData.exportName}"`);
  }
  parentPort.postMessage({ kind: "done", value: await handler(ctx, workerData.params) });
} catch (error) {
  parentPort.postMessage({ kind: "done", error: flatten(error) });
}
