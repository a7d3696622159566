import type { Actor } from "./actor.ts";
import type { QuestionData } from "./task-question.ts";
import type { Timestamp } from "./timestamp.ts";

/** Seconds for which a claim counts, unless it is taken anew. */
export const claimSeconds = 600;

type Claim = Pick<QuestionData, "claimedBy" | "claimedUntil">;

/** What a question says that nobody is seeing to. */
export const noClaim: Claim = { claimedBy: null, claimedUntil: null };

/** Who is seeing to a question at this moment: a claim ends by the time alone. */
export function claimHolder({ claimedBy, claimedUntil }: Claim, now: Timestamp): Actor | null {
  return claimedUntil !== null && claimedUntil > now ? claimedBy : null;
}

/** A question as it is to be shown at this moment: without a claim whose time is over. */
export function withoutOldClaim<Q extends Claim>(question: Q, now: Timestamp): Q {
  const { claimedUntil } = question;
  return claimedUntil === null || claimedUntil > now ? question : { ...question, ...noClaim };
}
