import type { z } from "zod";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { toJsonSchema } from "../../engine/json-schema.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import { pollForTool } from "./poll-for-tool.ts";
import { respondForTool } from "./respond-for-tool.ts";
import { type ToolFields, toldTask, toldTaskType, toldTaskView } from "./snake-case.ts";
import { type ToolFailure, toolFailure } from "./tool-failure.ts";
import {
  cancelTaskInput,
  getTaskInput,
  listTasksInput,
  listTaskTypesInput,
  pollTaskInput,
  respondInput,
  startKeys,
  startTaskInput,
} from "./tool-inputs.ts";

/** What a tool's work is given. */
export interface ToolCall {
  tasks: AgentTasks;
  signal: AbortSignal | undefined;
}

export interface ToolSpec<Input extends z.ZodObject = z.ZodObject> {
  name: (typeof toolNames)[number];
  description: string;
  input: Input;
  isReadOnly: boolean;
  run(args: z.output<Input>, call: ToolCall): Promise<ToolFields | ToolFailure>;
}

/** Keeps the arguments of `run` to what the input says. */
function tool<Input extends z.ZodObject>(spec: ToolSpec<Input>): ToolSpec {
  return spec as unknown as ToolSpec;
}

/** The tools' names, in their order. */
export const toolNames = [
  "start_task",
  "poll_task",
  "respond_to_question",
  "cancel_task",
  "list_task_types",
  "get_task",
  "list_tasks",
] as const;

/** Every tool, defined once for all frameworks and protocols. */
export const toolSpecs: readonly ToolSpec[] = [
  tool({
    name: "start_task",
    description:
      "Start a task in the background: work that may take minutes or days. Returns its task_id at " +
      "once; call poll_task with it next. Do not start the same task twice unless the customer asks.",
    input: startTaskInput,
    isReadOnly: false,
    run: startForTool,
  }),
  tool({
    name: "poll_task",
    description:
      "Wait for news of a task and get it: new updates, a pending_question, the result once it has " +
      "ended. Returns as soon as there is something new, at the latest after timeout seconds. Pass " +
      "the cursor of the last response as since. Poll until result is set.",
    input: pollTaskInput,
    isReadOnly: true,
    run: pollForTool,
  }),
  tool({
    name: "respond_to_question",
    description:
      "Give the customer's answer to the pending_question of a task; the task goes on with it. Ask " +
      "the customer first, never answer for them. A question whose answerable_by is operator cannot " +
      "be answered with this tool.",
    input: respondInput,
    isReadOnly: false,
    run: respondForTool,
  }),
  tool({
    name: "cancel_task",
    description:
      "Ask a task to stop, when the customer wants that. It may clean up first: poll_task tells when " +
      "it has ended. cancelled is false when it had already ended.",
    input: cancelTaskInput,
    isReadOnly: false,
    run: cancelForTool,
  }),
  tool({
    name: "list_task_types",
    description: "List the task types that can be started, each with its parameters.",
    input: listTaskTypesInput,
    isReadOnly: true,
    run: async (_, { tasks }) => ({ task_types: (await tasks.taskTypes()).map(toldTaskType) }),
  }),
  tool({
    name: "get_task",
    description:
      "Get everything about one task at once, without waiting: status, parameters, questions with " +
      "their answers, result. To follow a task use poll_task.",
    input: getTaskInput,
    isReadOnly: true,
    run: async ({ task_id }, { tasks }) => toldTask(await tasks.getTask(task_id)),
  }),
  tool({
    name: "list_tasks",
    description: "List tasks, newest first, for example to find one whose task_id is not known.",
    input: listTasksInput,
    isReadOnly: true,
    async run({ statuses, task_types: types, limit, after }, { tasks }) {
      const { items, nextCursor } = await tasks.listTasks({ statuses, types, limit, after });
      return { tasks: items.map(toldTaskView), next_cursor: nextCursor };
    },
  }),
];

const parameters = new Map<ToolSpec, JsonObject>();

/** JSON Schema of a tool's arguments. */
export function parametersOf(spec: ToolSpec): JsonObject {
  const known = parameters.get(spec);
  if (known) return known;
  const { $schema: _, ...schema } = toJsonSchema(spec.input, "input");
  parameters.set(spec, schema);
  return schema;
}

async function startForTool(
  args: z.output<typeof startTaskInput>,
  { tasks }: ToolCall,
): Promise<ToolFields | ToolFailure> {
  const { task_type: type, idempotency_key: idempotencyKey } = args;
  const params = startParams(args);
  if (typeof params === "string") return toolFailure("invalid_input", params);
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  return { task_id: await tasks.startTask(type, params, options), task_type: type };
}

/** `params` with the other top-level keys beside it; or what is wrong with them, in words. */
function startParams(args: z.output<typeof startTaskInput>): JsonObject | string {
  const nested = readParams(args.params);
  if (nested === null) return "params must be an object, with one member per parameter.";
  const reserved: readonly string[] = startKeys;
  const flat = Object.entries(args).filter(([key]) => !reserved.includes(key));
  const twice = flat.map(([key]) => key).filter((key) => Object.hasOwn(nested, key));
  if (twice.length > 0) {
    return `${twice.join(", ")} is given twice: in params and beside it. Give it in params only.`;
  }
  // By entries, not by assignment, which would take "__proto__" for the prototype.
  return Object.fromEntries([...Object.entries(nested), ...flat]) as JsonObject;
}

function readParams(params: unknown): JsonObject | null {
  if (params === undefined || params === null || params === "") return {};
  if (typeof params !== "string") return isJsonObject(params) ? params : null;
  try {
    const value: unknown = JSON.parse(params);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

async function cancelForTool(
  { task_id, reason }: z.output<typeof cancelTaskInput>,
  { tasks }: ToolCall,
): Promise<ToolFields> {
  const cancelled = await tasks.cancelTask(task_id, { reason: reason ?? null });
  return {
    task_id,
    cancelled,
    next_step: cancelled
      ? "Call poll_task until result is set: the task may clean up first."
      : "The task had already ended; poll_task tells how.",
  };
}
