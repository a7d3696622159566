import type { QuestionData, Urgency } from "./task-question.ts";

type Pressing = Pick<QuestionData, "askedAt" | "deadline" | "timeout" | "hasDefault" | "urgency">;

/** How long an agent may stand still before its question comes before others, in seconds. */
export const patienceSeconds: Readonly<Record<Urgency, number>> = {
  low: 4 * 3600,
  normal: 1800,
  high: 300,
};
/** A deadline without a default ends in failure: it counts as earlier than it is by this much. */
export const maxLeadSeconds = 600;
/** Tasks can start tasks that start tasks. More than this behind one question makes no difference. */
export const maxTasksBehind = 10;

/**
 * By when a question should be answered, in milliseconds since 1970: a little before its deadline, and
 * soon after it was asked, sooner the more urgent it is and the more tasks stand still behind it.
 *
 * It does not depend on the present moment, so that two questions never change places just because
 * time goes by.
 */
export function answerBy(question: Pressing, tasksBehind = 0): number {
  const { askedAt, deadline, timeout, hasDefault, urgency } = question;
  const patience = patienceSeconds[urgency] / (1 + tasksBehind);
  const lead = hasDefault ? 0 : Math.min(timeout / 5, maxLeadSeconds);
  const by = Math.min(Date.parse(askedAt) + patience * 1000, Date.parse(deadline) - lead * 1000);
  return Math.round(by);
}
