"use client";

import { durationText } from "../time/time-text.ts";
import { cn } from "../ui/cn.ts";
import type { Bar, BarKind, Lane } from "./gantt.ts";
import { type Merged, mergeNarrow } from "./stacked.ts";

const looks: Record<BarKind, string> = {
  working: "border-running-solid bg-running-solid",
  waiting: "hatched border-waiting-solid border-dashed text-waiting-solid",
  idle: "border-line-strong border-dotted",
  attempt: "border-line-strong bg-sunken text-ink-2",
  step: "border-ink-3 bg-ink-3/30 text-ink",
  question: "hatched border-waiting-solid text-waiting-solid",
  child: "border-line-strong bg-surface text-ink-2",
};

interface GanttLaneProps {
  lane: Lane;
  /** Milliseconds since 1970 at the left edge. */
  from: number;
  /** Milliseconds of a pixel. */
  perPixel: number;
  seenFrom: number;
  seenTo: number;
  /** Its first bar is where the keyboard enters the chart. */
  isFirst: boolean;
  onActive: (bar: Bar) => void;
  onOpen: (bar: Bar) => void;
}

/** A row of bars; those too narrow to be told apart are drawn as one. */
export function GanttLane(props: GanttLaneProps) {
  const { lane, from, perPixel, seenFrom, seenTo, isFirst, onActive, onOpen } = props;
  const shown = mergeNarrow(
    lane.bars.filter((bar) => bar.to >= seenFrom && bar.from <= seenTo),
    perPixel,
  );
  return (
    <div data-lane className="flex h-6 items-center">
      <span
        className="sticky left-0 z-10 h-full w-32 shrink-0 truncate bg-canvas pt-0.5 pr-2 text-ink-3 text-sm"
        title={lane.label}
      >
        <bdi>{lane.label}</bdi>
      </span>
      <div className="relative h-full flex-1">
        {shown.map((merged, i) => {
          const bar = oneBar(merged);
          const pixels = (bar.to - bar.from) / perPixel;
          return (
            <button
              key={`${bar.from} ${bar.seq} ${bar.taskId}`}
              type="button"
              data-bar
              // One bar is in the order of tabs; the arrows go to the others.
              tabIndex={isFirst && i === 0 ? 0 : -1}
              aria-label={labelOf(bar)}
              onPointerEnter={() => onActive(bar)}
              onFocus={() => onActive(bar)}
              onClick={() => onOpen(bar)}
              className={cn(
                "absolute top-1 h-4 min-w-1 overflow-hidden whitespace-nowrap rounded-sm border px-0 text-start text-xs leading-3.5 hover:brightness-110 focus-visible:z-10",
                looks[bar.kind],
                bar.hasFailed && "border-2 border-failed-solid text-failed",
                bar.isOpen && "rounded-r-none border-r-0",
              )}
              style={{ left: (bar.from - from) / perPixel, width: Math.max(4, pixels - 1) }}
            >
              {bar.hasFailed && pixels > 14 && <span aria-hidden="true"> ✕</span>}
              {pixels > 60 && !isClock(bar.kind) && (
                <span
                  aria-hidden="true"
                  className={cn("px-1", bar.kind === "question" && "bg-canvas text-ink-2")}
                >
                  {bar.label}
                </span>
              )}
            </button>
          );
        })}
      </div>
    </div>
  );
}

function isClock(kind: BarKind): boolean {
  return kind === "working" || kind === "waiting" || kind === "idle";
}

/** Several as one that says how many they are. */
function oneBar({ spans, from, to }: Merged<Bar>): Bar {
  const first = spans[0] as Bar;
  if (spans.length === 1) return first;
  const failed = spans.filter(({ hasFailed }) => hasFailed).length;
  const label = `${spans.length} at ${first.label}${failed > 0 ? `, ${failed} failed` : ""}`;
  return { ...first, label, from, to, hasFailed: failed > 0 };
}

function labelOf(bar: Bar): string {
  const duration = durationText((bar.to - bar.from) / 1000);
  return `${bar.label}, ${duration}${bar.hasFailed ? ", failed" : ""}`;
}
