import type { z } from "zod";
import { InvalidAnswer, InvalidInput } from "../core/errors.ts";
import { describeIssues, shortened } from "../core/issues.ts";
import { type JsonObject, type JsonValue, jsonEquals, toJsonValue } from "../core/json.ts";
import type { QuestionRequest } from "../core/task-context.ts";
import {
  type Choice,
  defaultQuestionTimeout,
  type QuestionData,
  urgencies,
} from "../core/task-question.ts";
import { checkWithSchema } from "./check-with-schema.ts";
import { fromJsonSchema, isZodSchema, refuseEndlessRefs, toJsonSchema } from "./json-schema.ts";
import { marksSecrets } from "./secret-parts.ts";

/** A question as the handler put it, checked: everything but ids and times. */
export type CheckedRequest = Pick<
  QuestionData,
  | "prompt"
  | "timeout"
  | "choices"
  | "multiple"
  | "schema"
  | "answerableBy"
  | "urgency"
  | "secret"
  | "hasDefault"
  | "defaultValue"
  | "context"
  | "approval"
>;

/** @throws InvalidInput saying what is wrong with the question. */
export function checkRequest(request: QuestionRequest): CheckedRequest {
  const { prompt, timeout = defaultQuestionTimeout, urgency = "normal" } = request;
  if (typeof prompt !== "string" || prompt.trim() === "") {
    throw new InvalidInput("A question needs a prompt: a text that is not empty.");
  }
  // A hundred years; Infinity would leave no deadline to store.
  if (!(timeout > 0) || timeout > 3_153_600_000) {
    throw new InvalidInput(
      `A question's timeout is in seconds and above 0, but this is ${timeout}.`,
    );
  }
  if (!urgencies.includes(urgency)) {
    throw new InvalidInput(`A question's urgency is ${urgencies.join(", ")}, not "${urgency}".`);
  }
  if (request.choices && request.schema) {
    throw new InvalidInput("A question has choices or a schema, not both.");
  }
  if (request.multiple && !request.choices) {
    throw new InvalidInput("A question with `multiple` needs choices to choose from.");
  }
  const schema = request.schema ? toSchema(request.schema) : null;
  const secret = request.secret ?? (schema !== null && marksSecrets(schema));
  if (secret) refuseWithSecret(request);
  const checked: CheckedRequest = {
    prompt,
    timeout,
    choices: request.choices ? checkChoices(request.choices) : null,
    multiple: request.multiple ?? false,
    schema,
    answerableBy: secret ? "operator" : (request.answerableBy ?? "anyone"),
    urgency,
    secret,
    hasDefault: request.default !== undefined,
    defaultValue: request.default === undefined ? null : toJsonValue(request.default, "default"),
    context: request.context === undefined ? null : toJsonValue(request.context, "context"),
    approval: null,
  };
  if (checked.hasDefault) {
    try {
      checkAnswer(checked, checked.defaultValue);
    } catch (error) {
      throw new InvalidInput(`The default is no valid answer: ${(error as Error).message}`);
    }
  }
  return checked;
}

/** @throws InvalidInput for what a secret question cannot have. */
function refuseWithSecret({ choices, answerableBy, default: preset }: QuestionRequest): void {
  const clash =
    (choices && "choices, which everybody can read") ||
    (preset !== undefined && "a default, which would be stored in the clear") ||
    (answerableBy === "anyone" && '`answerableBy: "anyone"`: only operators may answer it');
  if (clash) throw new InvalidInput(`A secret question cannot have ${clash}.`);
}

function checkChoices(choices: NonNullable<QuestionRequest["choices"]>): Choice[] {
  const all = choices.map((choice) =>
    typeof choice === "string"
      ? { value: choice, label: choice }
      : { ...choice, label: choice.label ?? choice.value },
  );
  if (all.length === 0) throw new InvalidInput("A question's choices are empty; leave them out.");
  const values = all.map(({ value }) => value);
  if (values.some((value) => typeof value !== "string" || value === "")) {
    throw new InvalidInput("Every choice has a value: a text that is not empty.");
  }
  if (new Set(values).size < values.length) {
    throw new InvalidInput(`Two choices have the same value: ${values.join(", ")}.`);
  }
  return all;
}

/** The JSON Schema of what an answer, or a part of it, must be. @throws InvalidInput */
export function toSchema(schema: z.ZodType | JsonObject): JsonObject {
  const isZod = isZodSchema(schema);
  const json = isZod
    ? toJsonSchema(schema, "input")
    : (toJsonValue(schema, "schema") as JsonObject);
  if (!isZod) fromJsonSchema(json);
  refuseEndlessRefs(json);
  return json;
}

/**
 * Checks an answer against what is stored of the question, so that it gives the same verdict in
 * every process and after a restart.
 *
 * @throws InvalidAnswer saying what would be right.
 */
export function checkAnswer(
  question: Pick<QuestionData, "choices" | "multiple" | "schema">,
  answer: JsonValue,
): void {
  const { choices, multiple, schema } = question;
  if (choices) {
    checkChoice(choices, multiple, answer);
  } else if (schema) {
    const parsed = checkWithSchema(schema, answer);
    if (parsed.success) return;
    throw misfit(parsed.error);
  } else if (typeof answer !== "string") {
    throw invalid(`The answer to this question is a text, not ${kindOf(answer)}.`);
  }
}

/**
 * What the handler's own schema makes of an answer: it also checks what JSON Schema cannot say.
 *
 * @throws InvalidAnswer saying what would be right.
 */
export async function parseAnswer(schema: z.ZodType, answer: JsonValue): Promise<unknown> {
  const parsed = await schema.safeParseAsync(answer);
  if (parsed.success) return parsed.data;
  throw misfit(parsed.error);
}

function checkChoice(choices: Choice[], multiple: boolean, answer: JsonValue): void {
  const values = choices.map(({ value }) => value);
  const offered = `Choose from: ${values.join(", ")}.`;
  if (!multiple) {
    if (typeof answer === "string" && values.includes(answer)) return;
    throw invalid(`${shortened(JSON.stringify(answer))} is not one of the choices. ${offered}`);
  }
  if (!Array.isArray(answer)) {
    throw invalid(`The answer is a list of choices, not ${kindOf(answer)}. ${offered}`);
  }
  const wrong = answer.find((value) => typeof value !== "string" || !values.includes(value));
  if (wrong !== undefined) {
    throw invalid(`${shortened(JSON.stringify(wrong))} is not one of the choices. ${offered}`);
  }
  if (new Set(answer).size < answer.length) {
    throw invalid(`A choice appears twice in the answer. ${offered}`);
  }
}

/** @param within the part of the answer that does not fit; all of it when not given. */
export function misfit(error: z.ZodError, within = ""): InvalidAnswer {
  const { issues, text } = describeIssues(
    within === "" ? error.issues : error.issues.map((i) => ({ ...i, path: [within, ...i.path] })),
  );
  return new InvalidAnswer(`The answer does not fit the question: ${text}`, { issues });
}

function invalid(message: string): InvalidAnswer {
  return new InvalidAnswer(message, { issues: [{ path: "", message }] });
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** True when a replayed question asks for the same kind of answer as the recorded one. */
export function asksForTheSame(recorded: QuestionData, now: CheckedRequest): boolean {
  const shape = ({
    choices,
    multiple,
    schema,
    secret,
    approval,
  }: CheckedRequest | QuestionData) => ({
    values: choices?.map(({ value }) => value) ?? null,
    multiple,
    schema,
    secret,
    approval: approval && [approval.action, approval.askedDigest],
  });
  return jsonEquals(shape(recorded), shape(now));
}
