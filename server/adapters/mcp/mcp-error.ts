import { MissingRequiredClientCapabilityError, ProtocolError } from "@modelcontextprotocol/server";
import { isJsonObject } from "../../core/json.ts";
import { errorTable, toApiError } from "../error-table.ts";

/** The Tasks extension, as clients and this server declare it. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** Whether capabilities of a client have the extension. */
export function hasTasks(capabilities: unknown): boolean {
  if (!isJsonObject(capabilities) || !isJsonObject(capabilities.extensions)) return false;
  return isJsonObject(capabilities.extensions[tasksExtension]);
}

/** The refusal of a request that needs the Tasks extension by a client that did not declare it. */
export function tasksNotDeclared(): ProtocolError {
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    `This needs a client that declares the extension ${tasksExtension} with the request.`,
  );
}

/** What was thrown, as a JSON-RPC error that tells nothing of the server's inside. */
export function toMcpError(thrown: unknown, onUnexpected: (error: unknown) => void): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const error = toApiError(thrown);
  if (error.code === "internal") onUnexpected(thrown);
  const { code, details, message } = error;
  // The extension's code for a task that is not there, which elsewhere is one of ours.
  const jsonRpc = code === "task_not_found" ? errorTable.invalid_input : errorTable[code];
  return new ProtocolError(jsonRpc.jsonRpc, message, { code, details });
}
