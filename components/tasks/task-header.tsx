"use client";

import { ChevronLeft } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { activityOf, type TaskRecord } from "@/server/core/task.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { useMay } from "../api/queries.ts";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { timestampOf } from "../time/server-clock.ts";
import { durationText, millisOf } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { StatusGlyph } from "./status-glyph.tsx";
import { activityNote, statusTable } from "./status-table.ts";
import { TaskFacts } from "./task-facts.tsx";
import { TaskProgress } from "./task-progress.tsx";

const RerunDialog = lazy(() => import("../rerun/rerun-dialog.tsx"));
const CancelDialog = lazy(() => import("./cancel-dialog.tsx"));

interface HeaderDetail {
  task: TaskRecord;
  isTypeKnown: boolean;
  /** Seconds its handler has to stop after a cancel. */
  cancelGrace: number;
  params: JsonValue;
}

/** What the task is, how it stands, and since when. */
export function TaskHeader({ detail }: { detail: HeaderDetail }) {
  const { task, isTypeKnown, params } = detail;
  const look = statusTable[task.status];
  const note =
    useTicking((now) => activityNote(task, activityOf(task, timestampOf(now))) ?? "") || null;
  const mayCancel = useMay("tasks:cancel");
  const mayStart = useMay("tasks:start");
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
        {isLive && mayCancel && <CancelButton detail={detail} />}
        {!isLive && isTypeKnown && mayStart && <RerunButton task={task} params={params} />}
      </header>
      <div className="border-b px-4 pb-3 sm:px-6 max-md:pt-2">
        <TaskFacts task={task} />
        {task.progress && task.status !== "completed" && (
          <TaskProgress task={task} progress={task.progress} />
        )}
        {isLive && !isTypeKnown && <UnknownType type={task.type} />}
      </div>
    </>
  );
}

/** Nothing would happen otherwise, and nothing would say why. */
function UnknownType({ type }: { type: string }) {
  return (
    <p role="alert" className="mt-2 max-w-[72ch] rounded-md bg-waiting-tint px-3 py-2 text-waiting">
      No worker here knows the task type <bdi className="font-mono">{type}</bdi> any more, so nobody
      works on this task. It goes on when a server that registers the type is started; otherwise
      cancel it.
    </p>
  );
}

/** Cancels; a task that was cancelled and has not ended in its time can be ended without it. */
function CancelButton({ detail: { task, isTypeKnown, cancelGrace } }: { detail: HeaderDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { cancelRequestedAt } = task;
  // Where nobody knows its type, nobody is there to clean up.
  const grace = isTypeKnown ? cancelGrace : 0;
  const left =
    useTicking((now) =>
      cancelRequestedAt === null
        ? 0
        : Math.max(0, Math.ceil((millisOf(cancelRequestedAt) - now) / 1000 + grace)),
    ) ?? 1;
  const isAsked = cancelRequestedAt !== null;
  const label = isAsked ? "End the task now…" : "Cancel the task…";
  useShortcuts([
    { keys: "Shift+c", label, when: !isAsked || left === 0, run: () => setOpen(true) },
  ]);
  if (isAsked && left > 0) {
    return (
      <p
        className="tabular ml-auto shrink-0 text-ink-2 text-sm"
        title="It may clean up. If it has not ended then, it can be ended without that."
      >
        Has {durationText(left)} to stop
      </p>
    );
  }
  return (
    <>
      <Button className="ml-auto" size="sm" title={`${label} (⇧ C)`} onClick={() => setOpen(true)}>
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

function RerunButton({ task, params }: { task: TaskRecord; params: JsonValue }) {
  const [isOpen, setOpen] = useState(false);
  useShortcuts([{ keys: "r", label: "Run the task again…", run: () => setOpen(true) }]);
  return (
    <>
      <Button className="ml-auto" size="sm" onClick={() => setOpen(true)}>
        Run again…
      </Button>
      {isOpen && (
        <Suspense>
          <RerunDialog task={task} params={params} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
