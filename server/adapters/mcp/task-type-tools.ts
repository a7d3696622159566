import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { TaskTypeInfo } from "../../core/task-type.ts";
import { toolNames } from "../agent-tools/tool-specs.ts";

/** A task type as a tool of its own. */
export interface TaskTypeTool {
  name: string;
  type: string;
  title: string;
  description: string;
  inputSchema: JsonObject & { type: "object" };
}

/** Characters a tool's name may have, in MCP and in what models are given. */
const maxNameLength = 64;

/**
 * The task types as tools, in their order. A type whose parameters are no object has none: arguments
 * of tools are objects. A name that is no tool's, or taken, is changed, always in the same way.
 */
export function taskTypeTools(taskTypes: readonly TaskTypeInfo[]): TaskTypeTool[] {
  const taken = new Set<string>(toolNames);
  return taskTypes.flatMap(({ type, title, description, paramsSchema }) => {
    const inputSchema = objectSchema(paramsSchema);
    if (inputSchema === null) return [];
    const name = freeName(type, taken);
    taken.add(name);
    const what = description || `Start a task of the type ${type}.`;
    return [{ name, type, title, description: `${what} ${longRunning}`, inputSchema }];
  });
}

const longRunning =
  "It runs in the background, may take long and may ask questions. If the result is a task_id, follow " +
  "it with poll_task.";

function objectSchema(schema: JsonObject | null): TaskTypeTool["inputSchema"] | null {
  if (schema === null) return { type: "object", additionalProperties: true };
  const { type = "object" } = schema;
  return type === "object" && isJsonObject(schema) ? { ...schema, type } : null;
}

function freeName(type: string, taken: ReadonlySet<string>): string {
  const base = type.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, maxNameLength - 4) || "task";
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
  return name;
}
