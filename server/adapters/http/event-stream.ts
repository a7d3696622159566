import type { ApiError } from "../error-table.ts";
import { problemOf } from "./api-responses.ts";

/** Seconds between two signs of life; proxies close a stream that is silent for long. */
const heartbeatSeconds = 15;

/** What a client that lost its connection waits before it comes back. */
const reconnectMilliseconds = 1000;

export interface StreamedEvent {
  /** Comes back as `Last-Event-ID`; left out where there is nothing to resume from. */
  id?: string;
  /** `message` when left out, which is what `onmessage` of a browser's EventSource hears. */
  event?: string;
  data: unknown;
}

interface StreamOptions {
  /** Aborted when nobody reads any more. */
  ends: AbortController;
  /** What went wrong, as the reader is told: the last event is a `problem`. */
  toError(thrown: unknown): ApiError;
}

/** Server-sent events. They are made as they are read: a reader that is slow costs no memory. */
export function eventStreamResponse(
  events: AsyncGenerator<StreamedEvent, void, undefined>,
  { ends, toError }: StreamOptions,
): Response {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<StreamedEvent, void>> | null = null;
  const write = (controller: ReadableStreamDefaultController, text: string) =>
    controller.enqueue(encoder.encode(text));
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => write(controller, `retry: ${reconnectMilliseconds}\n\n`),
      async pull(controller) {
        try {
          next ??= events.next();
          const found = await withinHeartbeat(next);
          if (found === "silence") {
            write(controller, ": still here\n\n");
            return;
          }
          next = null;
          if (found.done) controller.close();
          else write(controller, textOf(found.value));
        } catch (thrown) {
          if (!ends.signal.aborted) {
            write(controller, textOf({ event: "problem", data: problemOf(toError(thrown)) }));
          }
          controller.close();
        }
      },
      async cancel() {
        ends.abort();
        next?.catch(() => {});
        await events.return();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      // Else nginx keeps what is written until it is a page.
      "x-accel-buffering": "no",
    },
  });
}

async function withinHeartbeat<T>(next: Promise<T>): Promise<T | "silence"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<"silence">((resolve) => {
    timer = setTimeout(() => resolve("silence"), heartbeatSeconds * 1000);
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function textOf({ id, event, data }: StreamedEvent): string {
  const head = `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}
