import type { QuestionData } from "@/server/core/task-question.ts";

/**
 * The questions an inbox shows, each once, soonest deadline first. A question that was resolved
 * while the page showed it keeps its place, so that nothing jumps under the pointer.
 */
export function inboxOrder<Q extends QuestionData>(
  questions: readonly Q[],
  dismissed: ReadonlySet<string>,
): Q[] {
  const byId = new Map(questions.map((question) => [question.questionId, question]));
  return [...byId.values()]
    .filter(({ questionId, outcome }) => outcome === null || !dismissed.has(questionId))
    .sort((a, b) => order(a.deadline, b.deadline) || order(a.questionId, b.questionId));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
