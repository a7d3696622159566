import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type { Choice, QuestionData } from "../../core/task-question.ts";

/** The one field of the form for a question that is not itself a form. */
const answerField = "answer";

/** An elicitation in form mode. */
export interface QuestionForm {
  method: "elicitation/create";
  params: { mode: "form"; message: string; requestedSchema: JsonObject };
}

/**
 * Whether a client may be asked: questions for operators are theirs, and forms must not ask for
 * secrets, which are typed into the dashboard.
 */
export function isForClients(question: Readonly<QuestionData>): boolean {
  const { outcome, answerableBy, secret } = question;
  return outcome === null && answerableBy === "anyone" && !secret;
}

/** A question as an elicitation. Forms are flat: any other schema is asked for as JSON text. */
export function questionForm(question: Readonly<QuestionData>): QuestionForm {
  const { prompt: message } = question;
  return {
    method: "elicitation/create",
    params: { mode: "form", message, requestedSchema: requestedSchema(question) },
  };
}

/** The answer that the content of an accepted form gives. */
export function answerOfForm(question: Readonly<QuestionData>, content: JsonObject): JsonValue {
  if (isForm(question)) return content;
  return content[answerField] ?? null;
}

function requestedSchema(question: Readonly<QuestionData>): JsonObject {
  const { choices, multiple, schema } = question;
  if (isForm(question)) {
    const { properties, required = [] } = schema as JsonObject;
    return { type: "object", properties: properties as JsonValue, required };
  }
  if (choices) return oneField(choiceField(choices, multiple));
  if (schema === null) return oneField({ type: "string", title: "Answer" });
  if (isFlatField(schema)) return oneField(schema);
  const description = `JSON that fits this schema: ${JSON.stringify(schema)}`;
  return oneField({ type: "string", title: "Answer as JSON", description });
}

function oneField(field: JsonObject): JsonObject {
  return { type: "object", properties: { [answerField]: field }, required: [answerField] };
}

function choiceField(choices: readonly Choice[], multiple: boolean): JsonObject {
  const titled = choices.map(({ value, label }) => ({ const: value, title: label }));
  return multiple
    ? { type: "array", title: "Answer", items: { anyOf: titled } }
    : { type: "string", title: "Answer", oneOf: titled };
}

/** An object of plain fields can be asked for as it is. */
function isForm({ choices, schema }: Readonly<QuestionData>): boolean {
  if (choices || schema?.type !== "object" || !isJsonObject(schema.properties)) return false;
  const fields = Object.values(schema.properties);
  return fields.length > 0 && fields.every((field) => isJsonObject(field) && isFlatField(field));
}

const flatKeys = new Set([
  "type",
  "title",
  "description",
  "default",
  "enum",
  "minLength",
  "maxLength",
  "format",
  "minimum",
  "maximum",
]);

const flatTypes: readonly JsonValue[] = ["string", "number", "integer", "boolean"];

function isFlatField(field: JsonObject): boolean {
  return (
    flatTypes.includes(field.type ?? null) && Object.keys(field).every((key) => flatKeys.has(key))
  );
}
