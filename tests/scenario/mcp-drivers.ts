import { connectMcp, mcpSender } from "../support/mcp-client.ts";
import type { Driver, Halt } from "./scenario.ts";
import { nextMove, type Said, userOf } from "./scripted-agent.ts";

/** An agent that has the tools from the server, over the protocol. */
export async function mcpToolsDriver(url: string): Promise<Driver> {
  const client = await connectMcp(url);
  const said: Said[] = [];
  const driver = userOf(async (text) => {
    said.push({ by: "user", text });
    for (;;) {
      const move = nextMove(said);
      if ("say" in move) {
        said.push({ by: "model", text: move.say });
        return move.say;
      }
      const { structuredContent } = await client.callTool({
        name: move.call,
        arguments: move.args,
      });
      const result = structuredContent as Record<string, unknown>;
      said.push({ by: "tool", name: move.call, args: move.args, result });
    }
  });
  return { ...driver, close: () => client.close() };
}

/** A client of the Tasks extension: the tool of the task type, and its task. */
export async function mcpTasksDriver(url: string): Promise<Driver> {
  const mcp = mcpSender(url);
  let taskId = "";
  let key = "";
  const request = async (method: string, params: object) => {
    const { body } = await mcp.request(method, { ...params });
    if (body.error) throw new Error(body.error.message);
    return body.result;
  };
  const follow = async (): Promise<Halt> => {
    for (;;) {
      const {
        status,
        statusMessage,
        inputRequests = {},
        result,
      } = await request("tasks/get", { taskId });
      if (status === "cancelled")
        return { kind: "end", status, result: null, error: statusMessage };
      if (status === "completed" && result.isError) {
        return { kind: "end", status: "failed", result: null, error: result.content[0].text };
      }
      if (status === "completed") {
        return { kind: "end", status, result: result.structuredContent, error: null };
      }
      const [asked] = Object.keys(inputRequests);
      if (asked === undefined || asked === key) continue;
      key = asked;
      return { kind: "question", prompt: inputRequests[asked].params.message };
    }
  };
  return {
    async begin(params) {
      ({ taskId } = await request("tools/call", { name: "release", arguments: params }));
      return follow();
    },
    async answer(answer) {
      const inputResponses = { [key]: { action: "accept", content: { answer } } };
      await request("tasks/update", { taskId, inputResponses });
      return follow();
    },
    async cancel() {
      await request("tasks/cancel", { taskId });
      return follow();
    },
    wait: follow,
  };
}
