import { generateText, type ModelMessage, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import type { AgentTasks } from "../../server/adapters/agent-tools/agent-tasks.ts";
import { createAiSdkTools } from "../../server/adapters/ai-sdk/create-ai-sdk-tools.ts";
import { systemInstructions } from "../../server/agent-tools.ts";
import type { TaskManager } from "../../server/engine/task-manager.ts";
import { nextMove, type Said } from "./scripted-agent.ts";

type Generate = Exclude<MockLanguageModelV4["doGenerate"], undefined>;
type Prompt = Parameters<Generate>[0]["prompt"];

/** A model of the AI SDK that keeps to the instructions. */
export function scriptedModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const move = nextMove(saidIn(prompt));
      const isCall = "call" in move;
      return {
        content: isCall
          ? [
              {
                type: "tool-call",
                toolCallId: crypto.randomUUID(),
                toolName: move.call,
                input: JSON.stringify(move.args),
              },
            ]
          : [{ type: "text", text: move.say }],
        finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}

/** A model of the AI SDK with the tools, in a conversation; it keeps to the instructions. */
export async function aiSdkAgent(source: AgentTasks | TaskManager) {
  const model = scriptedModel();
  const instructions = systemInstructions(await source.taskTypes());
  const messages: ModelMessage[] = [];
  return {
    model,
    /** @returns what the model says in the end. */
    async say(content: string): Promise<string> {
      messages.push({ role: "user", content });
      const { text, responseMessages } = await generateText({
        model,
        instructions,
        messages,
        tools: createAiSdkTools(source),
        stopWhen: stepCountIs(20),
      });
      messages.push(...responseMessages);
      return text;
    },
  };
}

function saidIn(prompt: Prompt): Said[] {
  const calls = new Map<string, Record<string, unknown>>();
  return prompt.flatMap((message): Said[] => {
    if (message.role === "system") return [];
    return message.content.flatMap((part): Said[] => {
      if (part.type === "text") {
        return [{ by: message.role === "user" ? "user" : "model", text: part.text }];
      }
      if (part.type === "tool-call") calls.set(part.toolCallId, part.input as never);
      if (part.type !== "tool-result") return [];
      const result = (part.output as { value: unknown }).value as Record<string, unknown>;
      return [{ by: "tool", name: part.toolName, args: calls.get(part.toolCallId) ?? {}, result }];
    });
  });
}
