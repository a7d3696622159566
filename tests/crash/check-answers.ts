import { canonicalJson, type JsonValue } from "../../server/core/json.ts";
import type { Findings } from "./check-history.ts";
import type { History } from "./history.ts";

/** A question has one outcome; everybody was told that one, and no acknowledged answer is lost. */
export function checkAnswers({ answers, ledger, final }: History): Findings {
  const violations: string[] = [];
  const questions = new Map(final.questions.map((question) => [question.questionId, question]));
  const resolved = new Map<string, string[]>();
  for (const { events } of final.tasks) {
    for (const event of events) {
      if (event.kind !== "question_resolved") continue;
      resolved.set(event.questionId, [...(resolved.get(event.questionId) ?? []), event.outcome]);
    }
  }
  for (const { questionId, outcome } of final.questions) {
    const outcomes = resolved.get(questionId) ?? [];
    if (outcome === null) violations.push(`question ${questionId} is still open`);
    else if (outcomes.length !== 1 || outcomes[0] !== outcome) {
      violations.push(`question ${questionId} is ${outcome}; its timeline says ${outcomes}`);
    }
  }

  const differs = (questionId: string, outcome: string, answer: unknown) => {
    const kept = questions.get(questionId);
    if (!kept) return "is not there";
    if (kept.outcome !== outcome) return `is ${kept.outcome}`;
    const same = canonicalJson(kept.answer) === canonicalJson((answer ?? null) as JsonValue);
    return same ? null : `has the answer ${JSON.stringify(kept.answer)}`;
  };
  for (const { questionId, said, told } of answers) {
    const wrong = differs(questionId, told.outcome, told.answer);
    if (wrong) {
      const what = `${told.won ? "won" : "lost"}, ${told.outcome} ${JSON.stringify(told.answer)}`;
      violations.push(`question ${questionId} ${wrong}; somebody was told: ${what}`);
    }
    if (told.won && differs(questionId, said.outcome, said.answer)) {
      violations.push(`the answer ${said.answer} to ${questionId} was acknowledged and is lost`);
    }
  }
  for (const line of ledger) {
    if (line.kind !== "heard") continue;
    // A question that a cancel came before was never asked.
    if (line.outcome === "cancelled" && !questions.has(line.questionId)) continue;
    const wrong = differs(line.questionId, line.outcome, line.answer);
    if (wrong) violations.push(`question ${line.questionId} ${wrong}; its handler heard otherwise`);
  }
  const won = answers.filter(({ told }) => told.won).length;
  return {
    violations,
    counts: { questions: final.questions.length, "answers that won": won, answers: answers.length },
  };
}
