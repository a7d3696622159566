export interface StreamEvent {
  event: string;
  data: string;
  id: string | null;
}

/**
 * Reads a stream of server-sent events over `fetch`, one after the other as they arrive. Ends when
 * the connection does; `close` ends it from here.
 */
export async function readStream(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(url, {
    headers: { accept: "text/event-stream", ...headers },
    signal: abort.signal,
  });
  return {
    response,
    events: eventsOf(response),
    close: () => abort.abort(),
  };
}

async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let text = "";
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      // One without data is none, such as the advice on when to come back.
      for (const block of blocks) if (/^data:/m.test(block)) yield parseEvent(block);
    }
  } catch {
    // The connection broke, or was closed from here: that is an end as well.
  }
}

function parseEvent(block: string): StreamEvent {
  const found: StreamEvent = { event: "message", data: "", id: null };
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "event" || field === "data" || field === "id") found[field] = value;
  }
  return found;
}
