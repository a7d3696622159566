import { answerBy } from "@/server/core/answer-by.ts";
import type { QuestionData } from "@/server/core/task-question.ts";

/**
 * The questions an inbox shows, each once, in the order in which they should be answered. A question
 * that was resolved while the page showed it stays until it is dismissed.
 */
export function inboxOrder<Q extends QuestionData & { tasksBehind?: number }>(
  questions: readonly Q[],
  dismissed: ReadonlySet<string>,
): Q[] {
  const byId = new Map(questions.map((question) => [question.questionId, question]));
  return [...byId.values()]
    .filter(({ questionId, outcome }) => outcome === null || !dismissed.has(questionId))
    .map((question) => ({ question, by: answerBy(question, question.tasksBehind) }))
    .sort((a, b) => a.by - b.by || (a.question.questionId < b.question.questionId ? -1 : 1))
    .map(({ question }) => question);
}

/**
 * A list that does not move under whoever reads it. What is shown keeps its order; what is new goes to
 * its place, unless that is before the `anchor`, the row that is being read: then it is held back.
 *
 * @param shown ids as they stand on the page.
 * @param wanted ids as they would be sorted; what is not among them is gone.
 */
export function settledOrder(
  shown: readonly string[],
  wanted: readonly string[],
  anchor: string | null,
): { ids: string[]; held: string[] } {
  const there = new Set(wanted);
  const kept = shown.filter((id) => there.has(id));
  const placeOf = new Map(kept.map((id, at) => [id, at]));
  const anchorAt = anchor === null ? -1 : (placeOf.get(anchor) ?? -1);
  const held: string[] = [];
  // New ids by the place in `kept` that they come before.
  const before = new Map<number, string[]>();
  let place = 0;
  for (const id of wanted) {
    const at = placeOf.get(id);
    if (at !== undefined) place = at + 1;
    else if (place <= anchorAt) held.push(id);
    else before.set(place, [...(before.get(place) ?? []), id]);
  }
  if (before.size === 0) return { ids: kept.length === shown.length ? [...shown] : kept, held };
  const ids = kept.flatMap((id, at) => [...(before.get(at) ?? []), id]);
  return { ids: [...ids, ...(before.get(kept.length) ?? [])], held };
}

/** The row to go to from one: the next that fits, in this direction; null when there is none. */
export function neighbour(
  ids: readonly string[],
  from: string | null,
  step: 1 | -1,
  fits: (id: string) => boolean,
): string | null {
  const start = from === null ? (step === 1 ? -1 : ids.length) : ids.indexOf(from);
  for (let at = start + step; at >= 0 && at < ids.length; at += step) {
    const id = ids[at];
    if (id !== undefined && fits(id)) return id;
  }
  return null;
}
