"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import dynamic from "next/dynamic";
import { type Overview, type OverviewRange, overviewRanges } from "@/server/core/overview.ts";
import { readApiError } from "../api/api-error.ts";
import { overviewQuery } from "../api/overview-query.ts";
import { useUrlFilters } from "../lists/use-url-filters.ts";
import { cn } from "../ui/cn.ts";
import { EmptyState, ErrorState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ChartFrame } from "./chart-frame.tsx";
import { Figures } from "./figures.tsx";
import { LongestWaiting } from "./longest-waiting.tsx";
import {
  answersSummary,
  countText,
  momentText,
  rangeTexts,
  secondsText,
  throughputSummary,
} from "./overview-text.ts";
import { TypeTable } from "./type-table.tsx";

// The charts' library is larger than the rest of the page; the figures do not wait for it.
const ThroughputChart = dynamic(async () => (await import("./charts.tsx")).ThroughputChart);
const AnswersChart = dynamic(async () => (await import("./charts.tsx")).AnswersChart);

function rangeFromUrl(params: URLSearchParams): OverviewRange {
  return overviewRanges.find((range) => range === params.get("range")) ?? "24h";
}

function rangeToUrl(range: OverviewRange): string {
  return range === "24h" ? "" : `?range=${range}`;
}

/** How it goes: what runs and waits now, what became of the work, and how soon people answered. */
export function OverviewPage() {
  const [range, change] = useUrlFilters(rangeFromUrl, rangeToUrl);
  const query = useQuery(overviewQuery(range));
  return (
    <div className="mx-auto flex w-full max-w-[100rem] flex-1 flex-col gap-4 px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Overview">
        <RangeSwitch range={range} onChange={(next) => change(() => next)} />
      </PageHeader>
      {query.data ? (
        <Loaded overview={query.data} isOld={query.isPlaceholderData} />
      ) : query.isError ? (
        <ErrorState
          message={readApiError(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Loading />
      )}
    </div>
  );
}

function Loaded({ overview, isOld }: { overview: Overview; isOld: boolean }) {
  const { total, live, slots } = overview;
  if (total.started + total.asked + live.byType.length === 0) {
    return (
      <EmptyState
        title="Nothing happened"
        icon={<ChartNoAxesColumn className="size-8" strokeWidth={1.5} aria-hidden="true" />}
      >
        No task was started in {rangeTexts[overview.range]}, and none is under way. What happens is
        counted here as it happens.
      </EmptyState>
    );
  }
  return (
    <div className={cn("flex flex-col gap-4", isOld && "opacity-60")} aria-busy={isOld}>
      <Figures overview={overview} />
      <div className="grid gap-4 xl:grid-cols-2">
        <ChartFrame
          title="Throughput"
          summary={throughputSummary(overview)}
          legend={[
            { label: "Completed", mark: "size-2.5 rounded-xs bg-completed-solid" },
            { label: "Failed", mark: "size-2.5 rounded-xs bg-failed-solid" },
            { label: "Cancelled", mark: "size-2.5 rounded-xs bg-cancelled-solid" },
            { label: "Started", mark: "h-0.5 w-4 bg-ink" },
          ]}
          columns={["From", "Started", "Completed", "Failed", "Cancelled"]}
          rows={slots.map(({ at, started, completed, failed, cancelled }) => [
            momentText(at),
            ...[started, completed, failed, cancelled].map(countText),
          ])}
        >
          <ThroughputChart overview={overview} />
        </ChartFrame>
        <ChartFrame
          title="Time to answer"
          summary={answersSummary(overview)}
          legend={[
            { label: "Half within", mark: "h-0.5 w-4 bg-ink" },
            { label: "95 % within", mark: "h-0 w-4 border-ink-3 border-t-2 border-dashed" },
          ]}
          columns={["From", "Asked", "Answered", "Timed out", "Half within", "95 % within"]}
          rows={slots.map(({ at, asked, answered, timedOut, answerP50, answerP95 }) => [
            momentText(at),
            ...[asked, answered, timedOut].map(countText),
            secondsText(answerP50),
            secondsText(answerP95),
          ])}
        >
          <AnswersChart overview={overview} />
        </ChartFrame>
      </div>
      <LongestWaiting overview={overview} />
      <TypeTable overview={overview} />
    </div>
  );
}

function RangeSwitch({
  range,
  onChange,
}: {
  range: OverviewRange;
  onChange: (range: OverviewRange) => void;
}) {
  return (
    <fieldset className="flex rounded-md bg-sunken p-0.5">
      <legend className="sr-only">How far back</legend>
      {overviewRanges.map((each) => (
        <label
          key={each}
          className={cn(
            "flex h-7 items-center rounded-sm px-2.5 text-ink-2 text-sm hover:text-ink",
            "has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-sm",
            "has-focus-visible:outline-2 has-focus-visible:outline-focus",
          )}
        >
          <input
            type="radio"
            name="range"
            className="sr-only"
            checked={each === range}
            onChange={() => onChange(each)}
          />
          <span aria-hidden="true">{each.replace(/(\d)([hd])/, "$1 $2")}</span>
          <span className="sr-only">{rangeTexts[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the overview" className="flex flex-col gap-4">
      <Skeleton className="h-24 rounded-lg" />
      <div className="grid gap-4 xl:grid-cols-2">
        <Skeleton className="h-72 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  );
}
