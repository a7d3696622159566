import type { Approval } from "@/server/core/approval.ts";

/** Who approved: `Ann and Bob`. */
export function approversText({ given }: Pick<Approval, "given">): string {
  return new Intl.ListFormat("en-GB").format(given.map(({ by }) => by.name));
}

/** What was approved, in one line. */
export function approvedText({ action, edited }: Pick<Approval, "action" | "edited">): string {
  return edited === null ? action : `${action}, with arguments edited by ${edited.by.name}`;
}
