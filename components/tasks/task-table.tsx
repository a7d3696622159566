"use client";

import { memo } from "react";
import { activityOf, clocksOf, type TaskRecord } from "@/server/core/task.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { timestampOf } from "../time/server-clock.ts";
import { Ticking } from "../time/ticking.tsx";
import { clockText, durationText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { progressText } from "./progress-text.ts";
import { shortId } from "./short-id.ts";
import { StatusGlyph } from "./status-glyph.tsx";
import { activityNote, statusTable } from "./status-table.ts";

const columns =
  "grid grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-3 lg:grid-cols-[1.25rem_minmax(9rem,14rem)_7rem_minmax(0,1fr)_6rem_6rem_6rem]";

/** Tasks as rows. Each renders only when its own task changed. */
export function TaskTable({ tasks }: { tasks: readonly TaskRecord[] }) {
  return (
    <table className="block w-full border-t">
      <caption className="sr-only">Tasks, newest first</caption>
      <thead className="block max-lg:sr-only">
        <tr className={cn(columns, "h-8 items-center border-b px-2 text-ink-3 text-sm")}>
          {["Status", "Type", "Task", "Doing", "Progress", "Duration", "Started"].map((name, i) => (
            <th
              key={name}
              scope="col"
              className={cn("font-normal", i < 5 ? "text-left" : "text-right")}
            >
              <span className={i === 0 ? "sr-only" : undefined}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block">
        {tasks.map((task) => (
          <TaskRow key={task.taskId} task={task} />
        ))}
      </tbody>
    </table>
  );
}

const TaskRow = memo(function TaskRow({ task }: { task: TaskRecord }) {
  const look = statusTable[task.status];
  const note =
    useTicking((now) => activityNote(task, activityOf(task, timestampOf(now))) ?? "") || null;
  return (
    <tr
      data-task={task.taskId}
      className={cn(
        columns,
        "relative items-center border-b px-2 hover:bg-hover/60 max-lg:gap-y-0.5 max-lg:py-2.5 lg:h-10",
        "[contain-intrinsic-size:auto_40px] [content-visibility:auto] has-[a:focus-visible]:bg-hover/60",
      )}
    >
      <td className="flex" title={look.label}>
        <StatusGlyph status={task.status} />
        <span className="sr-only">{look.label}</span>
      </td>
      <td className="flex min-w-0 items-center gap-2">
        <IntentLink
          href={`/tasks/${task.taskId}`}
          className="truncate font-medium after:absolute after:inset-0"
        >
          {task.type}
        </IntentLink>
        {task.openQuestions > 0 && <Questions count={task.openQuestions} />}
      </td>
      <td className="max-lg:hidden">
        <span className="font-mono text-ink-3 text-sm" title={task.taskId}>
          {shortId(task.taskId)}
        </span>
      </td>
      <td className="min-w-0 truncate text-ink-2 max-lg:order-last max-lg:col-span-2 max-lg:col-start-2">
        <Doing task={task} note={note} />
      </td>
      <td className="max-lg:order-last max-lg:col-span-2 max-lg:col-start-2 max-lg:empty:hidden">
        {task.progress && task.status !== "completed" && (
          <Progress task={task} progress={task.progress} />
        )}
      </td>
      <td className="tabular truncate text-right text-ink-2 max-lg:hidden">
        <Duration task={task} />
      </td>
      <td className="tabular truncate text-right text-ink-2">
        <RelativeTime at={task.createdAt} />
      </td>
    </tr>
  );
});

function Questions({ count }: { count: number }) {
  return (
    <span className="shrink-0 rounded-full bg-waiting-tint px-1.5 font-medium text-waiting text-xs">
      {count} {count === 1 ? "question" : "questions"}
    </span>
  );
}

function Doing({ task, note }: { task: TaskRecord; note: string | null }) {
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

function Progress({
  task,
  progress,
}: {
  task: TaskRecord;
  progress: NonNullable<TaskRecord["progress"]>;
}) {
  return (
    <div className="flex items-center gap-2">
      <ProgressBar progress={progress} status={task.status} className="flex-1" />
      <span className="tabular w-9 text-right text-ink-3 text-xs">{progressText(progress)}</span>
    </div>
  );
}

/** Time worked; how long people were waited for stands on the task's page. */
function Duration({ task }: { task: TaskRecord }) {
  if (task.startedAt === null) return null;
  if (isTerminal(task.status)) return durationText(task.workedSeconds);
  return <Ticking of={(now) => clockText(clocksOf(task, timestampOf(now)).worked)} />;
}
