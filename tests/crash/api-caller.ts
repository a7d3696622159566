/** A definite response, or none: then nobody knows whether the server did what it was asked. */
export type Reply = { status: number; body: Body } | "unknown";

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Body = any;

const patienceMillis = 60_000;

/**
 * Calls a server that may die at any moment, as an agent (REST or tRPC) or as the operator (with
 * the session of a page).
 */
export class ApiCaller {
  readonly url: string;
  readonly #onMishap: (what: string) => void;
  #cookie: string | null = null;

  constructor(port: number, onMishap: (what: string) => void) {
    this.url = `http://127.0.0.1:${port}`;
    this.#onMishap = onMishap;
  }

  rest(method: "GET" | "POST", path: string, body?: unknown): Promise<Reply> {
    return this.#send(`/api/v1${path}`, { method, ...jsonBody(body) });
  }

  /** A mutation over tRPC; the body is its data, or its error's. */
  async trpc(procedure: string, input: unknown): Promise<Reply> {
    const reply = await this.#send(`/api/trpc/${procedure}`, {
      method: "POST",
      ...jsonBody(input),
    });
    if (reply === "unknown") return reply;
    const { result, error } = reply.body;
    return { status: reply.status, body: result?.data ?? error?.data };
  }

  /** A write by the operator, in a session that outlasts the server's lives. */
  async asOperator(path: string, body: unknown): Promise<Reply> {
    const page = { origin: this.url, "sec-fetch-site": "same-origin" };
    if (this.#cookie === null) {
      const session = await this.#fetch("/api/session", { method: "POST", headers: page });
      await session?.arrayBuffer().catch(() => undefined);
      this.#cookie = session?.headers.get("set-cookie")?.split(";")[0] ?? null;
    }
    if (this.#cookie === null) return "unknown";
    const sent = jsonBody(body);
    const headers = { ...sent.headers, ...page, cookie: this.#cookie };
    return this.#send(`/api/v1${path}`, { method: "POST", ...sent, headers });
  }

  async #send(path: string, init: RequestInit): Promise<Reply> {
    const response = await this.#fetch(path, init);
    if (!response) return "unknown";
    try {
      const text = await response.text();
      const body = text === "" ? null : JSON.parse(text);
      if (response.status === 500) this.#onMishap(`${path} answered 500: ${text}`);
      // It is closing, or has no store for the moment; it says that nothing was done.
      if (response.status === 503) return "unknown";
      return { status: response.status, body };
    } catch {
      return "unknown";
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<Response | null> {
    try {
      const signal = AbortSignal.timeout(patienceMillis);
      return await fetch(this.url + path, { ...init, signal });
    } catch (error) {
      if ((error as Error).name === "TimeoutError") {
        this.#onMishap(`${path} had no response within ${patienceMillis} ms`);
      }
      return null;
    }
  }
}

function jsonBody(body: unknown): { body?: string; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} };
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}
