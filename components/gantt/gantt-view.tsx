"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ZoomIn, ZoomOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { TaskRecord } from "@/server/core/task.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { queries } from "../api/queries.ts";
import { timestampOf } from "../time/server-clock.ts";
import { durationText, timeOfDay } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import type { LoadedEvents } from "../timeline/timeline-events.ts";
import { Button } from "../ui/button.tsx";
import { type Bar, ganttOf } from "./gantt.ts";
import { GanttLane } from "./gantt-lane.tsx";
import { nextBar } from "./next-bar.ts";
import { ticksOf } from "./ticks.ts";
import { useGanttEvents } from "./use-gantt-events.ts";

const pixelsPerTick = 110;
const mostZoom = 4096;
const labelPixels = 128;

interface GanttViewProps {
  task: TaskRecord;
  questions: readonly QuestionData[];
  loaded: LoadedEvents;
  /** Goes to an event in the timeline. */
  onGoTo: (seq: number) => void;
}

/** When a task did what, as bars along the time; what has not ended grows with it. */
export default function GanttView({ task, questions, loaded, onGoTo }: GanttViewProps) {
  const router = useRouter();
  const { events, isPending, isCut } = useGanttEvents(task.taskId, loaded);
  const children = useInfiniteQuery(queries.relatives("children", task.taskId)).data?.pages;
  const now = useTicking((millis) => (task.finishedAt === null ? millis : 0)) ?? 0;
  const gantt = useMemo(
    () => ganttOf(task, events, questions, children?.flatMap(({ items }) => items) ?? [], now),
    [task, events, questions, children, now],
  );
  const pane = useRef<HTMLDivElement>(null);
  const { width, left } = useView(pane);
  const [zoom, setZoom] = useState(1);
  const [active, setActive] = useState<Bar | null>(null);

  const plotPixels = Math.max(100, width - labelPixels - 4) * zoom;
  const length = gantt.to - gantt.from;
  const perPixel = length / plotPixels;
  // What is far out of view is not drawn, so that a large scale has no more bars than a small one.
  const seen = {
    from: gantt.from + (left - width) * perPixel,
    to: gantt.from + (left + 2 * width) * perPixel,
  };

  const zoomTo = (next: number) => {
    const scroller = pane.current;
    const to = Math.min(mostZoom, Math.max(1, next));
    setZoom(to);
    if (!scroller) return;
    // The middle of the view stays where it is.
    const middle = (scroller.scrollLeft + scroller.clientWidth / 2) / zoom;
    requestAnimationFrame(() => {
      scroller.scrollLeft = middle * to - scroller.clientWidth / 2;
    });
  };
  const open = (bar: Bar) => {
    if (bar.taskId !== null) router.push(`/tasks/${bar.taskId}`);
    else if (bar.seq !== null) onGoTo(bar.seq);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "+" || event.key === "=") zoomTo(zoom * 2);
    else if (event.key === "-") zoomTo(zoom / 2);
    else if (event.key === "0") zoomTo(1);
    else {
      const target = nextBar(event.currentTarget as HTMLElement, event.key);
      if (target === null) return;
      target.focus();
    }
    event.preventDefault();
  };

  return (
    <section aria-label="Gantt" className="border-b bg-canvas print:hidden">
      <div className="flex items-center gap-1 px-2 pt-1 sm:px-6">
        <p className="tabular min-w-0 flex-1 truncate text-sm" data-details>
          {active === null ? (
            <span className="text-ink-3">
              {isPending ? "Loading…" : legend}
              {isCut && " Only the first 20,000 entries are drawn."}
            </span>
          ) : (
            <Details bar={active} />
          )}
        </p>
        <Button
          variant="quiet"
          size="tiny"
          title="Smaller (−)"
          aria-label="Smaller"
          disabled={zoom === 1}
          onClick={() => zoomTo(zoom / 2)}
        >
          <ZoomOut aria-hidden="true" />
        </Button>
        <Button
          variant="quiet"
          size="tiny"
          title="Larger (+)"
          aria-label="Larger"
          onClick={() => zoomTo(zoom * 2)}
        >
          <ZoomIn aria-hidden="true" />
        </Button>
        <Button variant="quiet" size="sm" disabled={zoom === 1} onClick={() => zoomTo(1)}>
          Fit
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the bars in it are the buttons */}
      <div
        ref={pane}
        className="mx-2 max-h-[38vh] overflow-auto pb-2 sm:mx-6"
        onKeyDown={onKeyDown}
        onPointerLeave={() => setActive(null)}
      >
        <div className="relative" style={{ width: labelPixels + plotPixels }}>
          <div className="sticky top-0 z-20 ml-32 h-5 bg-canvas" aria-hidden="true">
            {ticksOf(length, plotPixels / pixelsPerTick)
              .filter(
                (at) =>
                  gantt.from + at >= seen.from &&
                  gantt.from + at <= seen.to &&
                  (length - at) / perPixel > 40,
              )
              .map((at) => (
                <span
                  key={at}
                  className="tabular absolute top-0 whitespace-nowrap border-line border-l pl-1 text-ink-3 text-xs"
                  style={{ left: at / perPixel }}
                >
                  {durationText(at / 1000)}
                </span>
              ))}
          </div>
          {gantt.lanes.map((lane, i) => (
            <GanttLane
              key={lane.key}
              lane={lane}
              from={gantt.from}
              perPixel={perPixel}
              seenFrom={seen.from}
              seenTo={seen.to}
              isFirst={i === 0}
              onActive={setActive}
              onOpen={open}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

const legend = "Solid: working. Hatched: waiting for people. Dotted: no worker.";

function Details({ bar }: { bar: Bar }) {
  const duration = durationText((bar.to - bar.from) / 1000);
  const how = bar.isOpen
    ? `for ${duration} by now`
    : bar.hasFailed
      ? `failed after ${duration}`
      : duration;
  return (
    <>
      <bdi className="font-medium">{bar.label}</bdi>{" "}
      <span className="text-ink-2">
        {how}, from {timeOfDay(timestampOf(bar.from))}
      </span>
    </>
  );
}

/** How wide the pane is, and how far it is scrolled. */
function useView(pane: { current: HTMLDivElement | null }): { width: number; left: number } {
  const [view, setView] = useState({ width: 800, left: 0 });
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setView({ width: element.clientWidth, left: element.scrollLeft }),
      );
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [pane]);
  return view;
}
