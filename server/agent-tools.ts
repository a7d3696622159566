/** `toolthread/agent-tools`: the tools for language models, for any framework. Needs only zod. */
export type { AgentTasks } from "./adapters/agent-tools/agent-tasks.ts";
export {
  type AgentTool,
  type AgentToolOptions,
  createAgentTools,
} from "./adapters/agent-tools/agent-tools.ts";
export { systemInstructions } from "./adapters/agent-tools/system-instructions.ts";
export { type ToolFormat, toolDefinitions } from "./adapters/agent-tools/tool-definitions.ts";
export type { ToolFailure } from "./adapters/agent-tools/tool-failure.ts";
