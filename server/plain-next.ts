import { readSettings } from "./env.ts";
import { createRuntime } from "./runtime.ts";
import { startSharedRuntime } from "./shared-runtime.ts";

/**
 * Starts the runtime for a server that is not ours, and closes it with the process: waiting polls
 * are then answered, so that Next, which waits for its responses, can end.
 */
export async function servePlainNext(): Promise<void> {
  await startSharedRuntime(async () => {
    const runtime = await createRuntime(readSettings());
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => void runtime.close());
    }
    return runtime;
  });
}
