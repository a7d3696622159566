import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ApiCaller } from "./api-caller.ts";
import { checkHistory, type Findings } from "./check-history.ts";
import { type Fault, faultPoints } from "./fault-points.ts";
import { readFinalState } from "./final-state.ts";
import { emptyTold, type History } from "./history.ts";
import { readLedger } from "./ledger.ts";
import { Random } from "./random.ts";
import { type Exit, freePort, ServerProcess } from "./server-process.ts";
import { Workload } from "./workload.ts";

export interface CrashTestOptions {
  kills: number;
  seed: number;
  /** Called after every kill, to show that something happens. */
  onKill?(kills: number): void;
}

export interface CrashTestResult extends Findings {
  history: History;
  /** How often it was killed, by where. */
  kills: Record<string, number>;
}

/** Where a kill comes, each as often as its weight says. */
const killWeights = {
  "any moment": 8,
  "while starting": 3,
  "while closing": 3,
  statement: 3,
  before_commit: 2,
  after_commit: 3,
  before_reply: 2,
};

// What a server is given to reach an armed point, to begin to serve, and to end in order.
const faultSeconds = 5;
const startSeconds = 60;
const stopSeconds = 60;
const endSeconds = 180;

/**
 * Kills a server over and over while it is used, lets it finish at last, and holds what it had
 * acknowledged against what is there.
 */
export async function runCrashTest(options: CrashTestOptions): Promise<CrashTestResult> {
  const folder = mkdtempSync(join(tmpdir(), "toolthread-crash-"));
  try {
    return await new CrashTest(folder, await freePort(), options).run();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class CrashTest {
  readonly #place: { folder: string; port: number; ledgerFile: string };
  readonly #options: CrashTestOptions;
  readonly #random: Random;
  readonly #told = emptyTold();
  readonly #api: ApiCaller;
  readonly #kills: Record<string, number> = {};

  constructor(folder: string, port: number, options: CrashTestOptions) {
    this.#place = { folder, port, ledgerFile: join(folder, "ledger.jsonl") };
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#api = new ApiCaller(port, (what) => this.#told.mishaps.push(what));
  }

  async run(): Promise<CrashTestResult> {
    const workload = new Workload(this.#api, this.#random.fork("workload"), this.#told);
    const plan = this.#random.fork("kills");
    workload.begin();
    for (let kill = 1; kill <= this.#options.kills; kill += 1) {
      const where = plan.weighted(killWeights);
      await this.#liveAndDie(where, plan);
      this.#kills[where] = (this.#kills[where] ?? 0) + 1;
      this.#options.onKill?.(kill);
    }
    const server = new ServerProcess(this.#place);
    if (!(await this.#untilReady(server))) throw new Error(this.#told.mishaps.at(-1));
    if (this.#options.kills === 0) await pause(3000);
    workload.stopStarting();
    await this.#untilAllEnded();
    await workload.caughtUp(10);
    const [exit] = await Promise.all([this.#stop(server), workload.end()]);
    if (exit.code !== 0) this.#told.mishaps.push(`SIGTERM ended it with ${JSON.stringify(exit)}`);
    const history: History = {
      ...this.#told,
      ledger: readLedger(this.#place.ledgerFile),
      final: readFinalState(join(this.#place.folder, "toolthread.db")),
    };
    return { history, kills: this.#kills, ...checkHistory(history) };
  }

  /** One life of the server, up to a kill. */
  async #liveAndDie(where: keyof typeof killWeights, plan: Random): Promise<void> {
    const whileStarting = where === "while starting";
    const point = faultPoints.find((name) => name === where);
    // All are drawn whether needed or not, so that one kill's kind does not change the next one's.
    const millis = { start: plan.int(50, 900), life: plan.int(20, 2000), close: plan.int(0, 1500) };
    const startFault: Fault = { point: plan.pick(faultPoints.slice(0, 3)), nth: plan.int(1, 8) };
    const nth = plan.int(1, 30);
    const fault = whileStarting && plan.chance(0.5) ? startFault : null;

    const server = new ServerProcess(this.#place, fault);
    if (whileStarting) {
      await Promise.race([server.exited, wait(millis.start)]);
    } else if (await this.#untilReady(server)) {
      // Long enough, most times, for everybody to be back and busy.
      await pause(millis.life);
      if (point) {
        server.arm({ point, nth });
        await Promise.race([server.exited, wait(faultSeconds * 1000)]);
      }
      if (where === "while closing") {
        await Promise.race([server.stop(), wait(millis.close)]);
      }
    }
    const exit = await server.kill();
    const mayEnd = where === "while closing" && exit.code === 0;
    if (exit.signal !== "SIGKILL" && !mayEnd) {
      const text = `the server ended by itself with ${JSON.stringify(exit)}: ${server.stderr}`;
      this.#told.mishaps.push(text);
    }
    this.#noteErrors(server);
  }

  async #untilReady(server: ServerProcess): Promise<boolean> {
    const isReady = await Promise.race([server.ready, wait(startSeconds * 1000)]);
    if (isReady) return true;
    // What does not start at all will not start the next time either: there is nothing left to kill.
    if (isReady === false) throw new Error(`The server did not start: ${server.stderr}`);
    this.#told.mishaps.push(`the server is not ready after ${startSeconds} s: ${server.stderr}`);
    return false;
  }

  async #untilAllEnded(): Promise<void> {
    const until = Date.now() + endSeconds * 1000;
    let left = -1;
    while (left !== 0 && Date.now() < until) {
      await pause(100);
      const query = "statuses=pending&statuses=running&statuses=waiting_for_input&limit=500";
      const reply = await this.#api.rest("GET", `/tasks?${query}`);
      if (reply !== "unknown") left = reply.body.items.length;
    }
  }

  async #stop(server: ServerProcess): Promise<Exit> {
    const stopped = await Promise.race([server.stop(), wait(stopSeconds * 1000)]);
    this.#noteErrors(server);
    if (stopped) return stopped;
    this.#told.mishaps.push(`SIGTERM did not end it within ${stopSeconds} s`);
    return server.kill();
  }

  #noteErrors(server: ServerProcess): void {
    const errors = server.stderr
      .split("\n")
      .filter((line) => /^\{"level":"error"|^\w*Error:/.test(line));
    for (const line of errors) this.#told.mishaps.push(`the server logged: ${line}`);
  }
}

/** A limit to something else: it keeps nobody waiting when that comes first. */
function wait(millis: number): Promise<null> {
  return pause(millis, null, { ref: false });
}
