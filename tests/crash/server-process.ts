import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { deferred } from "../../server/engine/deferred.ts";
import type { Fault } from "./fault-points.ts";

const root = join(import.meta.dirname, "../..");

export interface ServerPlace {
  port: number;
  /** The folder of the database and of the ledger. */
  folder: string;
  ledgerFile: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Processes that were started and have not ended; none may be left when this one ends. */
const alive = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

/** One life of the server, in a process of its own. */
export class ServerProcess {
  readonly exited: Promise<Exit>;
  /** True once it serves, false when it died before. */
  readonly ready: Promise<boolean>;
  /** The last of what it wrote to its standard error. */
  stderr = "";
  readonly #child: ChildProcess;

  constructor({ port, folder, ledgerFile }: ServerPlace, fault: Fault | null = null) {
    const ready = deferred<boolean>();
    const exited = deferred<Exit>();
    this.ready = ready.promise;
    this.exited = exited.promise;
    this.#child = spawn(
      process.execPath,
      ["--import", "tsx", join(import.meta.dirname, "server.ts")],
      {
        cwd: root,
        stdio: ["ignore", "inherit", "pipe", "ipc"],
        env: {
          NODE_ENV: "test",
          PATH: process.env.PATH,
          PORT: String(port),
          TOOLTHREAD_AUTH: "none",
          TOOLTHREAD_DATA_DIR: folder,
          TOOLTHREAD_TASKS: join(import.meta.dirname, "crash-tasks.ts"),
          CRASH_LEDGER: ledgerFile,
          ...(fault ? { CRASH_FAULT: JSON.stringify(fault) } : {}),
        },
      },
    );
    alive.add(this.#child);
    this.#child.once("message", () => ready.resolve(true));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr = (this.stderr + text).slice(-20_000);
    });
    // "close" and not "exit": by then everything it wrote has been read.
    this.#child.once("close", (code, signal) => {
      alive.delete(this.#child);
      ready.resolve(false);
      exited.resolve({ code, signal });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  arm(fault: Fault): void {
    if (this.#child.connected) this.#child.send(fault, () => {});
  }

  /** Ends it as a power cut would: nothing in it runs any more. */
  async kill(): Promise<Exit> {
    this.#child.kill("SIGKILL");
    return this.exited;
  }

  /** Asks it to end in order. */
  async stop(): Promise<Exit> {
    this.#child.kill("SIGTERM");
    return this.exited;
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
