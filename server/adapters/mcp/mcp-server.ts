import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { JsonObject } from "../../core/json.ts";
import { createAgentTools } from "../agent-tools/agent-tools.ts";
import type { ToolFields } from "../agent-tools/snake-case.ts";
import { systemInstructions } from "../agent-tools/system-instructions.ts";
import { failureOf, isToolFailure, type ToolFailure } from "../agent-tools/tool-failure.ts";
import { parametersOf, toolSpecs } from "../agent-tools/tool-specs.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { hasTasks, tasksExtension, tasksNotDeclared, toMcpError } from "./mcp-error.ts";
import { createdTask, getMcpTask, taskIdParams, updateMcpTask } from "./mcp-tasks.ts";
import { type ProcedureTasks, procedureTasks } from "./procedure-tasks.ts";
import { taskTypeTools } from "./task-type-tools.ts";

/** One request's call: who sends it, and where what nobody expected is told. */
export interface McpCall {
  context: ApiContext;
  /** Of the HTTP request. */
  signal: AbortSignal;
  onUnexpected(error: unknown): void;
}

const promptName = "long_running_tasks";

/**
 * A server of the Model Context Protocol for one request.
 *
 * @param era `modern`: the revision of 2026-07-28, whose requests declare what the client can do with
 * each; before that there is no extension that a request could declare.
 */
export function createMcpServer(call: McpCall, era: "modern" | "legacy"): Server {
  const { context, onUnexpected } = call;
  const isModern = era === "modern";
  const types = context.tasks.taskTypes();
  const instructions = systemInstructions(types);
  const server = new Server(
    { name: "toolthread", title: "toolthread", version: context.version },
    {
      capabilities: {
        tools: {},
        prompts: {},
        ...(isModern && { extensions: { [tasksExtension]: {} } }),
      },
      instructions,
    },
  );
  const tasksOf = ({ mcpReq }: ServerContext) =>
    procedureTasks(context, AbortSignal.any([call.signal, mcpReq.signal]));
  const guarded = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (thrown) {
      throw toMcpError(thrown, onUnexpected);
    }
  };

  server.setRequestHandler("tools/list", () => ({ tools: listTools(types) }));
  server.setRequestHandler("tools/call", ({ params }, ctx) =>
    guarded(
      callTool(params.name, params.arguments ?? {}, {
        tasks: tasksOf(ctx),
        types,
        declaresTasks: isModern && declaresTasks(ctx),
        onUnexpected,
      }),
    ),
  );

  server.setRequestHandler("prompts/list", () => ({ prompts: [prompt] }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    if (params.name !== promptName) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt.");
    }
    const { description } = prompt;
    const content = { type: "text" as const, text: instructions };
    return { description, messages: [{ role: "user" as const, content }] };
  });

  if (!isModern) return server;
  const onTask = (
    method: string,
    work: (taskId: string, tasks: ProcedureTasks, ctx: ServerContext) => Promise<JsonObject>,
  ) =>
    server.setRequestHandler(method, { params: z.looseObject({}) }, (params, ctx) => {
      if (!declaresTasks(ctx)) throw tasksNotDeclared();
      const { success, data } = taskIdParams.safeParse(params);
      if (success) return guarded(work(data.taskId, tasksOf(ctx), ctx));
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "params.taskId must be a task's id.",
      );
    });
  onTask("tasks/get", (taskId, tasks) => getMcpTask(tasks, taskId));
  onTask("tasks/update", (taskId, tasks, { mcpReq }) => {
    const { inputResponses, droppedInputResponseKeys = [] } = mcpReq;
    if (inputResponses === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "params.inputResponses is missing.");
    }
    // What is no response at all is told as such, if its question is open.
    const dropped = droppedInputResponseKeys.map((key) => [key, null]);
    return updateMcpTask(tasks, taskId, { ...Object.fromEntries(dropped), ...inputResponses });
  });
  onTask("tasks/cancel", async (taskId, tasks) => {
    await tasks.cancelTask(taskId);
    return {};
  });
  return server;
}

const prompt = {
  name: promptName,
  title: "Work with long-running tasks",
  description:
    "How to start tasks, follow them, and carry questions and answers, with the task types there are",
};

type TaskTypes = ReturnType<ApiContext["tasks"]["taskTypes"]>;

/** Whether this very request comes from a client that takes tasks; what it said before does not count. */
function declaresTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  return hasTasks(envelope?.[CLIENT_CAPABILITIES_META_KEY]);
}

function toolResult(fields: ToolFields | ToolFailure): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(fields) }],
    structuredContent: fields,
    isError: isToolFailure(fields),
  };
}

function listTools(types: TaskTypes) {
  const tools = toolSpecs.map((spec) => ({
    name: spec.name,
    description: spec.description,
    inputSchema: parametersOf(spec) as JsonObject & { type: "object" },
    annotations: {
      readOnlyHint: spec.isReadOnly,
      destructiveHint: spec.name === "cancel_task",
      openWorldHint: !spec.isReadOnly,
    },
  }));
  const ofTypes = taskTypeTools(types).map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema,
    annotations: { readOnlyHint: false, openWorldHint: true },
  }));
  return [...tools, ...ofTypes];
}

interface ToolRequest {
  tasks: ProcedureTasks;
  types: TaskTypes;
  /** Whether the client takes a task in place of a result. */
  declaresTasks: boolean;
  onUnexpected(error: unknown): void;
}

async function callTool(
  name: string,
  args: Record<string, unknown>,
  { tasks, types, declaresTasks, onUnexpected }: ToolRequest,
): Promise<CallToolResult> {
  const tool = createAgentTools(tasks, { onUnexpected }).find((one) => one.name === name);
  if (tool) return toolResult(await tool.run(args));
  const ofType = taskTypeTools(types).find((one) => one.name === name);
  if (!ofType) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${name.slice(0, 100)}.`,
    );
  }
  try {
    const taskId = await tasks.startTask(ofType.type, args);
    // The client polls it as a task of the protocol; the type of a tool's result does not know that.
    if (declaresTasks) return createdTask((await tasks.getTask(taskId)).task) as never;
    const next_step = "It has begun. Call poll_task with this task_id.";
    return toolResult({ task_id: taskId, task_type: ofType.type, next_step });
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure.error.code === "internal") throw thrown;
    return toolResult(failure);
  }
}
