import { isSameActor } from "./actor.ts";
import { type Approval, type ApprovalVote, hasStarted } from "./approval.ts";
import { auditDetail } from "./audit.ts";
import { noClaim } from "./claim.ts";
import type { Command, CommandResult } from "./command.ts";
import { Conflict, Forbidden, InvalidAnswer } from "./errors.ts";
import type { JsonValue } from "./json.ts";
import type { TaskDraft } from "./task-draft.ts";
import type { QuestionData } from "./task-question.ts";
import { addSeconds } from "./timestamp.ts";

type ApprovalQuestion = QuestionData & { approval: Approval };

/** True for a question that asks to approve an action. */
export function isApproval(question: QuestionData): question is ApprovalQuestion {
  return question.approval !== null;
}

/** An approval as it is asked: nobody has agreed yet, whatever the command says. */
export function unresolved(question: ApprovalQuestion): QuestionData {
  const { approval } = question;
  return {
    ...question,
    answerableBy: "operator",
    hasDefault: false,
    defaultValue: null,
    outcome: null,
    answer: null,
    answeredAt: null,
    resolvedAt: null,
    resolvedBy: null,
    approval: {
      ...approval,
      argsDigest: approval.askedDigest,
      edited: null,
      given: [],
      expiresAt: null,
      usedBy: null,
    },
  };
}

/**
 * One person's yes to an open approval. It counts once for each person; the one that makes the
 * number full answers the question.
 *
 * @throws Forbidden for anybody but an operator, and for who must not approve their own task.
 * @throws Conflict when the arguments are not those the person had before their eyes.
 * @throws InvalidAnswer when the person may not edit, or does not say which arguments they mean.
 */
export function approve(
  draft: TaskDraft,
  question: ApprovalQuestion,
  { actor, approval: vote }: Pick<Command<"resolve">, "actor" | "approval">,
): CommandResult<"resolve"> {
  const { approval, questionId } = question;
  if (actor?.kind !== "operator") {
    throw new Forbidden(
      `"${approval.action}" can only be approved by an operator, in the dashboard.`,
    );
  }
  if (!approval.selfApproval && hasStarted(actor, draft.task.createdBy)) {
    throw new Forbidden(
      `${actor.name} started task ${draft.task.taskId}, itself or through a key of theirs; somebody ` +
        "else has to approve what it asks for.",
    );
  }
  if (!vote) throw new InvalidAnswer(`An approval is answered with { "approve": true }.`);
  requireSeen(approval, vote);
  const isEdit = vote.edit !== null && vote.edit.argsDigest !== approval.argsDigest;
  if (isEdit && !approval.allowEdit) {
    throw new InvalidAnswer(
      `The arguments of "${approval.action}" must not be changed. Approve them as they are, or decline.`,
    );
  }
  if (!isEdit && approval.given.some(({ by }) => isSameActor(by, actor))) {
    return { won: true, question };
  }
  const dropped = isEdit ? approval.given.length : 0;
  const given = [...(isEdit ? [] : approval.given), { by: actor, at: draft.stampOfNext }];
  const { askedDigest } = approval;
  const standing = isEdit && vote.edit ? vote.edit : approval;
  const edit = { by: actor, at: draft.stampOfNext, askedArgs: askedArgsOf(approval) };
  const edited = standing.argsDigest === askedDigest ? null : isEdit ? edit : approval.edited;
  const { args, argsDigest } = standing;
  const next: Approval = { ...approval, args, argsDigest, edited, given };
  draft.note(
    "approval.given",
    {
      action: approval.action,
      args: auditDetail(args),
      argsDigest,
      given: given.length,
      needed: next.needed,
      ...(isEdit && { edited: true, askedArgs: auditDetail(edit.askedArgs) }),
    },
    questionId,
  );
  if (given.length >= next.needed) {
    const expiresAt = addSeconds(draft.stampOfNext, next.expiresIn);
    const granted = { ...question, approval: { ...next, expiresAt } };
    const answer = answerOf(next);
    return { won: true, question: draft.resolveQuestion(granted, "answered", { answer, actor }) };
  }
  draft.emit({
    kind: "approval_given",
    questionId,
    actor,
    given: given.length,
    needed: next.needed,
    edited: isEdit,
    dropped,
  });
  // Their part is done: whoever is to give the next approval need not hold back for them.
  const claim = isSameActor(question.claimedBy, actor) ? noClaim : {};
  const waiting = draft.putQuestion({ ...question, ...claim, approval: next });
  return { won: true, question: waiting };
}

/** Whether a vote that comes after the end says what was decided, by one of those who did. */
export function repeatsApproval(
  { approval, outcome }: ApprovalQuestion,
  { actor, outcome: said, approval: vote }: Command<"resolve">,
): boolean {
  if (outcome !== "answered" || said !== "answered" || !vote) return false;
  if (!approval.given.some(({ by }) => isSameActor(by, actor))) return false;
  const meant = vote.edit?.argsDigest ?? vote.seenDigest ?? approval.argsDigest;
  return meant === approval.argsDigest;
}

// Who approves what stands has to have seen it: it may have been edited since they looked.
function requireSeen(approval: Approval, { seenDigest, edit }: ApprovalVote): void {
  if (seenDigest !== null && seenDigest !== approval.argsDigest) {
    throw new Conflict(
      `The arguments of "${approval.action}" have changed since you looked. Look again before you decide.`,
      { argsDigest: approval.argsDigest },
    );
  }
  if (seenDigest === null && edit === null && approval.edited !== null) {
    throw new InvalidAnswer(
      `The arguments of "${approval.action}" were edited by ${approval.edited.by.name}. Say which ones you ` +
        `approve: { "approve": true, "argsDigest": "…" }, with the digest of those you saw.`,
    );
  }
}

function askedArgsOf({ args, edited }: Approval): JsonValue {
  return edited === null ? args : edited.askedArgs;
}

function answerOf({ args, edited }: Approval): JsonValue {
  return edited === null ? { approve: true } : { approve: true, args };
}
