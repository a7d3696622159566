import type { Runtime } from "./runtime.ts";

// Next bundles its routes, its instrumentation and its pages apart, each with copies of the modules
// they import, and hot reload makes more. What they share is the process.
const key = Symbol.for("toolthread.runtime");
const shared = globalThis as { [key]?: Promise<Runtime> };

/** The runtime of this process; started by the first call. A failed start is tried again. */
export function startSharedRuntime(start: () => Promise<Runtime>): Promise<Runtime> {
  shared[key] ??= start().catch((error: unknown) => {
    delete shared[key];
    throw error;
  });
  return shared[key];
}

/** Whether this process has a runtime already, or is about to. */
export function hasSharedRuntime(): boolean {
  return shared[key] !== undefined;
}

/** The API as the App Router mounts it, once `instrumentation.ts` has started the runtime. */
export async function handleApiRequest(request: Request): Promise<Response> {
  const runtime = await shared[key];
  if (!runtime) throw new Error("The runtime was not started: instrumentation.ts does that.");
  return runtime.handleApi(request);
}

/** Whether the pages are for whoever sent these headers, as Next asks before each page. */
export async function admitsPage(headers: Headers): Promise<boolean> {
  const runtime = await shared[key];
  return runtime === undefined || runtime.admitsPage(headers);
}
