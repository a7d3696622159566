import type { JsonValue } from "../../core/json.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Choice, QuestionData } from "../../core/task-question.ts";

type Asked = Pick<QuestionData, "choices" | "multiple" | "schema">;

/**
 * What an answer by a language model may have meant, most literal first. Models write everything as
 * text: a text that does not fit is read as JSON, and then as the label of a choice.
 */
export function answerCandidates({ choices, multiple }: Asked, answer: JsonValue): JsonValue[] {
  const readings: JsonValue[] = [answer];
  if (typeof answer === "string") readings.push(...parsed(answer));
  if (typeof answer === "number" || typeof answer === "boolean") readings.push(String(answer));
  if (choices) readings.push(...readings.flatMap((value) => chosen(choices, multiple, value)));
  const seen = new Set<string>();
  return readings.filter((value) => {
    const text = canonicalJson(value);
    return !seen.has(text) && seen.add(text);
  });
}

function parsed(text: string): JsonValue[] {
  try {
    return [JSON.parse(text) as JsonValue];
  } catch {
    return [];
  }
}

function chosen(choices: readonly Choice[], multiple: boolean, answer: JsonValue): JsonValue[] {
  if (!multiple) return valueMeant(choices, Array.isArray(answer) ? onlyOf(answer) : answer);
  const whole = valueMeant(choices, answer);
  if (whole.length > 0) return [whole];
  const list = typeof answer === "string" ? answer.split(/[,;\n]/) : answer;
  if (!Array.isArray(list)) return [];
  const values = list.flatMap((item) => valueMeant(choices, item));
  return values.length === list.length ? [values] : [];
}

function onlyOf(list: readonly JsonValue[]): JsonValue {
  return list.length === 1 ? (list[0] as JsonValue) : null;
}

/** The value of the one choice that is meant; none where it is not clear which. */
function valueMeant(choices: readonly Choice[], answer: JsonValue): string[] {
  if (answer === null || typeof answer === "object") return [];
  const told = String(answer);
  const exact = choices.find(({ value }) => value === told);
  if (exact) return [exact.value];
  const wanted = folded(told);
  const found = choices.filter(
    ({ value, label }) => folded(label) === wanted || folded(value) === wanted,
  );
  return found.length === 1 ? found.map(({ value }) => value) : [];
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
