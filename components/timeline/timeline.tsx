"use client";

import { memo, useMemo } from "react";
import type { Activity, TaskRecord } from "@/server/core/task.ts";
import { nextRunText } from "../tasks/next-run-text.ts";
import { TimeOfDay } from "../time/relative-time.tsx";
import { timestampOf } from "../time/server-clock.ts";
import { clockText, dayText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { cn } from "../ui/cn.ts";
import { RowMark } from "./row-mark.tsx";
import { RowText } from "./row-text.tsx";
import { presentRow, type Rail, type TimelineRow } from "./timeline-rows.ts";

const rowsPerChunk = 40;

const rail = "absolute left-1/2 -ml-px border-l-2";

const rails: Record<Rail, string> = {
  idle: "border-line-strong/60 border-dotted",
  working: "border-running-solid/55",
  waiting: "border-waiting-solid border-dashed",
  none: "border-transparent",
};

/**
 * A task's timeline as a thread that runs down the page: whole while it worked, dashed while it
 * waited for people. Rows are grouped, so that a burst renders the last group only.
 */
export function Timeline({ rows, task }: { rows: readonly TimelineRow[]; task: TaskRecord }) {
  const chunks = useMemo(() => {
    const count = Math.ceil(rows.length / rowsPerChunk);
    return Array.from({ length: count }, (_, i) =>
      rows.slice(i * rowsPerChunk, (i + 1) * rowsPerChunk),
    );
  }, [rows]);
  return (
    <ol aria-label="Timeline" className="flex flex-col">
      {chunks.map((chunk, i) => (
        <Chunk
          key={chunk[0]?.key}
          rows={chunk}
          before={i === 0 ? undefined : chunks[i - 1]?.at(-1)}
        />
      ))}
      <Present task={task} before={rows.at(-1)} />
    </ol>
  );
}

const Chunk = memo(
  function Chunk({ rows, before }: { rows: TimelineRow[]; before: TimelineRow | undefined }) {
    return rows.map((row, i) => <Row key={row.key} row={row} before={rows[i - 1] ?? before} />);
  },
  (a, b) =>
    a.before?.key === b.before?.key &&
    a.before?.rail === b.before?.rail &&
    a.rows.length === b.rows.length &&
    a.rows.every((row, i) => isSameRow(row, b.rows[i] as TimelineRow)),
);

// Rows are made anew from the same events, which never change; only what is joined to them does.
function isSameRow(a: TimelineRow, b: TimelineRow): boolean {
  return a.key === b.key && a.rail === b.rail && questionOf(a) === questionOf(b);
}

function questionOf(row: TimelineRow): unknown {
  return "question" in row ? row.question : undefined;
}

function Row({ row, before }: { row: TimelineRow; before: TimelineRow | undefined }) {
  if (row.kind === "now") return null;
  const day = dayText(row.at);
  return (
    <>
      {before !== undefined && dayText(before.at) !== day && (
        <li className="grid grid-cols-[4.25rem_1.5rem_minmax(0,1fr)] gap-x-2">
          <span className="relative col-start-2">
            <span className={cn(rail, "inset-y-0", rails[before.rail])} />
          </span>
          <span className="col-start-3 py-1 text-ink-3 text-sm">{day}</span>
        </li>
      )}
      <li
        data-seq={row.key}
        // Rows out of view cost no layout, however many a burst has brought.
        className="grid min-h-7 grid-cols-[4.25rem_1.5rem_minmax(0,1fr)] gap-x-2 [contain-intrinsic-size:auto_28px] [content-visibility:auto]"
      >
        <TimeOfDay at={row.at} className="tabular pt-1 text-right text-ink-3 text-sm" />
        <Knot row={row} before={before} />
        <div className="min-w-0 py-1">
          <RowText row={row} />
        </div>
      </li>
    </>
  );
}

/** A row's part of the thread: what the row before began, the mark, and what goes on from here. */
function Knot({ row, before }: { row: TimelineRow; before: TimelineRow | undefined }) {
  return (
    <div className="relative flex justify-center">
      {before && <span className={cn(rail, "top-0 h-3.5", rails[before.rail])} />}
      <span className={cn(rail, "top-3.5 bottom-0", rails[row.rail])} />
      {/* The mark covers the thread behind it, with a little air around. */}
      <span className="relative z-10 mt-3.5 flex h-0 items-center justify-center [&>*]:shadow-[0_0_0_2px_var(--canvas)] [&>svg]:rounded-full [&>svg]:bg-canvas">
        <RowMark row={row} />
      </span>
    </div>
  );
}

/** What a task that has not ended is doing. */
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

function Present({ task, before }: { task: TaskRecord; before: TimelineRow | undefined }) {
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
  const mark: TimelineRow = { kind: "now", key: "now", at: "", rail: "none", activity, seconds: 0 };
  return (
    <li className="grid min-h-7 grid-cols-[4.25rem_1.5rem_minmax(0,1fr)] gap-x-2">
      <span className="pt-1 text-right text-ink-3 text-sm">now</span>
      <Knot row={mark} before={before} />
      <p className="tabular py-1 text-ink-2">{text}</p>
    </li>
  );
}
