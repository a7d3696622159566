"use client";

import { ChevronLeft } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { activityOf, clocksOf, type TaskRecord } from "@/server/core/task.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { useMay } from "../api/queries.ts";
import { actorText } from "../questions/countdown-text.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { timestampOf } from "../time/server-clock.ts";
import { Ticking } from "../time/ticking.tsx";
import { clockText, durationText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { amountText, percentOf } from "./progress-text.ts";
import { StatusGlyph } from "./status-glyph.tsx";
import { activityNote, statusTable } from "./status-table.ts";

const CancelDialog = lazy(() => import("./cancel-dialog.tsx"));

/** What the task is, how it stands, and since when. */
export function TaskHeader({ task }: { task: TaskRecord }) {
  const look = statusTable[task.status];
  const note =
    useTicking((now) => activityNote(task, activityOf(task, timestampOf(now))) ?? "") || null;
  const mayCancel = useMay("tasks:cancel");
  const isLive = !isTerminal(task.status);
  return (
    <>
      <header className="z-20 flex min-h-12 items-center gap-x-3 bg-canvas px-4 pt-1.5 sm:px-6 max-md:sticky max-md:top-12 max-md:border-b max-md:pb-1.5">
        <IntentLink
          href="/tasks"
          aria-label="All tasks"
          className="-ml-1.5 flex size-7 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
        </IntentLink>
        <h1 className="min-w-0 truncate font-semibold text-xl max-sm:text-lg" title={task.type}>
          <bdi>{task.type}</bdi>
        </h1>
        <p
          role="status"
          data-status={task.status}
          className={cn(
            "inline-flex shrink-0 items-center gap-1.5 rounded-full px-2 py-0.5 font-medium text-sm",
            look.tint,
            look.text,
          )}
        >
          <StatusGlyph status={task.status} isSmall />
          <span className="max-[26rem]:sr-only">{look.label}</span>
          {note !== null && <span className="font-normal max-sm:sr-only">· {note}</span>}
        </p>
        {isLive && mayCancel && <CancelButton task={task} />}
      </header>
      <div className="border-b px-4 pb-3 sm:px-6 max-md:pt-2">
        <Facts task={task} />
        {task.progress && task.status !== "completed" && (
          <div className="mt-2.5 max-w-4xl">
            <div className="mb-1 flex items-baseline gap-3 text-sm">
              <span className="min-w-0 flex-1 truncate text-ink-2" dir="auto">
                {task.progress.message}
              </span>
              <span className="tabular shrink-0 text-ink-2">
                {amountText(task.progress)}
                {percentOf(task.progress) !== null && (
                  <strong className="ml-2 font-semibold text-ink">
                    {Math.floor(percentOf(task.progress) ?? 0)} %
                  </strong>
                )}
              </span>
            </div>
            <ProgressBar progress={task.progress} status={task.status} />
          </div>
        )}
      </div>
    </>
  );
}

function Facts({ task }: { task: TaskRecord }) {
  return (
    <dl className="mt-1.5 flex flex-wrap items-center gap-x-5 gap-y-0.5 text-sm [&_dd]:text-ink-2 [&_div]:flex [&_div]:items-center [&_div]:gap-1.5 [&_dt]:text-ink-3">
      <div className="min-w-0 max-sm:hidden">
        <dt>Task</dt>
        <dd className="flex min-w-0 items-center gap-1.5">
          <span className="truncate font-mono">{task.taskId}</span>
          <CopyButton text={() => task.taskId} label="Copy the task’s id" />
        </dd>
      </div>
      <div>
        <dt>Started</dt>
        <dd>
          <RelativeTime at={task.createdAt} /> by {actorText(task.createdBy)}
        </dd>
      </div>
      <div title="Time spent working, without waiting for people">
        <dt>Worked</dt>
        <dd className="tabular">
          <Clock task={task} which="worked" />
        </dd>
      </div>
      <div title="Time spent waiting for people">
        <dt>Waited</dt>
        <dd className="tabular">
          <Clock task={task} which="waited" />
        </dd>
      </div>
      {task.attempt > 1 && (
        <div>
          <dt>Attempt</dt>
          <dd>{task.attempt}</dd>
        </div>
      )}
      {Object.entries(task.labels).map(([name, value]) => (
        <div key={name} className="max-w-64">
          <dt className="truncate">
            <bdi>{name}</bdi>
          </dt>
          <dd className="truncate">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Clock({ task, which }: { task: TaskRecord; which: "worked" | "waited" }) {
  const seconds = (now: number) => clocksOf(task, timestampOf(now))[which];
  if (task.clockSince === null) return durationText(seconds(0));
  return <Ticking of={(now) => clockText(seconds(now))} />;
}

function CancelButton({ task }: { task: TaskRecord }) {
  const [isOpen, setOpen] = useState(false);
  const isAsked = task.cancelRequestedAt !== null;
  return (
    <>
      <Button className="ml-auto" size="sm" onClick={() => setOpen(true)}>
        {isAsked ? "End it now…" : "Cancel…"}
      </Button>
      {isOpen && (
        <Suspense>
          <CancelDialog task={task} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
