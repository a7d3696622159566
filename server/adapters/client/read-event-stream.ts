interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events as they come.
 *
 * @throws when nothing at all comes for `silenceSeconds`, and when the connection breaks.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  silenceSeconds: number,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silenceSeconds);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parse(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function within<T>(promise: Promise<T>, seconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const tell = () => reject(new Error(`nothing came for ${seconds} s`));
    timer = setTimeout(tell, seconds * 1000);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Null for a comment, and for advice without an event. */
function parse(block: string): ServerSentEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}
