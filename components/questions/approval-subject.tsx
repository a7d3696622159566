"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { Approval } from "@/server/core/approval.ts";
import type { JsonValue } from "@/server/core/json.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { queries } from "../api/queries.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { previousText } from "./approval-history.ts";
import { type JsonChange, jsonChanges } from "./json-changes.ts";
import { visibleJson, visibleText, withEscapes } from "./visible-json.ts";

/** What is to be approved, whole: action, arguments, what changed about them, who approved so far. */
export function ApprovalSubject({
  question,
  approval,
}: {
  question: QuestionData;
  approval: Approval;
}) {
  const id = useId();
  const { action, args, edited, needed, given } = approval;
  return (
    <div className="flex flex-col gap-3">
      <section aria-labelledby={id} className="overflow-hidden rounded-md border">
        <h3 id={id} className="border-b bg-sunken px-3 py-1.5 font-mono text-sm" dir="ltr">
          <span className="sr-only">Action: </span>
          <span className="task-text font-medium">{visibleText(action)}</span>
        </h3>
        <span className="sr-only">Arguments: </span>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          dir="ltr"
          className="max-h-[60vh] overflow-auto whitespace-pre-wrap px-3 py-2 font-mono text-sm [overflow-wrap:anywhere]"
        >
          {visibleJson(args)}
        </pre>
      </section>
      {edited !== null && (
        <Changes
          title={
            <>
              Edited by {edited.by.name} <RelativeTime at={edited.at} />
            </>
          }
          before={edited.askedArgs}
          after={args}
        />
      )}
      <SinceLastTime question={question} args={args} />
      {needed > 1 && (
        <div>
          <p className="text-ink-2">
            <span className="tabular font-medium text-ink">
              {given.length} of {needed}
            </span>{" "}
            people have approved{edited !== null && " these arguments"}
          </p>
          {given.length > 0 && (
            <ul aria-label="Approved by" className="mt-1 flex flex-col gap-0.5">
              {given.map(({ by, at }) => (
                <li key={by.id} className="flex items-center gap-1.5">
                  <Check className="size-3.5 text-completed" aria-hidden="true" />
                  {by.name}
                  <RelativeTime at={at} className="text-ink-3 text-sm" />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

function SinceLastTime({ question, args }: { question: QuestionData; args: JsonValue }) {
  const { data } = useQuery(queries.previousApproval(question.questionId));
  const previous = data?.previous;
  if (!previous?.approval) return null;
  const last = previousText(previous as QuestionData, question.taskId);
  const before = previous.approval.args as JsonValue;
  return (
    <Changes
      title={
        <>
          Since the last time, {last} <RelativeTime at={previous.askedAt} />
        </>
      }
      before={before}
      after={args}
      none="The arguments are the same."
    />
  );
}

/** The differences between two values; `none` is said where there is none. */
function Changes({
  title,
  before,
  after,
  none,
}: {
  title: ReactNode;
  before: JsonValue;
  after: JsonValue;
  none?: string;
}) {
  const id = useId();
  const changes = jsonChanges(before, after);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-ink-2">
        {title}
      </h3>
      {changes.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          dir="ltr"
          className="mt-1 max-h-64 overflow-auto rounded-md border font-mono text-sm"
        >
          {changes.map((change) => (
            <Change key={change.path} change={change} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Change({ change: { path, before, after } }: { change: JsonChange }) {
  return (
    <li className="whitespace-pre-wrap px-3 py-1 [overflow-wrap:anywhere] not-last:border-b">
      <span className="text-ink-2">{withEscapes(path) || "all of it"}</span>
      {before !== undefined && (
        <span className="block text-ink-2">
          <span aria-hidden="true">− </span>
          <span className="sr-only">before: </span>
          <del>{visibleJson(before)}</del>
        </span>
      )}
      {after !== undefined && (
        <span className="block font-medium">
          <span aria-hidden="true">+ </span>
          <span className="sr-only">now: </span>
          <ins className="no-underline">{visibleJson(after)}</ins>
        </span>
      )}
    </li>
  );
}
