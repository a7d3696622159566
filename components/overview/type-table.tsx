"use client";

import type { Measures, Overview } from "@/server/core/overview.ts";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { Section } from "../ui/section.tsx";
import { countText, meanWork, rangeTexts, rateText, secondsText } from "./overview-text.ts";

interface TypeRow {
  type: string;
  running: number;
  waiting: number;
  pending: number;
  measures: Measures | null;
}

/** Each type's work: what is under way, how much of it, how it ended, and how soon people answered. */
export function TypeTable({ overview }: { overview: Overview }) {
  const rows = rowsOf(overview);
  if (rows.length === 0) return null;
  return (
    <Section title="By type" note={`Under way now, and in ${rangeTexts[overview.range]}.`}>
      <section
        aria-label="The types as a table"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
        className="-mx-4 overflow-x-auto sm:-mx-5"
      >
        <table className="tabular w-full min-w-[52rem]">
          <thead className="text-ink-3 text-sm">
            <tr>
              {heads.map((head, i) => (
                <th
                  key={head}
                  scope="col"
                  className={cn(
                    "whitespace-nowrap px-2 pb-1.5 font-normal first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5",
                    i === 0 ? "text-left" : "text-right",
                  )}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.type} className="border-t">
                <th
                  scope="row"
                  className="max-w-64 truncate py-1.5 pr-2 pl-4 text-left font-medium sm:pl-5"
                >
                  <IntentLink
                    href={`/tasks?type=${encodeURIComponent(row.type)}`}
                    className="hover:underline"
                  >
                    <bdi>{row.type}</bdi>
                  </IntentLink>
                </th>
                {cellsOf(row).map(({ text, tone }, i) => (
                  <td
                    key={heads[i + 1]}
                    className={cn(
                      "px-2 py-1.5 text-right last:pr-4 sm:last:pr-5",
                      text === "0" || text === "–" ? "text-ink-3" : tone,
                    )}
                  >
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

const heads = [
  "Type",
  "Running",
  "Waiting",
  "Queued",
  "Started",
  "Completed",
  "Failed",
  "Failure rate",
  "Worked, mean",
  "Asked",
  "Timed out",
  "Answer, half",
  "Answer, 95 %",
];

function cellsOf({ running, waiting, pending, measures }: TypeRow) {
  const count = (value = 0, tone = "") => ({ text: countText(value), tone });
  return [
    count(running),
    count(waiting, "text-waiting"),
    count(pending),
    count(measures?.started),
    count(measures?.completed),
    count(measures?.failed, "text-failed"),
    { text: rateText(measures?.failureRate ?? null), tone: "" },
    { text: secondsText(measures ? meanWork(measures) : null), tone: "" },
    count(measures?.asked),
    count(measures?.timedOut),
    { text: secondsText(measures?.answerP50 ?? null), tone: "" },
    { text: secondsText(measures?.answerP95 ?? null), tone: "" },
  ];
}

function rowsOf({ types, live }: Overview): TypeRow[] {
  const liveOf = (type: string, status: string) =>
    live.byType.find((each) => each.type === type && each.status === status)?.count ?? 0;
  const counted = new Map(types.map((each) => [each.type, each]));
  const all = [...new Set([...counted.keys(), ...live.byType.map(({ type }) => type)])];
  return all.map((type) => ({
    type,
    running: liveOf(type, "running"),
    waiting: liveOf(type, "waiting_for_input"),
    pending: liveOf(type, "pending"),
    measures: counted.get(type) ?? null,
  }));
}
