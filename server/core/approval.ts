import { type Actor, isSameActor } from "./actor.ts";
import { GrantRefused } from "./errors.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { QuestionData } from "./task-question.ts";
import type { Timestamp } from "./timestamp.ts";

/** Seconds a grant can be used after it was given, when the handler names no other time. */
export const defaultGrantSeconds = 900;

/** One person's yes to an action with exactly the arguments that stand now. */
export interface GivenApproval {
  by: Actor;
  at: Timestamp;
}

/** What makes a question an approval: what is to be done, who agreed, and what became of it. */
export interface Approval {
  action: string;
  /** The arguments that stand: as the handler asked, or as an operator last edited them. */
  args: JsonValue;
  /** SHA-256 of the canonical JSON of `args`, in hex. */
  argsDigest: string;
  /** The digest of what the handler asked for. */
  askedDigest: string;
  /** JSON Schema that edited arguments must fit; null when any JSON will do. */
  argsSchema: JsonObject | null;
  /** Whether an operator may change the arguments. */
  allowEdit: boolean;
  /** The last edit, with what the handler had asked for; null when nobody edited. */
  edited: { by: Actor; at: Timestamp; askedArgs: JsonValue } | null;
  /** How many different people have to approve. */
  needed: number;
  /** Who approved the arguments that stand; each person once. */
  given: GivenApproval[];
  /** False: whoever started the task, or owns the key that did, must not approve. */
  selfApproval: boolean;
  /** Seconds the grant can be used once it is given. */
  expiresIn: number;
  /** Until when the grant can be used; null until it is given. */
  expiresAt: Timestamp | null;
  /** The step that used the grant; null until then. */
  usedBy: { name: string; key: string; at: Timestamp } | null;
}

/** What an operator said to an approval, read from the answer. */
export interface ApprovalVote {
  /** Digest of the arguments the operator had before their eyes; null when they did not say. */
  seenDigest: string | null;
  /** The arguments they approve instead; null when those that stand. */
  edit: { args: JsonValue; argsDigest: string } | null;
}

/** A step's use of a grant, recorded with the step. */
export interface GrantUse {
  questionId: string;
  /** Digest of what the step acts on. */
  argsDigest: string;
  /** When the step's function began. */
  at: Timestamp;
}

/** Whether this actor started the task, or owns the key with which an agent did. */
export function hasStarted(actor: Actor, createdBy: Actor): boolean {
  if (isSameActor(actor, createdBy)) return true;
  const { keyOwnerId = null } = createdBy;
  return actor.kind === "operator" && keyOwnerId !== null && keyOwnerId === actor.id;
}

/**
 * The one rule of what a grant may be used for; checked before a step runs, and again in the write
 * that records it.
 *
 * @param question the question the grant came of; null when there is none.
 * @throws GrantRefused; `details.reason` says which: `foreign`, `not_granted`, `other_args`, `used`
 *   or `expired`.
 */
export function checkGrant(question: QuestionData | null, taskId: string, use: GrantUse): Approval {
  const { questionId, argsDigest, at } = use;
  const refuse = (reason: string, why: string) =>
    new GrantRefused(`This grant cannot be used: ${why}`, { reason, questionId });
  if (!question || question.taskId !== taskId || !question.approval) {
    throw refuse("foreign", `it does not come from an approval of task ${taskId}.`);
  }
  const { approval, outcome } = question;
  if (outcome !== "answered" || approval.expiresAt === null || question.forgotten) {
    throw refuse("not_granted", `"${approval.action}" was not approved.`);
  }
  if (argsDigest !== approval.argsDigest) {
    throw refuse(
      "other_args",
      `"${approval.action}" was approved with other arguments. Use those in grant.args.`,
    );
  }
  if (approval.usedBy !== null) {
    throw refuse("used", `step "${approval.usedBy.name}" has used it at ${approval.usedBy.at}.`);
  }
  if (at >= approval.expiresAt) {
    throw refuse("expired", `it expired at ${approval.expiresAt}. Ask for approval again.`);
  }
  return approval;
}
