import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

const revisionKey = "io.modelcontextprotocol/protocolVersion";

/**
 * The headers that HTTP wants of a message, which repeat what is in it.
 *
 * @param agreed the revision that was agreed on, for messages that do not say theirs.
 */
export function messageHeaders(message: JsonValue, agreed: string | null): Record<string, string> {
  if (!isJsonObject(message)) return {};
  const { method } = message;
  const params = (isJsonObject(message.params) ? message.params : {}) as JsonObject;
  const meta = (isJsonObject(params._meta) ? params._meta : {}) as JsonObject;
  const revision = meta[revisionKey];
  if (typeof revision !== "string") {
    return agreed === null || method === "initialize" ? {} : { "mcp-protocol-version": agreed };
  }
  const name = params.name ?? params.taskId ?? params.uri;
  return {
    "mcp-protocol-version": headerText(revision),
    ...(typeof method === "string" && { "mcp-method": headerText(method) }),
    ...(typeof name === "string" && { "mcp-name": headerText(name) }),
  };
}

/** Text as a header may carry it: what is not plain goes in base64, in the protocol's marks. */
function headerText(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?")) {
    return text;
  }
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
