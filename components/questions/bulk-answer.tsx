"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { Kbd } from "../keyboard/kbd.tsx";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import type { ListedQuestion } from "../live/merge-pages.ts";
import { Button } from "../ui/button.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { answerText } from "./countdown-text.ts";
import type { Said } from "./outbox.ts";
import { say } from "./send-answer.ts";
import type { Answering } from "./use-answer.ts";

const shownPrompts = 100;

/** One answer for several questions that are alike, after a look at what each of them gets. */
export default function BulkAnswer({
  questions,
  alikeCount,
  onSelectAlike,
  onClear,
  onSaid,
}: {
  questions: readonly ListedQuestion[];
  alikeCount: number;
  onSelectAlike: () => void;
  onClear: () => void;
  onSaid: () => void;
}) {
  const client = useQueryClient();
  const [said, setSaid] = useState<Said | null>(null);
  const [first] = questions;
  // They are alike: what fits one fits all.
  const check = useMutation({
    mutationFn: (answer: JsonValue) =>
      api.questions.check.mutate({ questionId: first?.questionId ?? "", answer }),
    onSuccess: (_, answer) => setSaid({ kind: "answer", answer }),
  });
  const send = () => {
    if (said) say(client, questions, said, onSaid);
  };
  useShortcuts([
    {
      keys: "$mod+Enter",
      label: `Send to ${questions.length}`,
      section: "Questions",
      inFields: true,
      when: said !== null,
      run: send,
    },
  ]);
  if (!first) return null;
  const answering: Answering = {
    answer: (answer) => check.mutate(answer),
    decline: () => {},
    isBusy: check.isPending,
    error: check.error ? readApiError(check.error) : null,
  };
  // A draft of its own: what was typed for the first of them alone stays there.
  const asOne = { ...first, questionId: `bulk.${first.taskType}.${first.questionId}` };
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 px-4 py-3 sm:px-6">
      <header className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold text-lg">
          <span role="status">
            {questions.length === 1
              ? "1 question selected"
              : `${questions.length} questions selected`}
          </span>
        </h2>
        {alikeCount > questions.length && (
          <Button size="sm" variant="quiet" onClick={onSelectAlike}>
            Select all {alikeCount} that ask the same
            <Kbd keys="Shift+x" />
          </Button>
        )}
        <Button size="sm" variant="quiet" className="ml-auto" onClick={onClear}>
          Select none
          <Kbd keys="Escape" />
        </Button>
      </header>
      {said === null ? (
        <div data-answer="" className="rounded-lg border bg-surface p-4">
          <p className="mb-3 text-ink-2">
            One answer for all of them. You see it before it is sent.
          </p>
          <AnswerForm question={asOne} answering={answering} hasKeys />
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-3 rounded-lg border bg-surface p-4">
          <p className="task-text min-w-0 flex-1 font-medium text-lg">
            {said.kind === "answer" && answerText(first, said.answer)}
          </p>
          <Button variant="primary" autoFocus onClick={send}>
            Send to {questions.length}
            <Kbd keys="$mod+Enter" />
          </Button>
          <Button onClick={() => setSaid(null)}>Another answer</Button>
        </div>
      )}
      <section aria-label="What each of them gets">
        <ul className="overflow-hidden rounded-lg border bg-surface">
          {questions.slice(0, shownPrompts).map((question) => (
            <li
              key={question.questionId}
              className="flex items-start gap-4 px-4 py-2 not-last:border-b"
            >
              <span className="task-text line-clamp-2 min-w-0 flex-1">{question.prompt}</span>
              <span className="task-text line-clamp-2 max-w-[40%] shrink-0 text-ink-2">
                {said?.kind === "answer" ? `→ ${answerText(question, said.answer)}` : "…"}
              </span>
            </li>
          ))}
        </ul>
        {questions.length > shownPrompts && (
          <p className="mt-2 text-ink-2">
            and {questions.length - shownPrompts} more, which get the same
          </p>
        )}
      </section>
    </div>
  );
}
