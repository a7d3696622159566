"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowDown } from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { questionsById } from "@/server/core/event-text.ts";
import type { TaskRecord } from "@/server/core/task.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { usePrint } from "../print/use-print.tsx";
import { QuestionCard } from "../questions/question-card.tsx";
import {
  foundEntries,
  isFiltering,
  noFilter,
  type TimelineEntries,
  type TimelineFilter,
} from "../timeline/entries.ts";
import { findFirstError } from "../timeline/find-first-error.ts";
import { Present } from "../timeline/present.tsx";
import { noEvents } from "../timeline/timeline-events.ts";
import { TimelineList } from "../timeline/timeline-list.tsx";
import { TimelineToolbar } from "../timeline/timeline-toolbar.tsx";
import { useEntries } from "../timeline/use-entries.ts";
import { useFarEvents } from "../timeline/use-far-events.ts";
import { useFollow } from "../timeline/use-follow.ts";
import { type FoundEvents, useFoundEvents } from "../timeline/use-found-events.ts";
import { goToEvent, useHashTarget } from "../timeline/use-hash-target.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const GanttView = lazy(() => import("../gantt/gantt-view.tsx"));

/** The timeline of a task, with what it asks right now at its end. */
export function TaskTimeline({
  detail,
}: {
  detail: { task: TaskRecord; questions: readonly QuestionData[] };
}) {
  const { task, questions } = detail;
  const { taskId } = task;
  const query = useQuery(queries.events(taskId, task.lastSeq));
  const loaded = query.data ?? noEvents;
  const byId = useMemo(() => questionsById(questions), [questions]);
  const far = useFarEvents(taskId, loaded.earlier);
  const all = useEntries(loaded, far, questions);
  const [filter, setFilter] = useState(noFilter);
  const found = useFoundEvents(taskId, loaded, questions, filter);
  const isNarrowed = isFiltering(filter);
  const entries: TimelineEntries = isNarrowed ? foundEntries(found.events) : all.entries;
  const open = useShownQuestions(questions);
  const isLive = !isTerminal(task.status);
  const target = useHashTarget();
  const follow = useFollow(entries.count + open.length, isLive, target !== null);
  const printing = usePrint(taskId);
  const [showsGantt, setShowsGantt] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const firstAsked = open.find(({ outcome }) => outcome === null);
  const isAsked = firstAsked !== undefined;

  const goTo = (seq: number) => {
    follow.pause();
    setFilter(noFilter);
    goToEvent(seq);
  };

  if (query.isError && !query.data) {
    return (
      <ErrorState
        message={readApiError(query.error).message}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <>
      <div className="z-20 lg:sticky lg:top-0">
        <TimelineToolbar
          taskId={taskId}
          search={search}
          filter={filter}
          onFilter={setFilter}
          found={isNarrowed ? foundText(found, filter) : null}
          following={
            isLive
              ? {
                  isFollowing: follow.isFollowing,
                  toggle: follow.isFollowing ? follow.pause : follow.follow,
                }
              : null
          }
          onQuestion={isAsked ? () => showQuestion(follow.stop.current) : null}
          onFirstError={async () => {
            const seq = await findFirstError(taskId, loaded);
            if (seq !== null) goTo(seq);
            return seq !== null;
          }}
          onPrint={printing.print}
          gantt={{ isShown: showsGantt, toggle: () => setShowsGantt(!showsGantt) }}
        />
        {showsGantt && query.data && (
          <Suspense fallback={<Skeleton className="m-4 h-24" />}>
            <GanttView task={task} questions={questions} loaded={loaded} onGoTo={goTo} />
          </Suspense>
        )}
      </div>
      <div className="w-full max-w-5xl px-2 pt-3 pb-6 sm:px-4">
        {query.isPending ? (
          <div role="status" aria-label="Loading the timeline" className="flex flex-col gap-3 p-4">
            {[0, 1, 2].map((key) => (
              <Skeleton key={key} className="h-4 max-w-xl" />
            ))}
          </div>
        ) : (
          <>
            <TimelineList
              key={isNarrowed ? "found" : "all"}
              entries={entries}
              questions={byId}
              longestStep={all.longestStep}
              target={target}
              onView={isNarrowed ? nothing : far.want}
              onSize={follow.settle}
            />
            {isNarrowed && entries.count === 0 && found.searched === 1 && (
              <p className="px-2 py-6 text-center text-ink-2">Nothing in this timeline fits.</p>
            )}
            <Present task={task} before={isNarrowed ? null : lastRail(entries)} />
          </>
        )}
        {open.length > 0 && (
          <div ref={follow.stop} className="mt-3 flex flex-col gap-3 sm:pl-[6.75rem]">
            {open.map((question) => (
              <QuestionCard
                key={question.questionId}
                question={question}
                hasKeys={question === firstAsked}
                hasAnswerKey={false}
              />
            ))}
          </div>
        )}
        {isLive && !follow.isFollowing && (
          <div className="pointer-events-none sticky bottom-3 z-10 mt-3 flex justify-center max-md:bottom-16 print:hidden">
            <Button size="pill" className="pointer-events-auto" onClick={follow.follow}>
              <ArrowDown aria-hidden="true" />
              {follow.unseen > 0 ? `${follow.unseen} new, follow` : "Follow"}
            </Button>
          </div>
        )}
        <div ref={follow.end} />
        {printing.sheet}
      </div>
    </>
  );
}

function nothing(): void {}

function lastRail(entries: TimelineEntries) {
  return entries.at(entries.count - 1)?.rail ?? null;
}

function foundText(found: FoundEvents, { text, level }: TimelineFilter): string {
  if (found.error !== null) return found.error;
  const count = found.events.length.toLocaleString("en-GB");
  const what =
    text === "" && level !== "debug"
      ? `${count} ${count === "1" ? "entry" : "entries"}`
      : `${count} found`;
  if (found.isCut) return `${what}, and more: download the timeline to see all`;
  if (found.searched === 1) return what;
  return `${what}, ${Math.floor(found.searched * 100)} % searched…`;
}

function showQuestion(cards: HTMLElement | null): void {
  const card = cards?.firstElementChild;
  card?.scrollIntoView({ block: "start" });
  card?.querySelector<HTMLElement>("button, input, textarea, select")?.focus({
    preventScroll: true,
  });
}

/**
 * The open questions, and those that were resolved while they were shown here: whoever was about
 * to answer sees who was first.
 */
function useShownQuestions(questions: readonly QuestionData[]): QuestionData[] {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const open = questions.filter(({ outcome }) => outcome === null);
  const added = open.filter(({ questionId }) => !shown.has(questionId));
  if (added.length > 0) {
    setShown(new Set([...shown, ...added.map(({ questionId }) => questionId)]));
  }
  return questions.filter(({ questionId, outcome }) => outcome === null || shown.has(questionId));
}
