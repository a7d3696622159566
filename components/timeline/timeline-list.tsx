"use client";

import { type CSSProperties, useEffect, useLayoutEffect, useRef } from "react";
import type { QuestionData } from "@/server/core/task-question.ts";
import { dayText } from "../time/time-text.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import type { TimelineEntries, TimelineEntry } from "./entries.ts";
import { TimelineRow } from "./timeline-row.tsx";
import { useVirtualRows } from "./use-virtual-rows.ts";

const barPixels = 120;

interface TimelineListProps {
  entries: TimelineEntries;
  questions: ReadonlyMap<string, QuestionData>;
  /** Seconds of the longest step, by which the bars of the others are measured. */
  longestStep: number;
  /** `seq` of the event that a link named; null for none. */
  target: number | null;
  /** Called with what is in view, from one `seq` to another. */
  onView: (fromSeq: number, toSeq: number) => void;
  /** Called when the list has become taller or shorter. */
  onSize: () => void;
}

/**
 * A task's timeline as a thread that runs down the page: whole while it worked, dashed while it
 * waited for people. Only the rows in view are rendered, so a burst costs the rows that it shows.
 */
export function TimelineList(props: TimelineListProps) {
  const { entries, questions, longestStep, target, onView, onSize } = props;
  const list = useRef<HTMLOListElement>(null);
  const { virtualizer, margin, isReady } = useVirtualRows(list, entries.count, entries.seqAt);
  const items = virtualizer.getVirtualItems();
  const size = virtualizer.getTotalSize();

  const [from, to] = [items[0]?.index, items.at(-1)?.index];
  useEffect(() => {
    if (from !== undefined && to !== undefined) onView(entries.seqAt(from), entries.seqAt(to));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: for each new height
  useLayoutEffect(onSize, [size]);

  const targetIndex = target === null ? -1 : entries.indexOf(target);
  const hasTarget = targetIndex >= 0 && targetIndex < entries.count;
  // Anew when it is loaded, because only then its place is known for good.
  const isLoaded = hasTarget && entries.at(targetIndex) !== null;
  useEffect(() => {
    if (!hasTarget || !isReady) return;
    if (!isInView(`event-${target}`)) virtualizer.scrollToIndex(targetIndex, { align: "center" });
    if (!isLoaded) return;
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`#event-${target} a`)?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(frame);
  }, [hasTarget, isReady, isLoaded, target, targetIndex, virtualizer]);

  return (
    <ol
      ref={list}
      aria-label="Timeline"
      className="relative"
      style={{ height: size, "--longest-step": longestStep || 1 } as CSSProperties}
    >
      {items.map((item) => {
        const entry = entries.at(item.index);
        const before = item.index === 0 ? null : entries.at(item.index - 1);
        return (
          <li
            key={item.key}
            id={`event-${entries.seqAt(item.index)}`}
            ref={virtualizer.measureElement}
            data-index={item.index}
            data-seq={entries.seqAt(item.index)}
            aria-setsize={entries.count}
            aria-posinset={item.index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${item.start - margin}px)` }}
          >
            {entry === null ? <Loading /> : <Row {...{ entry, before, questions, target }} />}
          </li>
        );
      })}
    </ol>
  );
}

/** A row that is in view already is left where it is. */
function isInView(id: string): boolean {
  const place = document.getElementById(id)?.getBoundingClientRect();
  return place !== undefined && place.top > barPixels && place.bottom < innerHeight - barPixels;
}

function Row({
  entry: { event, rail },
  before,
  questions,
  target,
}: {
  entry: TimelineEntry;
  before: TimelineEntry | null;
} & Pick<TimelineListProps, "questions" | "target">) {
  return (
    <TimelineRow
      event={event}
      question={"questionId" in event ? (questions.get(event.questionId) ?? null) : null}
      rail={rail}
      before={before?.rail ?? null}
      isNewDay={before !== null && dayText(before.event.at) !== dayText(event.at)}
      isTarget={event.seq === target}
    />
  );
}

function Loading() {
  return (
    <div className="flex h-7 items-center pl-[6.75rem]">
      <Skeleton className="h-3 w-full max-w-md" />
    </div>
  );
}
