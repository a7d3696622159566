import type { Progress } from "@/server/core/task.ts";
import type { TaskStatus } from "@/server/core/task-status.ts";
import { cn } from "../ui/cn.ts";
import { statusTable } from "./status-table.ts";

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

export function ProgressBar({
  progress,
  status,
  className,
}: {
  progress: Progress;
  status: TaskStatus;
  className?: string;
}) {
  const percent = percentOf(progress);
  const moves = percent === null && status === "running";
  return (
    <div
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent === null ? undefined : Math.round(percent)}
      aria-valuetext={amountText(progress)}
      className={cn("h-1 overflow-hidden rounded-full bg-ink/12", className)}
    >
      <div
        className={cn(
          "h-full rounded-full transition-[width] duration-300 ease-out",
          statusTable[status].solid,
          moves && "animate-sweep",
        )}
        style={{ width: percent === null ? (moves ? "30%" : "100%") : `${percent}%` }}
      />
    </div>
  );
}
