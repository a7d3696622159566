import type { Progress } from "@/server/core/task.ts";

const numbers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/** From 0 to 100; null when the handler does not know how much there is. */
export function percentOf({ done, total }: Pick<Progress, "done" | "total">): number | null {
  if (total === null || total <= 0) return null;
  return Math.min(100, Math.max(0, (done / total) * 100));
}

/** `62 %` or, with no total, the number done. */
export function progressText(progress: Pick<Progress, "done" | "total">): string {
  const percent = percentOf(progress);
  return percent === null ? numbers.format(progress.done) : `${Math.floor(percent)} %`;
}

/** `310 of 500`, or the number done. */
export function amountText({ done, total }: Pick<Progress, "done" | "total">): string {
  return total === null
    ? numbers.format(done)
    : `${numbers.format(done)} of ${numbers.format(total)}`;
}
