import { readSettings } from "./env.ts";
import { createRuntime, type Runtime } from "./runtime.ts";
import { startSharedRuntime } from "./shared-runtime.ts";

/** Seconds for answers to polls to leave, once nothing waits any more. */
const lastAnswersSeconds = 0.3;

/**
 * Starts the runtime for a server that is not ours, and closes it with the process: waiting polls
 * are then answered, so that Next, which waits for its responses, can end.
 */
export async function servePlainNext(): Promise<void> {
  await startSharedRuntime(async () => {
    const runtime = await createRuntime(readSettings());
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => void close(runtime));
    }
    return runtime;
  });
}

async function close(runtime: Runtime): Promise<void> {
  await runtime.drain();
  // Next does not tell when its responses are out, and they need the store until then.
  while ((await runtime.manager.stats()).waitingPolls > 0) await pause(0.05);
  await pause(lastAnswersSeconds);
  await runtime.close();
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
