"use client";

import type { Progress, TaskRecord } from "@/server/core/task.ts";
import { Ticking } from "../time/ticking.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { amountText, percentOf, rateText, workLeftText } from "./progress-text.ts";

/** How far the task says it is, how fast it goes on, and how much work is left. */
export function TaskProgress({ task, progress }: { task: TaskRecord; progress: Progress }) {
  const percent = percentOf(progress);
  const rate = task.clock === "working" ? rateText(progress) : null;
  return (
    <div className="mt-2.5 max-w-4xl">
      <div className="mb-1 flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="min-w-40 flex-1 truncate text-ink-2" dir="auto">
          {progress.message}
        </span>
        <span className="tabular flex shrink-0 flex-wrap items-baseline gap-x-3 text-ink-2">
          <span className="text-ink-3">
            <Ticking of={(now) => workLeftText(task, now) ?? ""} />
          </span>
          {rate !== null && <span className="text-ink-3">{rate}</span>}
          <span>{amountText(progress)}</span>
          {percent !== null && (
            <strong className="font-semibold text-ink">{Math.floor(percent)} %</strong>
          )}
        </span>
      </div>
      <ProgressBar progress={progress} status={task.status} />
    </div>
  );
}
