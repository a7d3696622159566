import type { JsonObject } from "../../core/json.ts";
import { parametersOf, toolSpecs } from "./tool-specs.ts";

interface Described {
  name: string;
  description: string;
  parameters: JsonObject;
}

const formats = {
  json_schema: (tool: Described) => tool,
  openai: (tool: Described) => ({ type: "function" as const, function: tool }),
  openai_responses: (tool: Described) => ({ type: "function" as const, strict: false, ...tool }),
  anthropic: ({ parameters, ...tool }: Described) => ({ ...tool, input_schema: parameters }),
  langchain: ({ parameters, ...tool }: Described) => ({ ...tool, schema: parameters }),
};

/** A framework's way to describe tools. */
export type ToolFormat = keyof typeof formats;

/**
 * The tools as data, for any framework: `json_schema` (name, description, parameters), `openai`
 * (chat completions), `openai_responses`, `anthropic` or `langchain`. Run what a model calls with
 * `createAgentTools`.
 */
export function toolDefinitions<Format extends ToolFormat = "json_schema">(
  format?: Format,
): ReturnType<(typeof formats)[Format]>[] {
  const write = formats[format ?? "json_schema"] as (tool: Described) => unknown;
  return toolSpecs.map((spec) =>
    write({
      name: spec.name,
      description: spec.description,
      parameters: structuredClone(parametersOf(spec)),
    }),
  ) as ReturnType<(typeof formats)[Format]>[];
}
