import type { JsonObject, JsonValue } from "@/server/core/json.ts";
import type { Choice, QuestionData } from "@/server/core/task-question.ts";

/** Which controls a question's answer needs. */
export type AnswerKind =
  | { kind: "one"; choices: { choice: Choice; answer: JsonValue }[] }
  | { kind: "many"; choices: Choice[] }
  | { kind: "text" }
  | { kind: "secret" }
  | { kind: "schema"; schema: JsonObject };

const maxButtons = 12;

/** A schema that only offers a few values, as yes or no does, is answered like choices. */
export function answerKind(
  question: Pick<QuestionData, "choices" | "multiple" | "schema" | "secret">,
): AnswerKind {
  const { choices, multiple, schema } = question;
  if (choices !== null) {
    return multiple
      ? { kind: "many", choices }
      : { kind: "one", choices: choices.map((choice) => ({ choice, answer: choice.value })) };
  }
  if (schema === null) return question.secret ? { kind: "secret" } : { kind: "text" };
  if (schema.type === "boolean") {
    return { kind: "one", choices: [offer(true, "Yes"), offer(false, "No")] };
  }
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.length <= maxButtons) {
    return { kind: "one", choices: schema.enum.map((value) => offer(value, labelOf(value))) };
  }
  return { kind: "schema", schema };
}

function offer(answer: JsonValue, label: string): { choice: Choice; answer: JsonValue } {
  return { choice: { value: JSON.stringify(answer), label }, answer };
}

function labelOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
