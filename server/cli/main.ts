#!/usr/bin/env node
import { Command } from "commander";
import { createToolthreadClient } from "../adapters/client/create-toolthread-client.ts";
import { commandLineHeaders } from "../adapters/client/surface-header.ts";
import { isToolthreadError } from "../core/errors.ts";
import { version } from "../version.ts";
import { addAskCommand } from "./ask-command.ts";
import type { CliContext } from "./cli-context.ts";
import { readCliSettings } from "./cli-settings.ts";
import { addDriveCommands } from "./drive-commands.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { addMcpCommand } from "./mcp-command.ts";
import { noticedWaiting } from "./noticed-waiting.ts";
import { addRunCommand } from "./run-command.ts";
import { addTaskCommands } from "./task-commands.ts";
import { Terminal, unwritten } from "./terminal.ts";

const program = new Command("toolthread")
  .description(
    "Start, follow and answer long-running tasks, and run commands of your own as tasks.",
  )
  .version(version)
  .enablePositionalOptions()
  .showHelpAfterError("(toolthread --help lists what there is)")
  .exitOverride();

interface CommonOptions {
  url?: string;
  apiKey?: string;
  json?: boolean;
}

/** What stands before the command and after it; after it counts more. */
function addCommonOptions(command: Command): void {
  command
    .option("--url <url>", "where the server is (TOOLTHREAD_URL; http://127.0.0.1:3000)")
    .option("--api-key <key>", "an agent's key (TOOLTHREAD_API_KEY)")
    .option("--json", "write JSON, a value a line");
}

function contextOf(command: Command): CliContext {
  const options = { ...program.opts<CommonOptions>(), ...command.opts<CommonOptions>() };
  const settings = readCliSettings(options);
  const { url, apiKey, hasColour } = settings;
  const terminal = new Terminal({ isJson: options.json ?? false, hasColour });
  const fetch = noticedWaiting(() => terminal.note(`Waiting for the server at ${url} to answer.`));
  const common = { url, apiKey, headers: commandLineHeaders, fetch };
  return {
    client: createToolthreadClient(common),
    clientWith: (more) => createToolthreadClient({ ...common, ...more }),
    terminal,
    settings,
  };
}

function run<Args extends unknown[]>(
  action: (context: CliContext, ...args: Args) => Promise<void>,
) {
  // Commander gives the command itself last.
  return (...args: Args) => action(contextOf(args.at(-1) as Command), ...args);
}

addTaskCommands(program, run);
addAskCommand(program, run);
addDriveCommands(program, run);
addRunCommand(program, run);
addMcpCommand(program, run);

addCommonOptions(program);
for (const command of program.commands) addCommonOptions(command);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that goes away, such as `head`, ends the program like any other.
  if (error.code === "EPIPE") process.exit(exitCodes.ok);
  process.stderr.write(`${unwritten(error)}\n`);
  process.exit(exitCodes.failed);
});
// Notes are for whoever is there to read them.
process.stderr.on("error", () => {});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeFor(error);
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommandFailure) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (isToolthreadError(error)) {
    process.stderr.write(`toolthread: ${error.message}\n`);
    return error.code === "invalid_input" ? exitCodes.usage : exitCodes.failed;
  }
  // Commander has said what is wrong, or shown the help that was asked for.
  const { exitCode } = error as { exitCode?: number };
  if (exitCode !== undefined) return exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  process.stderr.write(`toolthread: ${error instanceof Error ? error.message : String(error)}\n`);
  return exitCodes.failed;
}
