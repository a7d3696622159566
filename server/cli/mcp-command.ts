import type { Command } from "commander";
import type { CliContext } from "./cli-context.ts";

type Run = (action: (context: CliContext) => Promise<void>) => () => Promise<void>;

export function addMcpCommand(program: Command, run: Run): void {
  program
    .command("mcp")
    .description("speak MCP over standard input and output, for agents that start their servers")
    .action(
      run(async ({ settings: { url, apiKey } }) => {
        const { bridgeStdio } = await import("../adapters/mcp/stdio-bridge.ts");
        await bridgeStdio({ url, apiKey, input: process.stdin, output: process.stdout });
      }),
    );
}
