import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { messageHeaders } from "./message-headers.ts";

export interface StdioBridgeOptions {
  /** Of the running server, for example `http://127.0.0.1:3000`. */
  url: string;
  /** An agent's key; none where the server needs none. */
  apiKey?: string | null;
  input: Readable;
  output: Writable;
}

/**
 * Speaks the Model Context Protocol over standard input and output, for programs that start their
 * servers themselves: each message goes to the running server, and its answers come back. Whatever the
 * server can do is there, in each revision, because nothing is understood here but the envelope.
 *
 * @returns when the input has ended and every answer is out.
 */
export async function bridgeStdio(options: StdioBridgeOptions): Promise<void> {
  const bridge = new StdioBridge(options);
  for await (const line of createInterface({ input: options.input, crlfDelay: Infinity })) {
    if (line.trim() !== "") bridge.take(line);
  }
  await bridge.finish();
}

type Id = string | number;

class StdioBridge {
  readonly #endpoint: string;
  readonly #apiKey: string | null;
  readonly #output: Writable;
  /** The requests under way, by their ids. */
  readonly #calls = new Map<Id, AbortController>();
  readonly #pending = new Set<Promise<void>>();
  /** What was agreed on when the client began, in revisions that agree once. */
  #revision: string | null = null;

  constructor({ url, apiKey = null, output }: StdioBridgeOptions) {
    this.#endpoint = new URL("/api/mcp", url).href;
    this.#apiKey = apiKey;
    this.#output = output;
  }

  take(line: string): void {
    let message: JsonValue;
    try {
      message = JSON.parse(line);
    } catch {
      this.#write(failure(null, -32700, "This line is not JSON."));
      return;
    }
    if (isJsonObject(message) && message.method === "notifications/cancelled") {
      // Over HTTP a request is cancelled by leaving it.
      const { requestId } = (isJsonObject(message.params) ? message.params : {}) as JsonObject;
      this.#calls.get(requestId as Id)?.abort();
      return;
    }
    const forwarded = this.#forward(message).finally(() => this.#pending.delete(forwarded));
    this.#pending.add(forwarded);
  }

  /** Streams have no end of their own: they are left when nobody listens any more. */
  async finish(): Promise<void> {
    for (const [id, call] of this.#calls) if (this.#streams.has(id)) call.abort();
    await Promise.all(this.#pending);
  }

  readonly #streams = new Set<Id>();

  async #forward(message: JsonValue): Promise<void> {
    const id = idOf(message);
    const call = new AbortController();
    if (id !== null) {
      this.#calls.set(id, call);
      if ((message as JsonObject).method === "subscriptions/listen") this.#streams.add(id);
    }
    try {
      await this.#exchange(message, id, call.signal);
    } catch {
      if (id === null || call.signal.aborted) return;
      const text = `No toolthread server answers at ${this.#endpoint}. Is it running?`;
      this.#write(failure(id, -32603, text));
    } finally {
      if (id !== null) this.#calls.delete(id);
    }
  }

  async #exchange(message: JsonValue, id: Id | null, signal: AbortSignal): Promise<void> {
    const response = await fetch(this.#endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(this.#apiKey !== null && { authorization: `Bearer ${this.#apiKey}` }),
        ...messageHeaders(message, this.#revision),
      },
      body: JSON.stringify(message),
      signal,
    });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream && response.body) {
      for await (const data of eventData(response.body)) this.#deliver(JSON.parse(data), id);
      return;
    }
    const text = await response.text();
    if (text !== "") this.#deliver(JSON.parse(text), id);
    else if (id !== null)
      this.#write(failure(id, -32603, `The server answered ${response.status}.`));
  }

  /** An answer, under the request's own id where the server refused before it read that. */
  #deliver(answer: JsonValue, id: Id | null): void {
    if (!isJsonObject(answer)) {
      this.#write(answer);
      return;
    }
    const { result } = answer;
    if (isJsonObject(result) && typeof result.protocolVersion === "string") {
      this.#revision = result.protocolVersion;
    }
    const isNobodys = answer.id === null && answer.error !== undefined;
    // A refusal of a notification has nobody to go to.
    if (isNobodys && id === null) return;
    this.#write(isNobodys ? { ...answer, id } : answer);
  }

  #write(message: JsonValue): void {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }
}

function idOf(message: JsonValue): Id | null {
  if (!isJsonObject(message)) return null;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function failure(id: Id | null, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The data of each event of a stream that has any. */
async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true }).replaceAll("\r\n", "\n");
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const lines = event.split("\n").filter((line) => line.startsWith("data:"));
      const data = lines.map((line) => line.slice("data:".length).trimStart()).join("\n");
      if (data !== "") yield data;
    }
  }
}
