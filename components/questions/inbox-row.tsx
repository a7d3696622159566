"use client";

import { Check, CornerDownRight, Flag, Hand, ShieldCheck } from "lucide-react";
import { type CSSProperties, memo, type RefObject, useEffect, useRef } from "react";
import { claimHolder } from "@/server/core/claim.ts";
import type { ListedQuestion } from "../live/merge-pages.ts";
import { timestampOf } from "../time/server-clock.ts";
import { agoText } from "../time/time-text.ts";
import { useTicking } from "../time/use-ticking.ts";
import { cn } from "../ui/cn.ts";
import { checkClass } from "../ui/input.tsx";
import { leftText, outcomeInShort, urgencyOf } from "./countdown-text.ts";
import { promptLine } from "./prompt-line.ts";

export interface RowActions {
  open(id: string): void;
  toggle(id: string): void;
}

export interface InboxRowProps {
  question: ListedQuestion;
  at: number;
  count: number;
  isChosen: boolean;
  isSelected: boolean;
  /** Whether it can be selected beside what is. */
  isSelectable: boolean;
  isPending: boolean;
  actions: RowActions;
  /** Set where the row that is chosen next is to have the focus. */
  takesFocus: RefObject<boolean>;
  style?: CSSProperties;
}

/** Pixels; every row is as high as every other, so that thousands need not be measured. */
export const rowHeight = 60;

const leftLooks = { calm: "text-ink-3", soon: "text-waiting", due: "text-failed" };

/** A question in the list: what it asks, of whom, and how long there is. */
export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { question, at, count, isChosen, isSelected, isSelectable, isPending } = props;
  const { actions, takesFocus, style } = props;
  const { questionId, prompt, taskType, outcome } = question;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isChosen) return;
    button.current?.scrollIntoView({ block: "nearest" });
    if (takesFocus.current) button.current?.focus({ preventScroll: true });
    takesFocus.current = false;
  }, [isChosen, takesFocus]);
  const isDone = outcome !== null || isPending;
  return (
    <li
      aria-setsize={count}
      aria-posinset={at + 1}
      data-row={questionId}
      data-outcome={outcome ?? (isPending ? "pending" : "open")}
      style={{ height: rowHeight, ...style }}
      className={cn(
        "group relative flex items-stretch border-b",
        isSelected ? "bg-hover/70" : isChosen ? "bg-hover" : "hover:bg-hover/50",
      )}
    >
      {isChosen && <span aria-hidden="true" className="absolute inset-y-0 left-0 w-0.5 bg-ink" />}
      <button
        ref={button}
        type="button"
        aria-current={isChosen ? "true" : undefined}
        onClick={() => actions.open(questionId)}
        className={cn(
          "flex min-w-0 flex-1 flex-col justify-center gap-0.5 py-2 pr-10 pl-4 text-start -outline-offset-2",
          isDone && "text-ink-3",
        )}
      >
        <span className="flex w-full min-w-0 items-center gap-1.5">
          {isDone && <Check className="size-3.5 shrink-0" aria-hidden="true" />}
          {!isDone && question.urgency === "high" && (
            <Flag className="size-3.5 shrink-0 text-waiting" aria-label="Urgent" />
          )}
          <bdi className={cn("min-w-0 truncate", !isDone && "font-medium")}>
            {promptLine(prompt)}
          </bdi>
        </span>
        <span className="flex w-full min-w-0 items-center gap-2 text-ink-3 text-sm">
          {outcome !== null ? (
            <span className="min-w-0 truncate">{outcomeInShort(question)}</span>
          ) : isPending ? (
            <span>Being sent…</span>
          ) : (
            <Facts question={question} taskType={taskType} />
          )}
        </span>
      </button>
      {!isDone && (isSelectable || isSelected) && (
        <label
          className={cn(
            "absolute top-0 right-0 flex h-full w-10 items-center justify-center",
            !isSelected &&
              "opacity-0 focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100",
          )}
        >
          <input
            type="checkbox"
            className={checkClass}
            checked={isSelected}
            onChange={() => actions.toggle(questionId)}
          />
          <span className="sr-only">Select “{promptLine(prompt)}”</span>
        </label>
      )}
    </li>
  );
});

function Facts({ question, taskType }: { question: ListedQuestion; taskType: string }) {
  const left = useTicking((now) => leftText(question, now));
  const pressing = useTicking((now) => urgencyOf(question, now)) ?? "calm";
  const idle = useTicking((now) => agoText(question.askedAt, now));
  const { tasksBehind = 0, approval } = question;
  // A claim ends by the time alone, without anything happening.
  const holder = useTicking((now) => claimHolder(question, timestampOf(now))?.name ?? "") || null;
  return (
    <>
      <bdi className="min-w-0 truncate">{taskType}</bdi>
      {approval !== null && <ShieldCheck className="size-3.5 shrink-0" aria-label="Approval" />}
      <span className="tabular shrink-0 whitespace-nowrap">{idle}</span>
      {tasksBehind > 0 && (
        <span
          className="flex shrink-0 items-center gap-0.5"
          title={`${tasksBehind} other ${tasksBehind === 1 ? "task waits" : "tasks wait"} behind it`}
        >
          <CornerDownRight className="size-3" aria-hidden="true" />
          {tasksBehind}
          <span className="sr-only"> tasks wait behind it</span>
        </span>
      )}
      {holder !== null && (
        <span className="flex min-w-0 items-center gap-1 text-ink-2">
          <Hand className="size-3 shrink-0" aria-hidden="true" />
          <bdi className="truncate">{holder}</bdi>
          <span className="sr-only"> is on it</span>
        </span>
      )}
      <span
        className={cn(
          "tabular ml-auto shrink-0 whitespace-nowrap font-medium",
          leftLooks[pressing],
        )}
      >
        {left}
      </span>
    </>
  );
}
