import type { z } from "zod";
import { describeIssues } from "../../core/issues.ts";
import type { JsonObject } from "../../core/json.ts";
import type { TaskManager } from "../../engine/task-manager.ts";
import { refuseDroppedMembers } from "../trpc/refuse-dropped-members.ts";
import { type AgentTasks, agentTasksOf } from "./agent-tasks.ts";
import type { ToolFields } from "./snake-case.ts";
import { failureOf, type ToolFailure, toolFailure } from "./tool-failure.ts";
import { parametersOf, type ToolSpec, toolSpecs } from "./tool-specs.ts";

/** A tool bound to the tasks it works on, for any framework. */
export interface AgentTool {
  name: string;
  /** Written for a language model. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
  input: z.ZodObject;
  /** Changes nothing. */
  isReadOnly: boolean;
  /**
   * Never rejects: what goes wrong is told in `error`, with the next step to take.
   *
   * @param args what the model sent, unchecked.
   */
  run(args: unknown, call?: { signal?: AbortSignal }): Promise<ToolFields | ToolFailure>;
}

export interface AgentToolOptions {
  /** Is told of errors that nobody expected, which the model hears of without details. */
  onUnexpected?(error: unknown): void;
}

/** The tools for agents, on a manager of this process or a client of a server. */
export function createAgentTools(
  source: AgentTasks | TaskManager,
  options: AgentToolOptions = {},
): AgentTool[] {
  const tasks = agentTasksOf(source);
  return toolSpecs.map((spec) => ({
    name: spec.name,
    description: spec.description,
    parameters: parametersOf(spec),
    input: spec.input,
    isReadOnly: spec.isReadOnly,
    run: (args, call) => runTool(spec, args, tasks, call?.signal, options),
  }));
}

async function runTool(
  spec: ToolSpec,
  args: unknown,
  tasks: AgentTasks,
  signal: AbortSignal | undefined,
  { onUnexpected }: AgentToolOptions,
): Promise<ToolFields | ToolFailure> {
  const parsed = spec.input.safeParse(args ?? {});
  if (!parsed.success) return argumentFailure(spec, parsed.error);
  try {
    refuseDroppedMembers(args);
    return await spec.run(parsed.data, { tasks, signal });
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure.error.code === "internal" && !signal?.aborted) onUnexpected?.(thrown);
    return failure;
  }
}

function argumentFailure(spec: ToolSpec, error: z.ZodError): ToolFailure {
  const { text } = describeIssues(error.issues);
  const known = Object.keys(spec.input.shape).join(", ") || "none";
  return toolFailure("invalid_input", `${spec.name}: ${text}. Its arguments are: ${known}.`);
}
