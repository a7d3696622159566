import { setTimeout as pause } from "node:timers/promises";
import type { PollResponseJson } from "../../server/core/poll-response.ts";
import type { FeedMessage } from "../../server/engine/feed.ts";
import { readStream } from "../support/read-stream.ts";
import type { ApiCaller } from "./api-caller.ts";
import type { PollRecord, WatchRecord } from "./history.ts";
import type { Random } from "./random.ts";

const reconnectMillis = 30;

/**
 * Follows the events of all tasks or one over SSE, and comes back with the last id it had: after a
 * crash, and a restless one also by itself, after as many milliseconds as it draws.
 */
export class StreamWatcher {
  readonly record: WatchRecord;
  readonly #url: string;
  readonly #restless: Random | null;
  #lastId: string | null = null;
  #isStopped = false;
  #close: () => void = () => {};

  constructor(api: ApiCaller, taskId: string | null = null, restless: Random | null = null) {
    this.#restless = restless;
    this.#url = `${api.url}/api/trpc/live.${taskId === null ? "feed" : "task"}`;
    this.record = { taskId, after: 0, events: [], resets: [], connects: 0 };
  }

  get lastPosition(): number {
    return Number(this.#lastId ?? 0);
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#follow().catch(() => undefined);
      await pause(this.#restless ? 5 : reconnectMillis);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#close();
  }

  async #follow(): Promise<void> {
    const input: Record<string, string> = {};
    if (this.record.taskId !== null) input.taskId = this.record.taskId;
    if (this.#lastId !== null) input.lastEventId = this.#lastId;
    const query = `?input=${encodeURIComponent(JSON.stringify(input))}`;
    const { events, close, response } = await readStream(this.#url + query);
    this.#close = close;
    if (this.#isStopped || response.status !== 200) return close();
    this.record.connects += 1;
    const leaving = this.#restless && setTimeout(close, this.#restless.int(5, 150));
    for await (const { id, data } of events) {
      if (id !== null) this.#note(id, JSON.parse(data) as FeedMessage);
    }
    if (leaving) clearTimeout(leaving);
  }

  #note(id: string, message: FeedMessage): void {
    const before = this.#lastId;
    this.#lastId = id;
    if (message.kind === "event") {
      this.record.events.push(message.event);
      // Nothing comes after the end of a task; only the streams of everything go on.
      const isEnd = message.event.kind === "task_finished";
      if (isEnd && this.record.taskId !== null) this.stop();
    }
    if (message.kind !== "reset") return;
    if (before === null) this.record.after = message.position;
    else this.record.resets.push({ from: Number(before), to: message.position });
  }
}

/** Follows one task by polling with the cursor of the response before, to its result. */
export class PollWatcher {
  readonly record: PollRecord;
  readonly #api: ApiCaller;
  #isStopped = false;

  constructor(api: ApiCaller, taskId: string) {
    this.#api = api;
    this.record = { taskId, updates: [], result: null };
  }

  async run(): Promise<void> {
    const { taskId } = this.record;
    let since = "";
    while (!this.#isStopped && this.record.result === null) {
      const reply = await this.#api.rest("GET", `/tasks/${taskId}/poll?timeout=3${since}`);
      if (reply === "unknown" || reply.status !== 200) {
        await pause(reconnectMillis);
        continue;
      }
      const { updates, result, cursor } = reply.body as PollResponseJson;
      this.record.updates.push(...updates);
      this.record.result = result;
      since = `&since=${cursor}`;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}
