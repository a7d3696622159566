"use client";

import type { ReactNode } from "react";
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { Overview } from "@/server/core/overview.ts";
import { axisSeconds, countText, momentText, secondsText, tickText } from "./overview-text.ts";

interface ChartProps {
  overview: Overview;
}

interface Series {
  key: string;
  label: string;
}

const ends: Series[] = [
  { key: "completed", label: "Completed" },
  { key: "failed", label: "Failed" },
  { key: "cancelled", label: "Cancelled" },
];

/** What ended in each slot, by how; and what was started, as a line. */
export function ThroughputChart({ overview }: ChartProps) {
  return (
    <Frame
      overview={overview}
      data={overview.slots}
      format={countText}
      series={[...ends, { key: "started", label: "Started" }]}
    >
      {ends.map(({ key }) => (
        <Bar
          key={key}
          dataKey={key}
          stackId="ends"
          fill={`var(--${key}-solid)`}
          isAnimationActive={false}
        />
      ))}
      <Line
        dataKey="started"
        type="linear"
        stroke="var(--ink)"
        strokeWidth={1.25}
        dot={false}
        isAnimationActive={false}
      />
    </Frame>
  );
}

/** How long people took to answer, slot by slot; a slot without answers is a gap that is bridged. */
export function AnswersChart({ overview }: ChartProps) {
  return (
    <Frame
      overview={overview}
      data={overview.slots}
      format={secondsText}
      axisFormat={axisSeconds}
      series={[
        { key: "answerP50", label: "Half within" },
        { key: "answerP95", label: "95 % within" },
      ]}
    >
      <Line
        dataKey="answerP50"
        type="linear"
        stroke="var(--ink)"
        strokeWidth={1.5}
        dot={{ r: 1.5, fill: "var(--ink)", strokeWidth: 0 }}
        connectNulls
        isAnimationActive={false}
      />
      <Line
        dataKey="answerP95"
        type="linear"
        stroke="var(--ink-3)"
        strokeWidth={1.5}
        strokeDasharray="4 3"
        dot={{ r: 1.5, fill: "var(--ink-3)", strokeWidth: 0 }}
        connectNulls
        isAnimationActive={false}
      />
    </Frame>
  );
}

function Frame({
  overview,
  data,
  format,
  axisFormat = format,
  series,
  children,
}: {
  overview: Overview;
  data: Overview["slots"];
  format: (value: number) => string;
  axisFormat?: (value: number) => string;
  series: Series[];
  children: ReactNode;
}) {
  const tick = { fill: "var(--ink-3)", fontSize: 11 };
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={data}
        accessibilityLayer={false}
        barCategoryGap="15%"
        margin={{ top: 6, right: 4, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="at"
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: "var(--line-strong)" }}
          minTickGap={48}
          tickFormatter={(at: string) => tickText(at, overview.range)}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={56}
          allowDecimals={false}
          tickFormatter={(value: number) => axisFormat(value)}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: "var(--hover)", fillOpacity: 0.6, stroke: "var(--line-strong)" }}
          content={({ active, payload }) => {
            const slot = payload?.[0]?.payload as Overview["slots"][number] | undefined;
            if (!active || !slot) return null;
            return (
              <div className="rounded-md border bg-surface px-2.5 py-1.5 text-sm shadow-overlay">
                <p className="font-medium">{momentText(slot.at)}</p>
                {series.map(({ key, label }) => {
                  const value = slot[key as keyof typeof slot] as number | null;
                  return (
                    <p key={key} className="tabular flex justify-between gap-4 text-ink-2">
                      {label}
                      <span className="text-ink">{value === null ? "–" : format(value)}</span>
                    </p>
                  );
                })}
              </div>
            );
          }}
        />
        {children}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
