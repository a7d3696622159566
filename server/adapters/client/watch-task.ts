import { InvalidInput } from "../../core/errors.ts";
import type { Progress } from "../../core/task.ts";
import type { TaskEvent } from "../../core/task-event.ts";
import { type CallFailure, failureOf, failureOfResponse } from "./client-errors.ts";
import { readEventStream } from "./read-event-stream.ts";
import { Patience } from "./repeat-call.ts";

/** An entry of the timeline, or progress, which is no entry of it. */
export type WatchedEvent = TaskEvent | { kind: "progress"; progress: Progress };

export interface WatchOptions {
  /** The `seq` of the last event that is known; the beginning when not given. */
  afterSeq?: number;
  signal?: AbortSignal;
}

interface Connection {
  url: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
  retrySeconds: number;
}

// The server shows a sign of life every 15 s.
const silenceSeconds = 45;

/**
 * The timeline of a task and then what happens, until it ends. A connection that breaks is made
 * anew, and goes on where it was: each event comes once and in order.
 */
export async function* watchTask(
  connection: Connection,
  taskId: string,
  { afterSeq = 0, signal }: WatchOptions,
): AsyncGenerator<WatchedEvent, void, undefined> {
  if (!Number.isSafeInteger(afterSeq) || afterSeq < 0) {
    throw new InvalidInput(`afterSeq is ${afterSeq}; use 0 or the seq of an event.`);
  }
  const { url, headers, retrySeconds } = connection;
  const patience = new Patience({
    retrySeconds,
    signal,
    failureOf: (thrown) => failureOf(thrown, url),
  });
  for (let seq = afterSeq; ; ) {
    signal?.throwIfAborted();
    const ends = new AbortController();
    const either = signal ? AbortSignal.any([signal, ends.signal]) : ends.signal;
    let failure: CallFailure;
    try {
      const response = await connection.fetch(
        `${url}/api/v1/tasks/${encodeURIComponent(taskId)}/events`,
        {
          headers: { ...headers, accept: "text/event-stream", "last-event-id": String(seq) },
          signal: either,
        },
      );
      if (response.status === 204) return;
      if (!response.ok || !response.body) {
        failure = await failureOfResponse(response, url);
      } else {
        for await (const event of readEventStream(response.body, silenceSeconds)) {
          patience.succeeded();
          const data = JSON.parse(event.data);
          if (event.event === "progress") yield { kind: "progress", progress: data };
          if (event.event !== "message" || data.seq <= seq) continue;
          seq = data.seq;
          yield data;
          if (data.kind === "task_finished") return;
        }
        failure = failureOf(new Error("the stream ended"), url);
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      failure = failureOf(thrown, url);
    } finally {
      ends.abort();
    }
    await patience.afterFailure(failure);
  }
}
