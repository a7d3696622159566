import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type { TaskTypeInfo } from "../../core/task-type.ts";
import { toolSpecs } from "./tool-specs.ts";

/**
 * What an agent's system prompt says about the tools and the task types there are, in Markdown.
 *
 * @param taskTypes those the agent may start, from `taskTypes()`.
 */
export function systemInstructions(taskTypes: readonly TaskTypeInfo[]): string {
  return `${head}

## Tools

${toolSpecs.map(({ name, description }) => `- **${name}**: ${description}`).join("\n")}

${rules}

## Task types

${taskTypes.map(typeLine).join("\n") || "There are none that you may start."}
`;
}

const head = `# Long-running tasks

Some of your tools start work that goes on in the background for minutes or days. It reports updates,
can stop to ask a question, and ends with one result. You start it, follow it by polling, carry
questions and answers between the task and the customer, and present the result.`;

const rules = `## How to work with a task

1. Call start_task with the task type and its parameters. Tell the customer that it has begun.
2. Call poll_task with the task_id at once. It waits until there is something to tell.
3. Look at what it returned:
   - **updates**: sum up for the customer what is new. Do not repeat what they have heard.
   - **pending_question** with answerable_by "anyone": put it to the customer in its own words, with
     its choices if it has any, and wait for their reply; do not poll meanwhile. Then call
     respond_to_question with their answer. Never make up an answer.
   - **pending_question** with answerable_by "operator": neither you nor the customer in this
     conversation can answer it. Tell the customer that an operator must answer it in the toolthread
     dashboard and what is asked, and go on polling with wait_for "input_or_result".
   - **result**: the task has ended. Present the result to the customer. If its status is failed, tell
     them the error and what they could do next.
4. Until there is a result, call poll_task again with since set to the cursor of the last response.

## Rules

- since is the cursor of the last poll_task response, unchanged. With it you see everything once.
- To hear of questions and the end only, poll with wait_for "input_or_result": updates come with them.
- updates_left_out says that many updates were shortened; merged says how many an update stands for.
- Somebody else may answer a question before you do: answered is then false, and the answer that
  counts is told. Do not answer again, go on polling.
- Call cancel_task when the customer wants to stop a task, and poll until it has ended.
- Do not start a task a second time unless the customer asks for it.
- Every error has a next_step: follow it.`;

function typeLine({ type, title, description, paramsSchema }: TaskTypeInfo): string {
  const about = [title === type ? "" : title, description].filter(Boolean).map(oneLine).join(". ");
  return `- \`${type}\`${about ? `: ${about}.` : ":"}${paramsText(paramsSchema)}`;
}

function paramsText(schema: JsonObject | null): string {
  if (schema === null) return " Params: any object.";
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.entries(properties);
  if (names.length === 0) return " No params.";
  const told = names.map(([name, property]) => {
    const facts = [typeText(property), required.includes(name) ? "required" : "optional"];
    const about = isJsonObject(property) ? property.description : undefined;
    return `\`${name}\` (${facts.join(", ")})${typeof about === "string" ? ` ${oneLine(about)}` : ""}`;
  });
  return ` Params: ${told.join("; ")}.`;
}

function typeText(property: JsonValue | undefined): string {
  if (!isJsonObject(property)) return "any";
  const { type, enum: values, items, anyOf } = property;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (type === "array") return `list of ${typeText(items)}`;
  if (typeof type === "string") return type;
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(" | ");
  return "any";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
}
