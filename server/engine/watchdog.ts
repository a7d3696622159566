import { Worker } from "node:worker_threads";
import type { EngineLog } from "./engine-log.ts";

const beatEverySeconds = 0.25;
const mostTasksNamed = 10;

export interface WatchdogOptions {
  log: EngineLog;
  /** Which tasks run now, as people know them. */
  runningTasks: () => string[];
  /** Seconds without a turn of the event loop that are worth reporting; 2 when not given. */
  thresholdSeconds?: number;
}

/**
 * Reports a handler that blocks the event loop: from a thread of its own while it lasts, and in the
 * log when it is over. Such a handler keeps its lease, since in this process nobody else could run
 * its task anyway.
 *
 * Begins with `start` and ends with `stop`; it does not keep the process alive.
 */
export class Watchdog {
  readonly #log: EngineLog;
  readonly #runningTasks: () => string[];
  readonly #thresholdSeconds: number;
  #worker: Worker | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ log, runningTasks, thresholdSeconds = 2 }: WatchdogOptions) {
    this.#log = log;
    this.#runningTasks = runningTasks;
    this.#thresholdSeconds = thresholdSeconds;
  }

  start(): void {
    if (this.#worker) return;
    const beats = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL("./watchdog-worker.mjs", import.meta.url), {
      workerData: { heartbeat: beats.buffer, thresholdSeconds: this.#thresholdSeconds },
    });
    worker.on("error", (error) => this.#log.error("the watchdog ended", { error: error.message }));
    worker.unref();
    this.#worker = worker;
    let lastTurn = performance.now();
    let told = "";
    this.#timer = setInterval(() => {
      Atomics.add(beats, 0, 1);
      const now = performance.now();
      const blockedSeconds = (now - lastTurn) / 1000 - beatEverySeconds;
      lastTurn = now;
      const running = this.#runningTasks().slice(0, mostTasksNamed);
      if (blockedSeconds >= this.#thresholdSeconds) {
        this.#log.warn("the event loop was blocked", { blockedSeconds, running });
      }
      if (running.join() === told) return;
      told = running.join();
      worker.postMessage(running);
    }, beatEverySeconds * 1000);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#worker?.terminate();
    this.#worker = null;
  }
}
