import { checkAnswers } from "./check-answers.ts";
import { checkStarts } from "./check-starts.ts";
import { checkSteps } from "./check-steps.ts";
import { checkTimelines } from "./check-timelines.ts";
import { checkWatchers } from "./check-watchers.ts";
import type { History } from "./history.ts";

/** What a checker found: every broken promise in words, and how much it looked at. */
export interface Findings {
  violations: string[];
  counts: Record<string, number>;
}

const checkers: ((history: History) => Findings)[] = [
  checkStarts,
  checkTimelines,
  checkSteps,
  checkAnswers,
  checkWatchers,
];

/** Holds everything that was acknowledged against what is there in the end. */
export function checkHistory(history: History): Findings {
  const all: Findings = { violations: [...history.mishaps], counts: {} };
  for (const check of checkers) {
    const { violations, counts } = check(history);
    all.violations.push(...violations);
    Object.assign(all.counts, counts);
  }
  all.violations.push(...history.final.damage.map((line) => `the database is damaged: ${line}`));
  return all;
}
