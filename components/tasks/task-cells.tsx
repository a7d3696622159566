"use client";

import { activityOf, clocksOf, type TaskRecord } from "@/server/core/task.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { timestampOf } from "../time/server-clock.ts";
import { Ticking } from "../time/ticking.tsx";
import { clockText, durationText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { progressText } from "./progress-text.ts";
import { StatusGlyph } from "./status-glyph.tsx";
import { activityNote, statusTable } from "./status-table.ts";

interface Cell {
  task: TaskRecord;
}

/** The mark; its word where there is room for it. */
export function StatusCell({ task }: Cell) {
  const { label, text } = statusTable[task.status];
  return (
    <span className="flex min-w-0 items-center gap-2" title={label}>
      <StatusGlyph status={task.status} />
      <span className={`truncate max-xl:sr-only ${text}`}>{label}</span>
    </span>
  );
}

export function TypeCell({ task }: Cell) {
  const { openQuestions } = task;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <IntentLink
        href={`/tasks/${task.taskId}`}
        className="truncate font-medium after:absolute after:inset-0"
      >
        <bdi>{task.type}</bdi>
      </IntentLink>
      {openQuestions > 0 && (
        <span className="shrink-0 rounded-full bg-waiting-tint px-1.5 font-medium text-waiting text-xs">
          {openQuestions} {openQuestions === 1 ? "question" : "questions"}
        </span>
      )}
    </span>
  );
}

export function DoingCell({ task }: Cell) {
  const note =
    useTicking((now) => activityNote(task, activityOf(task, timestampOf(now))) ?? "") || null;
  if (task.errorSummary !== null && task.status === "failed") {
    return <bdi className="text-failed">{firstLine(task.errorSummary)}</bdi>;
  }
  if (task.status === "cancelled") return <bdi>{task.cancelReason ?? "Cancelled"}</bdi>;
  if (isTerminal(task.status)) return null;
  const said = task.progress?.message;
  const present = note ?? (task.status === "running" ? "working" : "waits for an answer");
  return said ? (
    <>
      {note !== null && <span className="text-ink-3">{note} · </span>}
      <bdi>{firstLine(said)}</bdi>
    </>
  ) : (
    <span className="text-ink-3">{present}</span>
  );
}

function firstLine(text: string): string {
  return text.slice(0, 300).replace(/\s+/g, " ");
}

export function ProgressCell({ task }: Cell) {
  const { progress, status } = task;
  if (!progress || status === "completed") return null;
  return (
    <span className="flex items-center gap-2">
      <ProgressBar progress={progress} status={status} className="flex-1" />
      <span className="tabular w-9 text-right text-ink-3 text-xs">{progressText(progress)}</span>
    </span>
  );
}

/** The time it worked so far, without what it waited for people. */
export function WorkedCell({ task }: Cell) {
  if (task.startedAt === null) return null;
  if (isTerminal(task.status)) return durationText(task.workedSeconds);
  return <Ticking of={(now) => clockText(clocksOf(task, timestampOf(now)).worked)} />;
}

/** The time it waited for people so far. */
export function WaitedCell({ task }: Cell) {
  if (task.waitedSeconds === 0 && task.clock !== "waiting") return null;
  if (task.clock !== "waiting") return durationText(task.waitedSeconds);
  return <Ticking of={(now) => clockText(clocksOf(task, timestampOf(now)).waited)} />;
}

export function TimeCell({ at }: { at: string | null }) {
  return at === null ? null : <RelativeTime at={at} />;
}

export function LabelsCell({ task }: Cell) {
  return (
    <span className="flex min-w-0 gap-1 overflow-hidden">
      {Object.entries(task.labels).map(([key, value]) => (
        <span
          key={key}
          title={`${key}=${value}`}
          className="max-w-32 shrink-0 truncate rounded-sm bg-sunken px-1.5 text-ink-2 text-sm"
        >
          <bdi>{value}</bdi>
        </span>
      ))}
    </span>
  );
}
