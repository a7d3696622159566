"use client";

import type { ReactNode } from "react";
import type { Overview } from "@/server/core/overview.ts";
import { Ticking } from "../time/ticking.tsx";
import { clockText, millisOf } from "../time/time-text.ts";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { countText, rangeTexts, rateText, secondsText } from "./overview-text.ts";

/** What is going on now, and how it went: each figure leads to its tasks where there are some. */
export function Figures({ overview }: { overview: Overview }) {
  const { live, longestWaiting, total, range } = overview;
  const longest = longestWaiting[0];
  const ended = total.completed + total.failed + total.cancelled;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-3 xl:grid-cols-6">
      <Figure label="Running" href="/tasks?status=running" note="now">
        {countText(live.running)}
      </Figure>
      <Figure
        label="Waiting for people"
        href="/tasks?status=waiting_for_input"
        tone={live.waiting > 0 ? "text-waiting" : undefined}
        note={
          longest ? (
            <>
              the longest{" "}
              <Ticking of={(now) => clockText((now - millisOf(longest.askedAt)) / 1000)} />
            </>
          ) : (
            "now"
          )
        }
      >
        {countText(live.waiting)}
      </Figure>
      <Figure label="Queued" href="/tasks?status=pending" note="now">
        {countText(live.pending)}
      </Figure>
      <Figure
        label="Ended"
        href={`/tasks?ended=${range}&order=latest_finished`}
        note={`in ${rangeTexts[range]}`}
      >
        {countText(ended)}
      </Figure>
      <Figure
        label="Failed"
        href={`/tasks?status=failed&ended=${range}`}
        tone={total.failed > 0 ? "text-failed" : undefined}
        note={`${countText(total.failed)} of ${countText(total.completed + total.failed)}`}
      >
        {rateText(total.failureRate)}
      </Figure>
      <Figure label="Time to answer" note={`95 % within ${secondsText(total.answerP95)}`}>
        {secondsText(total.answerP50)}
      </Figure>
    </dl>
  );
}

function Figure({
  label,
  note,
  href,
  tone,
  children,
}: {
  label: string;
  note: ReactNode;
  href?: string;
  tone?: string;
  children: ReactNode;
}) {
  return (
    <div
      className={cn(
        "relative flex min-w-0 flex-col bg-surface px-4 py-3",
        href && "hover:bg-hover/60 has-[a:focus-visible]:bg-hover/60",
      )}
    >
      <dt className="truncate text-ink-2">
        {href ? (
          <IntentLink href={href} className="after:absolute after:inset-0">
            {label}
          </IntentLink>
        ) : (
          label
        )}
      </dt>
      <dd className={cn("tabular mt-0.5 font-semibold text-2xl", tone)}>{children}</dd>
      <dd className="tabular truncate text-ink-3 text-sm">{note}</dd>
    </div>
  );
}
