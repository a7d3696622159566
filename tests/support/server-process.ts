import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface ServerProcess {
  url: string;
  port: number;
  child: ChildProcess;
  /** What it printed so far. */
  output(): string;
  /** Sends a signal and waits for the end; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The ways to serve the built program. */
export const servers = {
  /** `npm start`. */
  "the project's server": () => ["server/start.mjs"],
  "plain next start": (port: number) => [
    ...["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(port)],
  ],
};

/** A folder for one server's data, gone after `use`. */
export async function withDataDir<T>(use: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "toolthread-built-"));
  try {
    return await use(dataDir);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

export async function startServer(
  kind: keyof typeof servers,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const port = env.PORT ? Number(env.PORT) : await freePort();
  const started = runServer(servers[kind](port), { PORT: String(port), ...env });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (started.child.exitCode !== null) throw new Error(`It ended.\n${started.output()}`);
    const health = await fetch(`${url}/api/health`).catch(() => null);
    await health?.text();
    if (health?.status === 200) return { ...started, url, port };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Runs a script of the project, or another program, with exactly these settings. */
export function runServer(
  args: string[],
  env: Record<string, string>,
  program: string = process.execPath,
) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TOOL|VITEST|NODE_)/.test(name),
  );
  // Most tests are about something else; those about signing in leave it empty, which is the default.
  inherited.push(["NEXT_TELEMETRY_DISABLED", "1"], ["TOOLTHREAD_AUTH", "none"]);
  const child = spawn(program, args, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return {
    child,
    ended,
    output: () => text,
    stop(signal: NodeJS.Signals = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
