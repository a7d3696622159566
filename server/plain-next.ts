import { InvalidSettings, isLoopback, readSettings, type Settings } from "./env.ts";
import { createRuntime, type Runtime } from "./runtime.ts";
import { startSharedRuntime } from "./shared-runtime.ts";
import { openNotice, setUpNotice } from "./start-notices.ts";

/** Seconds for answers to polls to leave, once nothing waits any more. */
const lastAnswersSeconds = 0.3;

/**
 * Starts the runtime for a server that is not ours, and closes it with the process: waiting polls
 * are then answered, so that Next, which waits for its responses, can end.
 */
export async function servePlainNext(): Promise<void> {
  await startSharedRuntime(async () => {
    const settings = settingsFor(process.argv);
    const runtime = await createRuntime(settings);
    process.stdout.write(setUpNotice(`http://localhost:${settings.port}`, runtime.setUpToken));
    process.stderr.write(openNotice(settings));
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => void close(runtime));
    }
    return runtime;
  });
}

/**
 * The settings, refused when they let everybody in on the address that counts: Next listens where its
 * own arguments say, on every address without one, and not where HOST does.
 */
function settingsFor(args: readonly string[]): Settings {
  const settings = readSettings();
  const at = args.findIndex((arg) => arg === "-H" || arg === "--hostname");
  const given = args.find((arg) => arg.startsWith("--hostname="))?.slice("--hostname=".length);
  const host = given ?? (at === -1 ? undefined : args[at + 1]);
  if (settings.auth !== "none" || (host !== undefined && isLoopback(host))) return settings;
  throw new InvalidSettings([
    "TOOLTHREAD_AUTH none lets everybody in who can reach the server: start it with -H 127.0.0.1.",
  ]);
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
