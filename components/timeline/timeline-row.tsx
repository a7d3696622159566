"use client";

import { memo } from "react";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { TimeOfDay } from "../time/relative-time.tsx";
import { dayText } from "../time/time-text.ts";
import { cn } from "../ui/cn.ts";
import { Knot, rail, rails } from "./knot.tsx";
import { RowText } from "./row-text.tsx";
import { type Rail, rowOf } from "./timeline-rows.ts";

const columns = "grid grid-cols-[4.25rem_1.5rem_minmax(0,1fr)] gap-x-2";

interface TimelineRowProps {
  event: TaskEvent;
  /** The one the event is about. */
  question: QuestionData | null;
  rail: Rail;
  /** How the thread comes from the row before; null for the first. */
  before: Rail | null;
  /** True where another day begins. */
  isNewDay: boolean;
  /** True for the one a link named. */
  isTarget: boolean;
}

/** An event on the thread. Its time is a link to it. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { event, question, before, isNewDay, isTarget } = props;
  const row = rowOf(event, question, props.rail);
  return (
    <>
      {isNewDay && (
        <div className={columns}>
          <span className="relative col-start-2">
            {before !== null && <span className={cn(rail, "inset-y-0", rails[before])} />}
          </span>
          <span className="col-start-3 py-1 text-ink-3 text-sm">{dayText(event.at)}</span>
        </div>
      )}
      <div className={cn(columns, "min-h-7 rounded-md", isTarget && "bg-hover")}>
        <a
          href={`#event-${event.seq}`}
          className="tabular h-fit rounded-sm pt-1 text-right text-ink-3 text-sm hover:text-ink hover:underline"
        >
          <span className="sr-only">{`Event ${event.seq}, `}</span>
          <TimeOfDay at={row.at} />
        </a>
        <Knot row={row} before={before} />
        <div className="min-w-0 py-1 pr-1">
          <RowText row={row} />
        </div>
      </div>
    </>
  );
});
