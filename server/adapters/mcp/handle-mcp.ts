import { CLIENT_CAPABILITIES_META_KEY, createMcpHandler } from "@modelcontextprotocol/server";
import { ShuttingDown, Unauthorized } from "../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { jsonResponse } from "../http/api-responses.ts";
import { readJsonBody } from "../http/read-json.ts";
import { hasTasks, tasksNotDeclared } from "./mcp-error.ts";
import { createMcpServer, type McpCall } from "./mcp-server.ts";

/** Answers a request to the endpoint of the Model Context Protocol, by whoever was identified. */
export type McpHandler = (request: Request, call: Omit<McpCall, "signal">) => Promise<Response>;

/**
 * Revisions of 2026-07-28 and before, through one handler: each request has a server of its own, so
 * that nothing is kept between two.
 *
 * @param closing ends the streams that are open.
 */
export function createMcp(closing: AbortSignal): McpHandler {
  const handler = createMcpHandler(({ era, authInfo }) => {
    const { call } = (authInfo?.extra ?? {}) as { call: McpCall };
    return createMcpServer(call, era);
  });
  closing.addEventListener("abort", () => void handler.close(), { once: true });
  return async (request, { context, onUnexpected }) => {
    const { caller, identity } = context;
    // Tools are a program's: a page of ours, with a person's rights, has no business here.
    if (caller.actor.kind === "operator") {
      throw new Unauthorized("MCP needs an agent's key: send it as `Authorization: Bearer KEY`.");
    }
    const parsedBody = request.method === "POST" ? await readJsonBody(request) : undefined;
    if (closing.aborted) throw new ShuttingDown("The server is shutting down. Try again.");
    const { url, method, headers } = request;
    const answer = (signal: AbortSignal) => {
      const bare = new Request(url, { method, headers, signal });
      const extra = { call: { context, onUnexpected, signal } };
      const authInfo = { token: "", clientId: caller.actor.id, scopes: [], extra };
      return handler.fetch(bare, { authInfo, parsedBody });
    };
    if (!isJsonObject(parsedBody) || parsedBody.method !== "subscriptions/listen") {
      return answer(request.signal);
    }
    const refusal = refusedListening(parsedBody);
    if (refusal) return refusal;
    // The stream ends with the key it was opened with. Everything else ends by itself.
    const opened = identity?.openCalls.open(caller, request.signal);
    return opened ? closedWith(await answer(opened.signal), opened.close) : answer(request.signal);
  };
}

/**
 * News of tasks is for clients that declare the extension, and the library, which answers this method
 * by itself, knows nothing of it.
 */
function refusedListening({ id = null, params }: JsonObject): Response | null {
  if (!isJsonObject(params)) return null;
  const { notifications, _meta: meta } = params;
  if (!isJsonObject(notifications) || notifications.taskIds === undefined) return null;
  if (isJsonObject(meta) && hasTasks(meta[CLIENT_CAPABILITIES_META_KEY])) return null;
  const { code, message, data } = tasksNotDeclared();
  return jsonResponse(400, { jsonrpc: "2.0", id, error: { code, message, data } });
}

/** The response, with `close` called when its body has been read or is not wanted any more. */
function closedWith(response: Response, close: () => void): Response {
  if (response.body === null) {
    close();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        close();
        throw error;
      });
      if (value) controller.enqueue(value);
      if (!done) return;
      close();
      controller.close();
    },
    cancel(reason) {
      close();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
