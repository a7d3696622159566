import type { QuestionData, Urgency } from "@/server/core/task-question.ts";
import { millisOf } from "../time/time-text.ts";

type Ordered = Pick<
  QuestionData,
  "questionId" | "askedAt" | "deadline" | "timeout" | "hasDefault" | "urgency"
> & { tasksBehind?: number };

// How long an agent may stand still before its question comes before others, in seconds.
const patienceSeconds: Record<Urgency, number> = { low: 4 * 3600, normal: 1800, high: 300 };
// A deadline without a default ends in failure: it counts as earlier than it is by this much.
const maxLeadSeconds = 600;

/**
 * By when a question should be answered, in milliseconds since 1970: a little before its deadline, and
 * soon after it was asked, sooner the more urgent it is and the more tasks stand still behind it.
 *
 * It does not depend on the present moment, so that two questions never change places just because
 * time goes by.
 */
export function answerBy(question: Ordered): number {
  const { askedAt, deadline, timeout, hasDefault, urgency, tasksBehind = 0 } = question;
  const patience = patienceSeconds[urgency] / (1 + tasksBehind);
  const lead = hasDefault ? 0 : Math.min(timeout / 5, maxLeadSeconds);
  return Math.min(millisOf(askedAt) + patience * 1000, millisOf(deadline) - lead * 1000);
}

/**
 * The questions an inbox shows, each once, in the order in which they should be answered. A question
 * that was resolved while the page showed it stays until it is dismissed.
 */
export function inboxOrder<Q extends QuestionData>(
  questions: readonly Q[],
  dismissed: ReadonlySet<string>,
): Q[] {
  const byId = new Map(questions.map((question) => [question.questionId, question]));
  return [...byId.values()]
    .filter(({ questionId, outcome }) => outcome === null || !dismissed.has(questionId))
    .map((question) => ({ question, by: answerBy(question) }))
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
