"use client";

import type { ReactNode } from "react";
import { isMadeKey } from "@/server/core/made-key.ts";
import { clocksOf, type TaskRecord } from "@/server/core/task.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { actorText } from "../questions/countdown-text.ts";
import { RerunLinks, useReruns } from "../relatives/reruns.tsx";
import { TaskLink } from "../relatives/task-link.tsx";
import { RelativeTime, TimeOfDay } from "../time/relative-time.tsx";
import { timestampOf } from "../time/server-clock.ts";
import { Ticking } from "../time/ticking.tsx";
import { clockText, durationText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { nextRunText } from "./next-run-text.ts";

/** What there is to know of a task in a few words each. */
export function TaskFacts({ task }: { task: TaskRecord }) {
  return (
    <dl className="mt-1.5 flex flex-wrap items-center gap-x-5 gap-y-0.5 text-sm">
      <Fact name="Task" className="max-sm:hidden">
        <span className="truncate font-mono">{task.taskId}</span>
        <CopyButton text={() => task.taskId} label="Copy the task’s id" />
      </Fact>
      <Fact name="Started">
        <span>
          <RelativeTime at={task.createdAt} /> by {actorText(task.createdBy)}
        </span>
      </Fact>
      <Fact name="Working" title="Time spent working, without waiting for people">
        <Clock task={task} which="worked" />
      </Fact>
      <Fact name="Waiting" title="Time spent waiting for people">
        <Clock task={task} which="waited" />
      </Fact>
      <NextRun task={task} />
      {task.attempt > 1 && <Fact name="Attempt">{task.attempt}</Fact>}
      {task.priority !== 0 && (
        <Fact name="Priority" title="Higher runs first; most have 0">
          {task.priority}
        </Fact>
      )}
      {task.parentTaskId !== null && (
        <Fact name="Part of">
          <TaskLink taskId={task.parentTaskId} />
        </Fact>
      )}
      {task.rerunOf !== null && (
        <Fact name="Rerun of">
          <TaskLink taskId={task.rerunOf} />
        </Fact>
      )}
      <Reruns task={task} />
      {hasOwnKey(task) && (
        <Fact name="Idempotency key" title="Starting with this key again gives this task">
          <bdi className="truncate font-mono">{task.idempotencyKey}</bdi>
        </Fact>
      )}
      {task.concurrencyKey !== null && (
        <Fact name="Limited by" title="Few tasks with this key run at the same time">
          <bdi className="truncate font-mono">{task.concurrencyKey}</bdi>
        </Fact>
      )}
      {Object.entries(task.labels).map(([name, value]) => (
        <div
          key={name}
          className="flex max-w-72 items-center gap-1 rounded-sm bg-sunken px-1.5 text-ink-2"
        >
          <dt className="truncate text-ink-3">
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

function Fact({
  name,
  title,
  className = "",
  children,
}: {
  name: string;
  title?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div title={title} className={`flex min-w-0 items-center gap-1.5 ${className}`}>
      <dt className="shrink-0 text-ink-3">{name}</dt>
      <dd className="tabular flex min-w-0 items-center gap-1.5 text-ink-2">{children}</dd>
    </div>
  );
}

/** Whether somebody chose its idempotency key, and not a program for one call. */
function hasOwnKey({ idempotencyKey, parentTaskId }: TaskRecord): boolean {
  return idempotencyKey !== null && parentTaskId === null && !isMadeKey(idempotencyKey);
}

function Clock({ task, which }: { task: TaskRecord; which: "worked" | "waited" }) {
  const seconds = (now: number) => clocksOf(task, timestampOf(now))[which];
  if (task.clockSince === null) return durationText(seconds(0));
  return <Ticking of={(now) => clockText(seconds(now))} />;
}

/** When a task that no worker has is taken up again by itself. */
function NextRun({ task }: { task: TaskRecord }) {
  const text = useTicking((now) => nextRunText(task, now) ?? "");
  if (!text || task.wakeAt === null) return null;
  return (
    <Fact name="Next">
      <span>
        {text}, at <TimeOfDay at={task.wakeAt} />
      </span>
    </Fact>
  );
}

function Reruns({ task }: { task: TaskRecord }) {
  const { reruns, hasMore } = useReruns(task.taskId, isTerminal(task.status));
  if (reruns.length === 0) return null;
  return (
    <Fact name="Run again as">
      <RerunLinks reruns={reruns} hasMore={hasMore} />
    </Fact>
  );
}
