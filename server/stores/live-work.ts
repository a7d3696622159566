import { beginningOf } from "../core/beginning-of.ts";
import type { LiveCount, WaitingQuestion } from "../core/overview.ts";
import type { QuestionData } from "../core/task-question.ts";

/** The order of {@link LiveCount}s. */
export function byTypeAndStatus(a: LiveCount, b: LiveCount): number {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.status < b.status ? -1 : 1;
}

/** A question as the overview shows it; its prompt as far as a line takes. */
export function toWaitingQuestion(question: QuestionData, taskType: string): WaitingQuestion {
  const { questionId, taskId, prompt, askedAt, deadline } = question;
  return { questionId, taskId, taskType, prompt: beginningOf(prompt, 300), askedAt, deadline };
}

export function longerWaiting(a: WaitingQuestion, b: WaitingQuestion): boolean {
  return a.askedAt === b.askedAt ? a.questionId < b.questionId : a.askedAt < b.askedAt;
}
