"use client";

import { lazy, memo, type ReactNode, Suspense, useId } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { isTerminal, type TaskStatus } from "@/server/core/task-status.ts";
import { Family } from "../relatives/family.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const JsonViewer = lazy(() => import("../json/json-viewer.tsx"));

interface TaskDetailsProps {
  taskId: string;
  parentTaskId: string | null;
  status: TaskStatus;
  params: JsonValue;
  result: JsonValue;
  error: string | null;
}

/** The result or the error of a task, and what it was started with. Progress does not concern it. */
export const TaskDetails = memo(function TaskDetails(props: TaskDetailsProps) {
  const { taskId, parentTaskId, status, params, result, error } = props;
  return (
    <div className="flex flex-col gap-5 px-4 py-4 sm:px-5">
      {error !== null && <ErrorText error={error} />}
      {status === "completed" && (
        <Panel title="Result">
          {result === null ? (
            <p className="px-3 py-2 text-ink-2">It returned nothing.</p>
          ) : (
            <Json value={result} label="Result" fileName={`${taskId}-result.json`} />
          )}
        </Panel>
      )}
      {!isTerminal(status) && (
        <Panel title="Result">
          <p className="px-3 py-2 text-ink-2">Appears here when the task ends.</p>
        </Panel>
      )}
      <Family taskId={taskId} parentTaskId={parentTaskId} />
      <Panel title="Parameters">
        {params === null ? (
          <p className="px-3 py-2 text-ink-2">It was started without any.</p>
        ) : (
          <Json value={params} label="Parameters" fileName={`${taskId}-params.json`} />
        )}
      </Panel>
    </div>
  );
});

function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-1.5 font-semibold">
        {title}
      </h2>
      <div className="rounded-lg border bg-surface">{children}</div>
    </section>
  );
}

function Json(props: { value: JsonValue; label: string; fileName: string }) {
  return (
    <Suspense fallback={<Skeleton className="m-3 h-20" />}>
      <JsonViewer {...props} />
    </Suspense>
  );
}

const shownCharacters = 4000;

function ErrorText({ error }: { error: string }) {
  return (
    <Panel title="Error">
      <div className="relative">
        <CopyButton text={() => error} label="Copy the error" className="absolute top-1 right-1" />
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="task-text max-h-[50vh] overflow-auto rounded-lg bg-failed-tint py-2 pr-9 pl-3 font-mono text-failed text-sm"
        >
          {error.slice(0, shownCharacters)}
        </pre>
        {error.length > shownCharacters && (
          <p className="px-3 py-2 text-ink-2 text-sm">
            {(error.length - shownCharacters).toLocaleString("en-GB")} more characters; copy it to
            see all.
          </p>
        )}
      </div>
    </Panel>
  );
}
