"use client";

import { ChevronLeft } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import type { ListedQuestion } from "../live/merge-pages.ts";
import { Button } from "../ui/button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { QuestionCard } from "./question-card.tsx";

const QuestionBackground = lazyPart(() => import("./question-background.tsx"));

// Whoever moves through many questions fast needs the background of none.
const restMillis = 250;

/** The question that is being read, with what is known about it beside it. */
export function InboxDetail({
  question,
  hasNext,
  onBack,
  onSaid,
  onNext,
}: {
  question: ListedQuestion | undefined;
  hasNext: boolean;
  onBack: () => void;
  onSaid: () => void;
  onNext: () => void;
}) {
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), restMillis);
    return () => clearTimeout(timer);
  }, []);
  if (!question) return null;
  const isOpen = question.outcome === null;
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 px-4 py-3 sm:px-6 @5xl:mx-0 @5xl:grid @5xl:max-w-6xl @5xl:grid-cols-[minmax(0,1fr)_22rem] @5xl:gap-6">
      {/* Where the list gives way to it, this is all there is on the page. */}
      <h1 className="sr-only lg:hidden">Question</h1>
      <div className="flex min-w-0 flex-col gap-3">
        <Button size="sm" variant="quiet" className="-ml-2.5 self-start lg:hidden" onClick={onBack}>
          <ChevronLeft aria-hidden="true" />
          All questions
        </Button>
        <QuestionCard
          question={question}
          taskType={question.taskType}
          onSaid={onSaid}
          hasKeys={isOpen}
        />
        {!isOpen && hasNext && (
          <Button className="self-start" onClick={onNext}>
            Next question
          </Button>
        )}
      </div>
      {isResting && (
        <Suspense>
          <QuestionBackground question={question} />
        </Suspense>
      )}
    </div>
  );
}
