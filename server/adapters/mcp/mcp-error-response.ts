import { type ApiError, errorTable } from "../error-table.ts";
import { errorHeaders, jsonResponse } from "../http/api-responses.ts";

export const mcpEndpoint = "/api/mcp";

/** A refusal of the request as a whole, before it is read as a message of the protocol. */
export function mcpErrorResponse(error: ApiError): Response {
  const { code, details, message } = error;
  const { http, jsonRpc } = errorTable[code];
  const body = {
    jsonrpc: "2.0",
    id: null,
    error: { code: jsonRpc, message, data: { code, details } },
  };
  return jsonResponse(http, body, errorHeaders(error));
}
