import type { ToolthreadClient } from "../adapters/client/create-toolthread-client.ts";
import type { CliSettings } from "./cli-settings.ts";
import type { Terminal } from "./terminal.ts";

/** What every command works with. */
export interface CliContext {
  client: ToolthreadClient;
  /** One that waits so many seconds for a server that is away. */
  clientWith(options: { retrySeconds: number }): ToolthreadClient;
  terminal: Terminal;
  settings: CliSettings;
}
