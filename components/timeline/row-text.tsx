import type { ReactNode } from "react";
import { droppedText } from "../questions/approval-history.ts";
import { actorText, saidText } from "../questions/countdown-text.ts";
import { statusTable } from "../tasks/status-table.ts";
import { TimeOfDay } from "../time/relative-time.tsx";
import { durationText } from "../time/time-text.ts";
import { cn } from "../ui/cn.ts";
import type { PastRow } from "./timeline-rows.ts";

type RowOf<K extends PastRow["kind"]> = Extract<PastRow, { kind: K }>;

const levels = {
  debug: { text: "text-ink-3", label: "Debug: " },
  info: { text: "text-ink", label: "" },
  warning: { text: "text-waiting", label: "Warning: " },
  error: { text: "text-failed", label: "Error: " },
} as const;

/** What a row of the past says. */
export function RowText({ row }: { row: PastRow }): ReactNode {
  switch (row.kind) {
    case "created":
      return <p className="text-ink-2">Started by {actorText(row.actor)}</p>;
    case "attempt_started":
      return <AttemptStarted row={row} />;
    case "attempt_ended":
      return <AttemptEnded row={row} />;
    case "update": {
      const { text, label } = levels[row.level];
      return (
        <p className={cn("task-text", text)}>
          {label && <span className="sr-only">{label}</span>}
          <Foldable text={row.message} />
        </p>
      );
    }
    case "step":
      return (
        <div>
          <p className="flex flex-wrap items-center gap-x-2 text-ink-2">
            <span>
              Step <bdi className="font-mono text-ink text-sm">{row.name}</bdi>
            </span>
            {row.error !== null && <span className="text-failed">failed</span>}
            <StepBar seconds={row.seconds} hasFailed={row.error !== null} />
            <span className="tabular text-ink-3">{durationText(row.seconds)}</span>
          </p>
          {row.error !== null && (
            <p className="task-text text-failed">
              <Foldable text={row.error} />
            </p>
          )}
        </div>
      );
    case "asked":
      return (
        <p className="task-text">
          <span className="text-waiting">Asked: </span>
          <Foldable text={row.prompt} />
        </p>
      );
    case "approved":
      return <Approved row={row} />;
    case "resolved":
      return <Resolved row={row} />;
    case "seen":
      return <p className="text-ink-3">Seen by {actorText(row.actor)}</p>;
    case "claimed":
      return (
        <p className="text-ink-3">
          {row.actor.name}{" "}
          {row.takenFrom === null ? "is on it" : `took it over from ${row.takenFrom.name}`}
        </p>
      );
    case "released":
      return <p className="text-ink-3">{row.actor.name} is no longer on it</p>;
    case "cancel_requested":
      return (
        <div>
          <p className="text-cancelled">Cancel requested by {actorText(row.actor)}</p>
          {row.reason !== null && <p className="task-text">{row.reason}</p>}
        </div>
      );
    case "ended":
      return (
        <div>
          <p className={cn("font-medium", statusTable[row.status].text)}>
            {statusTable[row.status].label}
            {row.forced && " by force, without its clean-up"}
          </p>
          {row.error !== null && <p className="task-text text-ink-2">{row.error}</p>}
        </div>
      );
  }
}

/** As long as the step took, beside the longest one of the task. */
function StepBar({ seconds, hasFailed }: { seconds: number; hasFailed: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn("h-1.5 min-w-0.5 rounded-full", hasFailed ? "bg-failed-solid" : "bg-ink-3/60")}
      style={{ width: `calc(7rem * ${seconds} / var(--longest-step))` }}
    />
  );
}

function AttemptStarted({ row }: { row: RowOf<"attempt_started"> }) {
  const texts = {
    start: row.isDriven ? "A program outside drives it" : "A worker took it",
    retry: `Tried again: attempt ${row.attempt}`,
    resume: `Resumed: attempt ${row.attempt}`,
  };
  return <p className="text-ink-2">{texts[row.reason]}</p>;
}

function AttemptEnded({ row }: { row: RowOf<"attempt_ended"> }) {
  if (row.how === "released" || row.how === "parked") {
    return (
      <p className="text-ink-2">
        {row.how === "parked"
          ? "Parked: no worker is held while it waits"
          : `Attempt ${row.attempt} was released by its worker`}
      </p>
    );
  }
  return (
    <div>
      <p className={row.how === "failed" ? "text-failed" : "text-waiting"}>
        Attempt {row.attempt} {row.how === "failed" ? "failed" : "was interrupted"}
        {row.retryAt !== null && (
          <span className="text-ink-2">
            , next try at <TimeOfDay at={row.retryAt} />
          </span>
        )}
      </p>
      {row.error && (
        <p className="task-text text-ink-2">
          <Foldable text={row.error} />
        </p>
      )}
    </div>
  );
}

function Approved({ row }: { row: RowOf<"approved"> }) {
  const { actor, given, needed, edited, dropped } = row;
  return (
    <div>
      <p>
        <span className="text-completed">{edited ? "Edited and approved" : "Approved"}</span>
        <span className="text-ink-2">
          {` by ${actorText(actor)}: ${given} of the ${needed} people it needs`}
        </span>
      </p>
      {dropped > 0 && <p className="text-waiting">{droppedText(dropped)}</p>}
    </div>
  );
}

const outcomes = {
  answered: { text: "text-completed", word: "Answered" },
  declined: { text: "text-waiting", word: "Declined" },
  timed_out: { text: "text-failed", word: "Timed out" },
  cancelled: { text: "text-cancelled", word: "Question closed" },
} as const;

function Resolved({ row }: { row: RowOf<"resolved"> }) {
  const { outcome, actor, question, afterSeconds, defaultUsed } = row;
  const { text } = outcomes[outcome];
  const isApproved = outcome === "answered" && question?.approval;
  const word = isApproved ? "Approved" : outcomes[outcome].word;
  const said = question === null ? null : saidText(question);
  return (
    <div>
      <p>
        <span className={text}>{word}</span>
        <span className="text-ink-2">
          {actor !== null && ` by ${actorText(actor)}`}
          {afterSeconds !== null && ` after ${durationText(afterSeconds)}`}
          {outcome === "timed_out" &&
            (defaultUsed ? "; the default was used" : "; nobody answered")}
        </span>
      </p>
      {said !== null && said !== "" && <p className="task-text font-medium">{said}</p>}
    </div>
  );
}

const foldOver = 600;

function Foldable({ text }: { text: string }) {
  if (text.length <= foldOver) return text;
  return (
    <>
      {text.slice(0, foldOver)}
      <details className="inline [&[open]>summary]:hidden">
        <summary className="inline list-none rounded-sm text-link hover:underline">
          … {(text.length - foldOver).toLocaleString("en-GB")} more characters
        </summary>
        {text.slice(foldOver)}
      </details>
    </>
  );
}
