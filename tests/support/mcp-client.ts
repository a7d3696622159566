import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTaskSessionFromClient } from "@modelcontextprotocol/ext-tasks/client";
import type { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";

type Headers = Record<string, string>;
type Json = Record<string, unknown>;

const modernRevision = "2026-07-28";
const tasksExtension = "io.modelcontextprotocol/tasks";
export const takesTasks = { extensions: { [tasksExtension]: {} } };
const clientInfo = { name: "test", version: "1.0.0" };

export interface McpAnswer {
  status: number;
  headers: globalThis.Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  body: any;
}

/** Sends one message of the present revision, exactly as given. */
export function mcpSender(url: string, headers: Headers = {}) {
  let id = 0;
  const send = async (body: unknown, more: Headers = {}, signal?: AbortSignal) => {
    const response = await fetch(`${url}/api/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
        ...more,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal,
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const answer: McpAnswer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
    };
    return answer;
  };
  return {
    /** Sends this body with the headers that HTTP needs. */
    raw: send,
    /** A request with the envelope and the headers of the revision. */
    request(
      method: string,
      params: Json = {},
      capabilities: Json = takesTasks,
      signal?: AbortSignal,
    ) {
      id += 1;
      const name = params.name ?? params.taskId;
      return send(
        { jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope(capabilities) } },
        {
          "mcp-protocol-version": modernRevision,
          "mcp-method": method,
          ...(typeof name === "string" && /^[\x21-\x7e]+$/.test(name) && { "mcp-name": name }),
        },
        signal,
      );
    },
  };
}

function envelope(clientCapabilities: Json): Json {
  return {
    "io.modelcontextprotocol/protocolVersion": modernRevision,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
  };
}

/** The client of the present SDK. */
export async function connectMcp(
  url: string,
  { headers = {}, mode = "auto" }: { headers?: Headers; mode?: "auto" | "legacy" } = {},
): Promise<Client> {
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  const endpoint = new URL(`${url}/api/mcp`);
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
  return client;
}

/** The client of the SDK of 2025. */
export async function connectOldMcp(url: string, headers: Headers = {}): Promise<OldClient> {
  const { Client: OldClient } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport: OldTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const client = new OldClient(clientInfo);
  const endpoint = new URL(`${url}/api/mcp`);
  await client.connect(new OldTransport(endpoint, { requestInit: { headers } }) as never);
  return client;
}

type SessionOptions = Parameters<typeof createTaskSessionFromClient>[1];

/** The client of the Tasks extension, which calls tools and drives their tasks. */
export async function mcpTaskSession(
  url: string,
  onInputRequest: SessionOptions["onInputRequest"],
  headers: Headers = {},
) {
  const client = await connectMcp(url, { headers });
  const sender = mcpSender(url, headers);
  let id = 0;
  const session = createTaskSessionFromClient(client, {
    endpointId: url,
    onInputRequest,
    v2RequestFraming: {
      protocolVersion: modernRevision,
      clientInfo,
      clientCapabilities: { ...takesTasks, elicitation: { form: {} } },
    },
    async rawDispatch(request) {
      const message = request as { method: string; params: { name?: string; taskId?: string } };
      const name = message.params.name ?? message.params.taskId;
      id += 1;
      const { body } = await sender.raw(
        { jsonrpc: "2.0", id, ...message },
        {
          "mcp-protocol-version": modernRevision,
          "mcp-method": message.method,
          ...(name !== undefined && { "mcp-name": name }),
        },
      );
      return body.error
        ? { kind: "error" as const, error: body.error }
        : { kind: "result" as const, result: body.result };
    },
  });
  return {
    session,
    async close() {
      await session.close();
      await client.close();
    },
  };
}
