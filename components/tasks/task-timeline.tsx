"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowDown } from "lucide-react";
import { useMemo, useState } from "react";
import type { TaskRecord } from "@/server/core/task.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { QuestionCard } from "../questions/question-card.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { type LoadedEvents, loadEarlier, noEvents } from "../timeline/timeline-events.ts";
import { pastRows } from "../timeline/timeline-rows.ts";
import { useFollow } from "../timeline/use-follow.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const rowsAtFirst = 400;
const rowsMore = 400;

/** The timeline of a task, with what it asks right now at its end. */
export function TaskTimeline({
  detail,
}: {
  detail: { task: TaskRecord; questions: readonly QuestionData[] };
}) {
  const { task, questions } = detail;
  const client = useQueryClient();
  const query = useQuery(queries.events(task.taskId, task.lastSeq));
  const loaded = query.data ?? noEvents;
  const rows = useMemo(() => pastRows(loaded.events, questions), [loaded.events, questions]);
  const open = useShownQuestions(questions);
  const [limit, setLimit] = useState(rowsAtFirst);
  const isLive = !isTerminal(task.status);
  const { end, stop, isFollowing, unseen, follow } = useFollow(
    loaded.earlier + rows.length + open.length,
    isLive,
  );

  // Cut where groups of rows end, so that a new row does not shift all of them.
  const hidden = Math.max(0, Math.floor((rows.length - limit) / 40) * 40);
  const showEarlier = async () => {
    setLimit(limit + rowsMore);
    if (hidden >= rowsMore || loaded.earlier === 0) return;
    const all = await loadEarlier(task.taskId, loaded);
    client.setQueryData<LoadedEvents>(["events", task.taskId], (now) =>
      now && now.events.length > 0 && all.events[0] !== undefined
        ? {
            events: [
              ...all.events.filter(({ seq }) => seq < (now.events[0]?.seq ?? 0)),
              ...now.events,
            ],
            earlier: all.earlier,
          }
        : all,
    );
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
    <div className="w-full max-w-5xl px-2 pt-3 pb-6 sm:px-4">
      {(hidden > 0 || loaded.earlier > 0) && (
        <div className="mb-2 flex justify-center">
          <Button size="sm" onClick={() => void showEarlier()}>
            Show earlier ({(hidden + loaded.earlier).toLocaleString("en-GB")} more)
          </Button>
        </div>
      )}
      {query.isPending ? (
        <div role="status" aria-label="Loading the timeline" className="flex flex-col gap-3 p-4">
          {[0, 1, 2].map((key) => (
            <Skeleton key={key} className="h-4 max-w-xl" />
          ))}
        </div>
      ) : (
        <Timeline rows={hidden > 0 ? rows.slice(hidden) : rows} task={task} />
      )}
      {open.length > 0 && (
        <div ref={stop} className="mt-3 flex flex-col gap-3 sm:pl-[6.75rem]">
          {open.map((question) => (
            <QuestionCard key={question.questionId} question={question} />
          ))}
        </div>
      )}
      {isLive && !isFollowing && (
        <div className="pointer-events-none sticky bottom-3 z-10 mt-3 flex justify-center max-md:bottom-16">
          <Button size="pill" className="pointer-events-auto" onClick={follow}>
            <ArrowDown aria-hidden="true" />
            {unseen > 0 ? `${unseen} new, follow` : "Follow"}
          </Button>
        </div>
      )}
      <div ref={end} />
    </div>
  );
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
