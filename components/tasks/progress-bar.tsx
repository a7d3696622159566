import type { Progress } from "@/server/core/task.ts";
import type { TaskStatus } from "@/server/core/task-status.ts";
import { cn } from "../ui/cn.ts";
import { amountText, percentOf } from "./progress-text.ts";
import { statusTable } from "./status-table.ts";

/** How far a task is. What is not known is dotted while nothing moves. */
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
  // A full bar would say that it is done, and nobody knows how far it is.
  const isUnknown = percent === null && !moves;
  return (
    <div
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent === null ? undefined : Math.round(percent)}
      aria-valuetext={amountText(progress)}
      className={cn(
        "h-1 overflow-hidden rounded-full",
        isUnknown ? "border-line-strong border-t-4 border-dotted" : "bg-ink/12",
        className,
      )}
    >
      {!isUnknown && (
        <div
          className={cn(
            "h-full rounded-full transition-[width] duration-300 ease-out",
            statusTable[status].solid,
            moves && "animate-sweep",
          )}
          style={{ width: moves ? "30%" : `${percent}%` }}
        />
      )}
    </div>
  );
}
