"use client";

import type { Overview } from "@/server/core/overview.ts";
import { promptLine } from "../questions/prompt-line.ts";
import { Ticking } from "../time/ticking.tsx";
import { clockText, exactText, millisOf } from "../time/time-text.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { Section } from "../ui/section.tsx";

/** The open questions that nobody has answered for the longest time. */
export function LongestWaiting({ overview }: { overview: Overview }) {
  const { longestWaiting } = overview;
  if (longestWaiting.length === 0) return null;
  return (
    <Section title="Waiting the longest">
      <ul className="-my-1 flex flex-col">
        {longestWaiting.map(({ questionId, taskId, taskType, prompt, askedAt }) => (
          <li
            key={questionId}
            className="relative flex min-h-8 items-baseline gap-3 border-t py-1.5 first:border-t-0"
          >
            <span className="tabular w-20 shrink-0 text-waiting" title={exactText(askedAt)}>
              <Ticking of={(now) => clockText((now - millisOf(askedAt)) / 1000)} />
            </span>
            <IntentLink
              href={`/tasks/${taskId}`}
              className="max-w-48 shrink-0 truncate font-medium after:absolute after:inset-0"
            >
              <bdi>{taskType}</bdi>
            </IntentLink>
            <bdi className="min-w-0 truncate text-ink-2">{promptLine(prompt)}</bdi>
          </li>
        ))}
      </ul>
    </Section>
  );
}
