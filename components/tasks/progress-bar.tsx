import type { Progress } from "@/server/core/task.ts";
import type { TaskStatus } from "@/server/core/task-status.ts";
import { cn } from "../ui/cn.ts";
import { amountText, percentOf } from "./progress-text.ts";
import { statusTable } from "./status-table.ts";

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
