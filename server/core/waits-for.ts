import { type Actor, isSameActor } from "./actor.ts";
import { hasStarted } from "./approval.ts";
import { claimHolder } from "./claim.ts";
import type { TaskRecord } from "./task.ts";
import type { QuestionData } from "./task-question.ts";
import type { Timestamp } from "./timestamp.ts";

/**
 * Whether a question is one that somebody is to see to: open, not for others only, not taken on by
 * somebody else, and not an approval that they gave already or must not give.
 */
export function waitsFor(
  question: QuestionData,
  task: Pick<TaskRecord, "createdBy">,
  actor: Actor,
  now: Timestamp,
): boolean {
  const { outcome, answerableBy, approval } = question;
  if (outcome !== null) return false;
  if (answerableBy === "operator" && actor.kind !== "operator") return false;
  const holder = claimHolder(question, now);
  if (holder !== null && !isSameActor(holder, actor)) return false;
  if (approval === null) return true;
  if (!approval.selfApproval && hasStarted(actor, task.createdBy)) return false;
  return !approval.given.some(({ by }) => isSameActor(by, actor));
}
