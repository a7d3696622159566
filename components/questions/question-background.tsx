"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useId } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { api } from "../api/api-client.ts";
import { queries } from "../api/queries.ts";
import { RelativeTime, TimeOfDay } from "../time/relative-time.tsx";
import { cn } from "../ui/cn.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { outcomeText, saidText } from "./countdown-text.ts";

const JsonViewer = lazyPart(() => import("../json/json-viewer.tsx"));

const shownUpdates = 6;
const shownAnswers = 5;
// Events of other kinds stand between the updates.
const readEvents = 40;

/** What is known beside the question: what its task said last, its parameters, earlier answers. */
export default function QuestionBackground({ question }: { question: QuestionData }) {
  const { taskId } = question;
  const { data: detail } = useQuery(queries.task(taskId));
  const lastSeq = detail?.task.lastSeq ?? 0;
  const { data: events } = useQuery({
    queryKey: ["last-updates", taskId, lastSeq],
    queryFn: () =>
      api.tasks.events.query({
        taskId,
        afterSeq: Math.max(0, lastSeq - readEvents),
        limit: readEvents,
      }),
    enabled: lastSeq > 0,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  if (!detail) return null;
  const updates = (events?.items ?? [])
    .flatMap((event) => (event.kind === "update" && event.level !== "debug" ? [event] : []))
    .slice(-shownUpdates);
  const answers = detail.questions
    .filter((each) => each.outcome !== null && each.questionId !== question.questionId)
    .slice(-shownAnswers);
  const params = detail.params as JsonValue;
  return (
    <aside aria-label="Background" className="flex min-w-0 flex-col gap-4">
      {updates.length > 0 && (
        <Part title="Latest updates">
          <ol className="flex flex-col">
            {updates.map(({ seq, at, level, message }) => (
              <li key={seq} className="flex gap-2.5 py-0.5">
                <TimeOfDay at={at} className="tabular shrink-0 text-ink-3 text-sm" />
                <span
                  className={cn(
                    "task-text line-clamp-3 min-w-0",
                    level === "warning" && "text-waiting",
                    level === "error" && "text-failed",
                  )}
                >
                  {message}
                </span>
              </li>
            ))}
          </ol>
        </Part>
      )}
      {answers.length > 0 && (
        <Part title="Earlier in this task">
          <ul className="flex flex-col gap-2">
            {answers.map((each) => (
              <li key={each.questionId}>
                <p className="task-text line-clamp-2 text-ink-2">{each.prompt}</p>
                <p className="task-text line-clamp-2 font-medium">{saidText(each)}</p>
                <p className="text-ink-3 text-sm">
                  {outcomeText(each)}
                  {each.resolvedAt !== null && (
                    <RelativeTime at={each.resolvedAt} className="before:content-['_·_']" />
                  )}
                </p>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {params !== null && (
        <Part title="Parameters" isFlush>
          <Suspense fallback={null}>
            <JsonViewer value={params} label="Parameters" />
          </Suspense>
        </Part>
      )}
    </aside>
  );
}

function Part({
  title,
  isFlush,
  children,
}: {
  title: string;
  isFlush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="mb-1 font-medium text-ink-2 text-sm">
        {title}
      </h3>
      <div className={isFlush ? "rounded-md border bg-surface" : undefined}>{children}</div>
    </section>
  );
}
