/** `toolthread/ai-sdk`: the tools for the AI SDK (`ai` 7), which has to be installed beside. */
import { jsonSchema, type Tool, tool } from "ai";
import type { TaskManager } from "../../engine/task-manager.ts";
import type { AgentTasks } from "../agent-tools/agent-tasks.ts";
import { type AgentToolOptions, createAgentTools } from "../agent-tools/agent-tools.ts";
import type { toolNames } from "../agent-tools/tool-specs.ts";

/** The tools by name, as `generateText` and `streamText` take them. */
export type AiSdkTools = Record<(typeof toolNames)[number], Tool<unknown, unknown>>;

/**
 * The tools for a model of the AI SDK: `start_task`, `poll_task`, `respond_to_question`,
 * `cancel_task` and those around them.
 *
 * @param source a manager of this process, or a client of a server.
 */
export function createAiSdkTools(
  source: AgentTasks | TaskManager,
  options: AgentToolOptions = {},
): AiSdkTools {
  const tools = createAgentTools(source, options).map(({ name, description, parameters, run }) => [
    name,
    tool({
      description,
      // Without a check of its own: wrong arguments come back as a result that says what is right.
      inputSchema: jsonSchema<unknown>(parameters),
      execute: (args: unknown, { abortSignal }): Promise<unknown> =>
        run(args, { signal: abortSignal }),
    }),
  ]);
  return Object.fromEntries(tools);
}
