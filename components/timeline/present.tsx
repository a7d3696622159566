"use client";

import type { Activity, TaskRecord } from "@/server/core/task.ts";
import { nextRunText } from "../tasks/next-run-text.ts";
import { timestampOf } from "../time/server-clock.ts";
import { clockText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { Knot } from "./knot.tsx";
import { presentRow, type Rail, type TimelineRow } from "./timeline-rows.ts";

/** The end of the thread of a task that has not ended: what it is doing, and for how long by now. */
export function Present({ task, before }: { task: TaskRecord; before: Rail | null }) {
  const row = useTicking((now) => {
    const present = presentRow(task, timestampOf(now));
    if (present?.kind !== "now") return "";
    const { activity, seconds } = present;
    const next = nextRunText(task, now);
    const text = `${doingText(task, activity)} for ${clockText(seconds)}`;
    return `${activity}|${next === null ? text : `${text}; ${next}`}`;
  });
  if (!row) return null;
  const [activity, text] = row.split("|") as [Activity, string];
  const mark: TimelineRow = { kind: "now", at: "", rail: "none", activity, seconds: 0 };
  return (
    <div className="grid min-h-7 grid-cols-[4.25rem_1.5rem_minmax(0,1fr)] gap-x-2">
      <span className="pt-1 text-right text-ink-3 text-sm">now</span>
      <Knot row={mark} before={before} />
      <p className="tabular py-1 text-ink-2">{text}</p>
    </div>
  );
}

function doingText(task: TaskRecord, activity: Activity): string {
  switch (activity) {
    case "queued":
      return task.attempt > 0 ? "Waits to be tried again" : "Waits for a worker";
    case "running":
      return "Working";
    case "waiting":
      return "Waiting for an answer";
    case "resuming":
      return "Waits for a worker to go on";
    default:
      return task.openQuestions > 0
        ? "Waiting for an answer, without holding a worker,"
        : "Waiting without holding a worker";
  }
}
