"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { EmptyState, ErrorState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { inboxOrder } from "./inbox-order.ts";
import { useKeptQuestions } from "./use-kept-questions.ts";

// An inbox is empty most of the time. Their cards come when there is one.
const QuestionCard = lazy(async () => {
  const { QuestionCard } = await import("./question-card.tsx");
  return { default: QuestionCard };
});

const ownAnswerShownMillis = 6000;

/** All open questions, each answered in place. */
export function Inbox() {
  const query = useInfiniteQuery(queries.openQuestions());
  const stats = useQuery(queries.stats());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const dismiss = useCallback((...ids: string[]) => {
    setDismissed((before) => new Set([...before, ...ids]));
  }, []);

  const listed = useMemo(() => query.data?.pages.flatMap(({ items }) => items), [query.data]);
  const all = useKeptQuestions(listed, dismissed);
  const questions = inboxOrder(all, dismissed);
  const resolved = questions.filter(({ outcome }) => outcome !== null);
  const open = questions.length - resolved.length;
  const count = Math.max(open, stats.data?.openQuestions ?? 0);

  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col px-4 pt-3 pb-10 sm:px-6 min-[1800px]:max-w-4xl">
      <PageHeader
        title="Inbox"
        note={query.data && count > 0 && `${count} open, soonest deadline first`}
      >
        {resolved.length > 0 && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => dismiss(...resolved.map(({ questionId }) => questionId))}
          >
            Clear {resolved.length} resolved
          </Button>
        )}
      </PageHeader>
      {query.isError && !query.data ? (
        <ErrorState
          message={readApiError(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <Loading />
      ) : questions.length === 0 ? (
        <NothingOpen />
      ) : (
        <Suspense fallback={<Loading />}>
          <ul className="mt-2 flex flex-col gap-3" aria-label="Open questions">
            {questions.map((question) => (
              <li key={question.questionId}>
                <QuestionCard
                  question={question}
                  taskType={question.taskType}
                  onDismiss={() => dismiss(question.questionId)}
                  onSent={() =>
                    setTimeout(() => dismiss(question.questionId), ownAnswerShownMillis)
                  }
                />
              </li>
            ))}
          </ul>
        </Suspense>
      )}
      {query.hasNextPage && (
        <Button
          className="mt-4 self-center"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      )}
    </div>
  );
}

function NothingOpen() {
  return (
    <EmptyState
      title="Nobody waits for you"
      icon={<CircleCheck className="size-8" strokeWidth={1.5} aria-hidden="true" />}
      action={
        <div className="flex gap-2">
          <IntentLink href="/tasks" className={buttonClass()}>
            See the tasks
          </IntentLink>
          <IntentLink href="/start" className={buttonClass()}>
            Start a task
          </IntentLink>
        </div>
      }
    >
      When a task has a question, it appears here at once, and the tab’s title shows how many wait.
    </EmptyState>
  );
}

function Loading() {
  return (
    <div className="mt-2 flex flex-col gap-3" role="status" aria-label="Loading the questions">
      {[0, 1].map((key) => (
        <div key={key} className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-8 w-56" />
        </div>
      ))}
    </div>
  );
}
