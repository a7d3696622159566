import { type Actor, isSameActor } from "./actor.ts";
import { hasStarted } from "./approval.ts";
import { beginningOf } from "./beginning-of.ts";
import { claimHolder, claimSeconds, noClaim } from "./claim.ts";
import type { Command, CommandResult } from "./command.ts";
import { Forbidden } from "./errors.ts";
import type { TaskDraft } from "./task-draft.ts";
import type { QuestionData } from "./task-question.ts";
import { addSeconds, parseTimestamp } from "./timestamp.ts";

/**
 * "I am on it": for others to see, and no more than that. Whoever may answer the question still may.
 *
 * @throws Forbidden for an agent, and for who must not approve what their own task asks for.
 */
export function claimQuestion(
  draft: TaskDraft,
  { questionId, actor, takeOver, at }: Command<"claim_question">,
): CommandResult<"claim_question"> {
  const question = draft.question(questionId);
  if (question.outcome !== null) return { claimed: false, question };
  requireAble(draft, question, actor);
  if (at >= parseTimestamp(question.deadline)) {
    const closed = draft.resolveQuestion(question, "timed_out", { actor: null });
    return { claimed: false, question: closed };
  }
  const holder = claimHolder(question, draft.now);
  const isHolders = isSameActor(holder, actor);
  if (holder !== null && !isHolders && !takeOver) return { claimed: false, question };
  // A call that is repeated, for example because its answer was lost, is told of once.
  const isFresh = (question.claimedUntil ?? "") > addSeconds(draft.now, claimSeconds - 10);
  if (isHolders && isFresh) return { claimed: true, question };
  const takenFrom = isHolders ? null : holder;
  const until = addSeconds(draft.stampOfNext, claimSeconds);
  draft.emit({ kind: "question_claimed", questionId, actor, until, takenFrom });
  const prompt = beginningOf(question.prompt, 200);
  const from = takenFrom && { takenFrom: takenFrom.name, takenFromId: takenFrom.id };
  draft.note("question.claimed", { prompt, until, ...from }, questionId);
  const claimed = draft.putQuestion({ ...question, claimedBy: actor, claimedUntil: until });
  return { claimed: true, question: claimed };
}

/** Takes a claim back. What nobody claims any more is released already. */
export function releaseQuestion(
  draft: TaskDraft,
  { questionId, actor }: Command<"release_question">,
): CommandResult<"release_question"> {
  const question = draft.question(questionId);
  const holder = claimHolder(question, draft.now);
  if (holder === null || question.outcome !== null) return { released: true, question };
  if (!isSameActor(holder, actor)) return { released: false, question };
  draft.emit({ kind: "question_released", questionId, actor });
  draft.note("question.released", { prompt: beginningOf(question.prompt, 200) }, questionId);
  return { released: true, question: draft.putQuestion({ ...question, ...noClaim }) };
}

function requireAble(draft: TaskDraft, question: QuestionData, actor: Actor): void {
  if (actor.kind !== "operator") {
    throw new Forbidden("Only a person can take on a question, in the dashboard.");
  }
  const { approval } = question;
  if (approval && !approval.selfApproval && hasStarted(actor, draft.task.createdBy)) {
    throw new Forbidden(
      `${actor.name} started task ${draft.task.taskId}, itself or through a key of theirs; somebody ` +
        "else has to see to what it asks for.",
    );
  }
}
