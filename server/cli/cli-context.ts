import type { ToolthreadClient } from "../adapters/client/create-toolthread-client.ts";
import type { CliSettings } from "./cli-settings.ts";
import type { Terminal } from "./terminal.ts";

/** What every command works with. */
export interface CliContext {
  client: ToolthreadClient;
  /** Waits long for a server that is away: for programs whose work goes on meanwhile. */
  patientClient: ToolthreadClient;
  terminal: Terminal;
  settings: CliSettings;
}
