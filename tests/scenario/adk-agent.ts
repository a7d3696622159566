import {
  BaseLlm,
  type BaseLlmConnection,
  type BaseToolset,
  InMemoryRunner,
  LlmAgent,
} from "@google/adk";
import { AdkToolset, adkInstruction } from "../../server/adapters/adk/create-adk-tools.ts";
import type { AgentTasks } from "../../server/adapters/agent-tools/agent-tasks.ts";
import type { TaskManager } from "../../server/engine/task-manager.ts";
import { nextMove, type Said } from "./scripted-agent.ts";

type LlmRequest = Parameters<BaseLlm["connect"]>[0];

/** A model of ADK that keeps to the instructions. */
export class ScriptedLlm extends BaseLlm {
  /** What each request had, for a look at what a real model would get. */
  readonly requests: LlmRequest[] = [];

  constructor() {
    super({ model: "scripted" });
  }

  async *generateContentAsync(request: LlmRequest) {
    this.requests.push(request);
    const move = nextMove(saidIn(request));
    const part =
      "say" in move
        ? { text: move.say }
        : { functionCall: { id: crypto.randomUUID(), name: move.call, args: move.args } };
    yield { content: { role: "model", parts: [part] }, turnComplete: true };
  }

  async connect(): Promise<BaseLlmConnection> {
    throw new Error("The scripted model has no live connection.");
  }
}

function saidIn({ contents }: LlmRequest): Said[] {
  const calls = new Map<string, Record<string, unknown>>();
  return contents.flatMap(({ role, parts = [] }) =>
    parts.flatMap(({ text, functionCall, functionResponse }): Said[] => {
      if (functionCall) calls.set(String(functionCall.id), functionCall.args ?? {});
      if (functionResponse) {
        const { id, name = "", response = {} } = functionResponse;
        return [{ by: "tool", name, args: calls.get(String(id)) ?? {}, result: response }];
      }
      if (text === undefined) return [];
      return [{ by: role === "user" ? "user" : "model", text }];
    }),
  );
}

/** An ADK agent with the tools and a scripted model, in a conversation. */
export async function adkAgent(source: AgentTasks | TaskManager) {
  const model = new ScriptedLlm();
  const toolset: BaseToolset = new AdkToolset(source);
  const agent = new LlmAgent({
    name: "release_agent",
    model,
    instruction: adkInstruction(source),
    tools: [toolset],
  });
  const runner = new InMemoryRunner({ agent, appName: "toolthread" });
  const session = await runner.sessionService.createSession({ appName: "toolthread", userId: "u" });
  return {
    model,
    /** @returns the last thing the agent says in its turn. */
    async say(text: string): Promise<string> {
      let answer = "";
      const newMessage = { role: "user", parts: [{ text }] };
      for await (const event of runner.runAsync({
        userId: "u",
        sessionId: session.id,
        newMessage,
      })) {
        if (event.errorMessage) throw new Error(event.errorMessage);
        for (const part of event.content?.parts ?? []) answer = part.text ?? answer;
      }
      return answer;
    },
  };
}
