"use client";

import { Ban, Check, Clock, X } from "lucide-react";
import type { QuestionData, QuestionOutcome } from "@/server/core/task-question.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { outcomeText, saidText } from "./countdown-text.ts";
import { TypedBefore } from "./typed-before.tsx";

const outcomeLooks: Record<QuestionOutcome, { Icon: typeof Check; text: string }> = {
  answered: { Icon: Check, text: "text-completed" },
  declined: { Icon: Ban, text: "text-waiting" },
  timed_out: { Icon: Clock, text: "text-failed" },
  cancelled: { Icon: X, text: "text-cancelled" },
};

/** What stands where a question was, once it is resolved: who was first, how, and with what. */
export default function QuestionOutcomeLine({
  question,
  taskType,
  onDismiss,
}: {
  question: QuestionData;
  taskType?: string;
  onDismiss?: () => void;
}) {
  if (question.outcome === null) return null;
  const { Icon, text } = outcomeLooks[question.outcome];
  const said = saidText(question);
  return (
    <div
      role="status"
      data-question={question.questionId}
      className="flex items-start gap-3 rounded-lg border border-dashed px-4 py-2.5"
    >
      <Icon className={cn("mt-0.5 size-4 shrink-0", text)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="task-text line-clamp-1 text-ink-2">{question.prompt}</p>
        {said !== null && said !== "" && (
          <p className="task-text line-clamp-3 font-medium">{said}</p>
        )}
        <p className="text-sm">
          <span className={text}>{outcomeText(question)}</span>
          {question.resolvedAt !== null && (
            <RelativeTime at={question.resolvedAt} className="text-ink-3 before:content-['_·_']" />
          )}
          {taskType !== undefined && (
            <>
              <span className="text-ink-3"> · </span>
              <IntentLink
                href={`/tasks/${question.taskId}`}
                className="task-text text-ink-2 underline-offset-2 hover:underline"
              >
                {taskType}
              </IntentLink>
            </>
          )}
        </p>
        <TypedBefore questionId={question.questionId} />
      </div>
      {onDismiss && (
        <Button variant="quiet" size="tiny" aria-label="Dismiss" onClick={onDismiss}>
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}
