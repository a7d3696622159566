/** `toolthread/adk`: the tools for agents of `@google/adk` 2, which has to be installed beside. */
import { BaseTool, BaseToolset, type RunAsyncToolRequest, type ToolPredicate } from "@google/adk";
import type { TaskManager } from "../../engine/task-manager.ts";
import type { AgentTasks } from "../agent-tools/agent-tasks.ts";
import {
  type AgentTool,
  type AgentToolOptions,
  createAgentTools,
} from "../agent-tools/agent-tools.ts";
import { systemInstructions } from "../agent-tools/system-instructions.ts";

/**
 * The tools for an ADK agent: `start_task`, `poll_task`, `respond_to_question`, `cancel_task` and
 * those around them.
 *
 * @param source a manager of this process, or a client of a server.
 */
export function createAdkTools(
  source: AgentTasks | TaskManager,
  options: AgentToolOptions = {},
): BaseTool[] {
  return createAgentTools(source, options).map((tool) => new AdkTool(tool));
}

/** The tools as a toolset, of which an agent may have a part. */
export class AdkToolset extends BaseToolset {
  readonly #tools: BaseTool[];

  /** @param options.toolFilter the names of those it may have, or a test; all when not given. */
  constructor(
    source: AgentTasks | TaskManager,
    options: AgentToolOptions & { toolFilter?: ToolPredicate | string[] } = {},
  ) {
    const { toolFilter = [], ...rest } = options;
    super(toolFilter);
    this.#tools = createAdkTools(source, rest);
  }

  override async getTools(context?: Parameters<BaseToolset["getTools"]>[0]): Promise<BaseTool[]> {
    const { toolFilter } = this;
    if (Array.isArray(toolFilter)) {
      if (toolFilter.length === 0) return [...this.#tools];
      return this.#tools.filter(({ name }) => toolFilter.includes(name));
    }
    return context ? this.#tools.filter((tool) => toolFilter(tool, context)) : [...this.#tools];
  }

  /** Holds nothing: the manager or client is whoever made it. */
  override async close(): Promise<void> {}
}

/**
 * What an agent is told of the tools and the task types, as its `instruction`. Asked anew for each
 * turn, so that a type registered later is in it.
 */
export function adkInstruction(source: Pick<AgentTasks, "taskTypes">): () => Promise<string> {
  return async () => systemInstructions(await source.taskTypes());
}

/**
 * The function tool of ADK throws for arguments that do not fit its schema, in words of its own; this
 * one returns what is wrong and what to do, like every other surface.
 */
class AdkTool extends BaseTool {
  readonly #tool: AgentTool;

  constructor(tool: AgentTool) {
    super({ name: tool.name, description: tool.description });
    this.#tool = tool;
  }

  override _getDeclaration() {
    const { name, description, parameters } = this.#tool;
    return { name, description, parametersJsonSchema: parameters };
  }

  override runAsync({ args, toolContext }: RunAsyncToolRequest): Promise<unknown> {
    return this.#tool.run(args, { signal: toolContext.abortSignal });
  }
}
