"use client";

import { Clock, ShieldCheck } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import type { QuestionData } from "@/server/core/task-question.ts";
import { useMay } from "../api/queries.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { exactText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AnswerForm } from "./answer-form.tsx";
import {
  answerableByText,
  countdownText,
  deadlineConsequence,
  urgencyOf,
} from "./countdown-text.ts";
import { clearDraft } from "./drafts.ts";
import { PromptText } from "./prompt-text.tsx";
import { QuestionContext } from "./question-context.tsx";
import { type Answering, useAnswer } from "./use-answer.ts";
import { useSeen } from "./use-seen.ts";

// Most questions are no approvals, and few are declined, so most visits need not load these.
const ApprovalForm = lazy(() => import("./approval-form.tsx"));
const DeclineForm = lazy(() => import("./decline-form.tsx"));
const QuestionOutcomeLine = lazy(() => import("./question-outcome-line.tsx"));

interface QuestionCardProps {
  question: QuestionData;
  /** The task it belongs to; left out where the page is that task's. */
  taskType?: string;
  onDismiss?: () => void;
  /** Called when an answer or a decline of this page's was taken. */
  onSent?: () => void;
}

/** A question and everything needed to answer it; once resolved, how it ended. */
export function QuestionCard({ question, taskType, onDismiss, onSent }: QuestionCardProps) {
  const ref = useSeen(
    question.questionId,
    question.outcome === null && question.firstSeenAt === null,
  );
  const titleId = useId();
  const answering = useAnswer(question, () => {
    clearDraft(question.questionId);
    onSent?.();
  });
  if (question.outcome !== null) {
    return (
      <Suspense fallback={<Skeleton className="h-12" />}>
        <QuestionOutcomeLine question={question} taskType={taskType} onDismiss={onDismiss} />
      </Suspense>
    );
  }
  const kind = question.approval === null ? "Question" : "Approval";
  return (
    <article
      ref={ref}
      aria-labelledby={titleId}
      data-question={question.questionId}
      className="rounded-lg border bg-surface"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 text-ink-2 text-sm">
        <h2 id={titleId} className="min-w-0 font-medium text-ink">
          <span className="sr-only">{kind}</span>
          {taskType === undefined ? (
            <span aria-hidden="true">{kind}</span>
          ) : (
            <>
              <span className="sr-only"> of </span>
              <IntentLink
                href={`/tasks/${question.taskId}`}
                className="task-text hover:underline hover:underline-offset-2"
              >
                {taskType}
              </IntentLink>
            </>
          )}
        </h2>
        <span>
          asked <RelativeTime at={question.askedAt} />
        </span>
        {question.answerableBy === "operator" && (
          <span className="flex items-center gap-1" title="No agent may answer this">
            <ShieldCheck className="size-3.5" aria-hidden="true" />
            {answerableByText(question)}
          </span>
        )}
        <Countdown question={question} />
      </header>
      <div className="flex flex-col gap-3.5 px-4 py-3.5">
        <PromptText prompt={question.prompt} className="text-lg" />
        <QuestionContext context={question.context} />
        <OpenQuestion question={question} answering={answering} />
      </div>
    </article>
  );
}

const urgencyLooks = {
  calm: "text-ink-2",
  soon: "bg-waiting-tint text-waiting",
  due: "bg-failed-tint text-failed",
};

function Countdown({ question }: { question: QuestionData }) {
  const text = useTicking((now) => countdownText(question, now));
  const urgency = useTicking((now) => urgencyOf(question, now)) ?? "calm";
  return (
    <time
      dateTime={question.deadline}
      title={text === null ? undefined : `Deadline: ${exactText(question.deadline)}`}
      className={cn(
        "tabular ml-auto inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 py-0.5 font-medium",
        urgencyLooks[urgency],
      )}
    >
      <Clock className="size-3.5" aria-hidden="true" />
      {text ?? " "}
    </time>
  );
}

function OpenQuestion({ question, answering }: { question: QuestionData; answering: Answering }) {
  const [isDeclining, setDeclining] = useState(false);
  // The deadline decides, whether or not the server has said so yet.
  const isDue = useTicking((now) => urgencyOf(question, now) === "due");
  const mayAnswer = useMay("questions:answer");
  if (isDue) return <p className="text-ink-2">The deadline has passed. Waiting for the outcome…</p>;
  if (!mayAnswer) return <p className="text-ink-2">An operator or an admin answers this.</p>;
  if (isDeclining) {
    return (
      <Suspense fallback={<Skeleton className="h-40" />}>
        <DeclineForm answering={answering} onBack={() => setDeclining(false)} />
      </Suspense>
    );
  }
  if (question.approval !== null) {
    return (
      <Suspense fallback={<Skeleton className="h-40" />}>
        <ApprovalForm
          question={question}
          approval={question.approval}
          answering={answering}
          onDecline={() => setDeclining(true)}
        />
      </Suspense>
    );
  }
  return (
    <>
      <AnswerForm question={question} answering={answering} />
      <div className="flex items-end gap-4">
        <p className="task-text min-w-0 flex-1 text-ink-3 text-sm">
          At the deadline, {deadlineConsequence(question)}.
        </p>
        <Button
          size="sm"
          variant="quiet"
          className="-mr-2"
          disabled={answering.isBusy}
          onClick={() => setDeclining(true)}
        >
          Decline…
        </Button>
      </div>
    </>
  );
}
