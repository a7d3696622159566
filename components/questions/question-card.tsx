"use client";

import { Clock, ShieldCheck } from "lucide-react";
import { Suspense, useId, useRef, useState } from "react";
import type { QuestionData } from "@/server/core/task-question.ts";
import { useMay } from "../api/queries.ts";
import { Kbd } from "../keyboard/kbd.tsx";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { exactText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { ClaimControl } from "./claim-control.tsx";
import {
  answerableByText,
  countdownText,
  deadlineConsequence,
  urgencyOf,
} from "./countdown-text.ts";
import { focusAnswer } from "./focus-answer.ts";
import { HeldAnswer } from "./held-answer.tsx";
import { PromptText } from "./prompt-text.tsx";
import { QuestionContext } from "./question-context.tsx";
import { type Answering, useAnswer } from "./use-answer.ts";
import { usePendingFor } from "./use-pending.ts";
import { useSeen } from "./use-seen.ts";

// Most questions are no approvals, and few are declined, so most visits need not load these.
const ApprovalForm = lazyPart(() => import("./approval-form.tsx"));
const DeclineForm = lazyPart(() => import("./decline-form.tsx"));
const QuestionOutcomeLine = lazyPart(() => import("./question-outcome-line.tsx"));

interface QuestionCardProps {
  question: QuestionData;
  /** The task it belongs to; left out where the page is that task's. */
  taskType?: string;
  onDismiss?: () => void;
  /** Called when something was said to it here, and is on its way or held back for a moment. */
  onSaid?: () => void;
  /** True where the keys of a question are this one's: 1–9, C, D, E. */
  hasKeys?: boolean;
  /** False where E is something else's. */
  hasAnswerKey?: boolean;
}

/** A question and everything needed to answer it; once resolved, how it ended. */
export function QuestionCard({
  question,
  taskType,
  onDismiss,
  onSaid,
  hasKeys = false,
  hasAnswerKey = hasKeys,
}: QuestionCardProps) {
  const ref = useSeen(
    question.questionId,
    question.outcome === null && question.firstSeenAt === null,
  );
  const titleId = useId();
  const answering = useAnswer(question, () => onSaid?.());
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
        <ClaimControl question={question} hasKeys={hasKeys} />
        <Countdown question={question} />
      </header>
      <div className="flex flex-col gap-3.5 px-4 py-3.5">
        <PromptText prompt={question.prompt} className="text-lg" />
        <QuestionContext context={question.context} />
        <OpenQuestion
          question={question}
          answering={answering}
          hasKeys={hasKeys}
          hasAnswerKey={hasAnswerKey}
        />
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

function OpenQuestion({
  question,
  answering,
  hasKeys,
  hasAnswerKey,
}: {
  question: QuestionData;
  answering: Answering;
  hasKeys: boolean;
  hasAnswerKey: boolean;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const [isDeclining, setDeclining] = useState(false);
  // The deadline decides, whether or not the server has said so yet.
  const isDue = useTicking((now) => urgencyOf(question, now) === "due") ?? false;
  const mayAnswer = useMay("questions:answer");
  const pending = usePendingFor(question.questionId);
  const isOpen = !isDue && mayAnswer && pending === null;
  const hasOpenKeys = hasKeys && isOpen;
  useShortcuts([
    {
      keys: "e",
      label: "Answer",
      section: "Questions",
      when: hasAnswerKey && isOpen && !isDeclining,
      run: focusAnswer,
    },
    {
      keys: "d",
      label: "Decline…",
      section: "Questions",
      when: hasOpenKeys && !isDeclining,
      run: () => setDeclining(true),
    },
    {
      keys: "$mod+Enter",
      label: "Send",
      section: "Questions",
      inFields: true,
      when: hasOpenKeys,
      run: () => ref.current?.querySelector("form")?.requestSubmit(),
    },
  ]);
  if (pending !== null) {
    return <HeldAnswer question={question} pending={pending} />;
  }
  if (isDue) return <p className="text-ink-2">The deadline has passed. Waiting for the outcome…</p>;
  if (!mayAnswer) return <p className="text-ink-2">An operator or an admin answers this.</p>;
  return (
    <div ref={ref} data-answer="" className="flex flex-col gap-3.5">
      {isDeclining ? (
        <Suspense fallback={<Skeleton className="h-40" />}>
          <DeclineForm
            questionId={question.questionId}
            answering={answering}
            onBack={() => setDeclining(false)}
          />
        </Suspense>
      ) : question.approval !== null ? (
        <Suspense fallback={<Skeleton className="h-40" />}>
          <ApprovalForm
            question={question}
            approval={question.approval}
            answering={answering}
            onDecline={() => setDeclining(true)}
          />
        </Suspense>
      ) : (
        <>
          <AnswerForm question={question} answering={answering} hasKeys={hasOpenKeys} />
          <div className="flex items-center gap-4 border-t pt-2.5">
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
              {hasKeys && <Kbd keys="d" />}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
