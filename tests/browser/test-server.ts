import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/server-process.ts";

const projectDir = join(import.meta.dirname, "../..");
const startSeconds = 60;

/** What `npm start` runs, on a free port and an empty data folder of its own. */
export class TestServer {
  readonly port: number;
  readonly #dataDir = mkdtempSync(join(tmpdir(), "toolthread-browser-"));
  #process: ChildProcess | null = null;
  #output = "";

  readonly #env: Record<string, string>;

  private constructor(port: number, env: Record<string, string>) {
    this.port = port;
    this.#env = env;
  }

  /** @param env settings beside the usual ones; nobody signs in unless they say so. */
  static async start(env: Record<string, string> = {}): Promise<TestServer> {
    const server = new TestServer(await freePort(), env);
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it printed so far. */
  get output(): string {
    return this.#output;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ["server/start.mjs"], {
      cwd: projectDir,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        PORT: String(this.port),
        HOST: "127.0.0.1",
        TOOLTHREAD_AUTH: "none",
        TOOLTHREAD_DATA_DIR: this.#dataDir,
        TOOLTHREAD_TASKS: join(import.meta.dirname, "browser-tasks.mjs"),
        ...this.#env,
      },
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text) => {
        this.#output += text;
      });
    }
    const deadline = Date.now() + startSeconds * 1000;
    while (!(await this.#answers())) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The server did not start:\n${this.#output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Ends the process without any warning to it, as a crash does. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/api/health`)).ok;
    } catch {
      return false;
    }
  }
}
