"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { Kbd } from "../keyboard/kbd.tsx";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import type { ListedQuestion } from "../live/merge-pages.ts";
import { Button } from "../ui/button.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { answerText } from "./countdown-text.ts";
import DeclineForm from "./decline-form.tsx";
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
  const [isDeclining, setDeclining] = useState(false);
  const form = useRef<HTMLDivElement>(null);
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
      label: said === null ? "See what each gets" : `${sendText(said)} ${questions.length}`,
      section: "Questions",
      inFields: true,
      run: () => (said === null ? form.current?.querySelector("form")?.requestSubmit() : send()),
    },
    {
      keys: "d",
      label: `Decline ${questions.length}…`,
      section: "Questions",
      when: said === null && !isDeclining,
      run: () => setDeclining(true),
    },
  ]);
  if (!first) return null;
  const answering: Answering = {
    answer: (answer) => check.mutate(answer),
    decline: (reason) => setSaid({ kind: "decline", reason }),
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
        <div ref={form} data-answer="" className="rounded-lg border bg-surface p-4">
          {isDeclining ? (
            <DeclineForm
              questionId={asOne.questionId}
              answering={answering}
              onBack={() => setDeclining(false)}
            />
          ) : (
            <>
              <p className="mb-3 text-ink-2">
                One answer for all of them. You see it before it is sent.
              </p>
              <AnswerForm question={asOne} answering={answering} hasKeys />
              <div className="mt-3.5 flex justify-end border-t pt-2.5">
                <Button
                  size="sm"
                  variant="quiet"
                  className="-mr-2"
                  onClick={() => setDeclining(true)}
                >
                  Decline {questions.length}…
                  <Kbd keys="d" />
                </Button>
              </div>
            </>
          )}
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-3 rounded-lg border bg-surface p-4">
          <p className="task-text min-w-0 flex-1 font-medium text-lg">{textFor(first, said)}</p>
          <Button variant="primary" autoFocus onClick={send}>
            {sendText(said)} {questions.length}
            <Kbd keys="$mod+Enter" />
          </Button>
          <Button onClick={() => setSaid(null)}>
            {said.kind === "answer" ? "Another answer" : "Back"}
          </Button>
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
                {said === null ? "…" : `→ ${textFor(question, said)}`}
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

function sendText({ kind }: Said): string {
  return kind === "answer" ? "Send to" : "Decline";
}

function textFor(question: ListedQuestion, said: Said): string {
  if (said.kind === "answer") return answerText(question, said.answer);
  return said.reason === null ? "Declined" : `Declined: ${said.reason}`;
}
