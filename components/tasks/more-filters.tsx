"use client";

import { SlidersHorizontal } from "lucide-react";
import { useId, useState } from "react";
import type { Activity } from "@/server/core/task.ts";
import type { ChangeFilters } from "../lists/use-url-filters.ts";
import { Button } from "../ui/button.tsx";
import { checkClass, Input, Select } from "../ui/input.tsx";
import { Popover } from "../ui/popover.tsx";
import { type Span, spans, type TaskFilters, toggled } from "./task-filters.ts";

export const spanTexts: Readonly<Record<Span, string>> = {
  "1h": "the last hour",
  "24h": "the last 24 hours",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
};

/** What happens to a task at this moment, in words; what has ended is told by its status. */
const activityTexts: Readonly<Partial<Record<Activity, string>>> = {
  queued: "Queued: waits for a worker, or for its time",
  running: "Running: a worker has it",
  waiting: "Waiting: a worker has it and somebody is asked",
  parked: "Parked: waits, and no worker has it",
  resuming: "Resuming: its worker is gone, another takes it over",
};

interface MoreFiltersProps {
  filters: TaskFilters;
  onChange: ChangeFilters<TaskFilters>;
}

/** The filters that are used less often. */
export function MoreFilters({ filters, onChange }: MoreFiltersProps) {
  return (
    <Popover
      label={
        <>
          <SlidersHorizontal aria-hidden="true" />
          <span className="max-sm:sr-only">Filters</span>
        </>
      }
      name="More filters"
      title="More filters"
    >
      <div className="flex flex-col gap-3">
        <SpanField
          label="Started in"
          value={filters.started}
          onChange={(started) => onChange((now) => ({ ...now, started }))}
        />
        <SpanField
          label="Ended in"
          value={filters.ended}
          onChange={(ended) => onChange((now) => ({ ...now, ended }))}
        />
        <fieldset className="flex flex-col gap-0.5">
          <legend className="mb-0.5 font-medium">At this moment</legend>
          {(Object.keys(activityTexts) as Activity[]).map((activity) => (
            <label key={activity} className="flex min-h-7 items-start gap-2.5 py-1">
              <input
                type="checkbox"
                className={checkClass}
                checked={filters.activities.includes(activity)}
                onChange={() =>
                  onChange((now) => ({ ...now, activities: toggled(now.activities, activity) }))
                }
              />
              {activityTexts[activity]}
            </label>
          ))}
        </fieldset>
        <LabelForm
          onAdd={(label) =>
            onChange((now) => ({ ...now, labels: [...new Set([...now.labels, label])].sort() }))
          }
        />
      </div>
    </Popover>
  );
}

function SpanField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Span | null;
  onChange: (span: Span | null) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="w-20 font-medium">
        {label}
      </label>
      <Select
        id={id}
        isDense
        className="flex-1"
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? null : (target.value as Span))}
      >
        <option value="">any time</option>
        {(Object.keys(spans) as Span[]).map((span) => (
          <option key={span} value={span}>
            {spanTexts[span]}
          </option>
        ))}
      </Select>
    </div>
  );
}

function LabelForm({ onAdd }: { onAdd: (label: string) => void }) {
  const [typed, setTyped] = useState("");
  const id = useId();
  const isWhole = /^[^=\s][^=]*=./.test(typed.trim());
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWhole) return;
        onAdd(typed.trim());
        setTyped("");
      }}
    >
      <label htmlFor={id} className="w-20 shrink-0 font-medium">
        Label
      </label>
      <Input
        id={id}
        isDense
        className="min-w-0 flex-1"
        placeholder="env=prod"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" size="sm" disabled={!isWhole}>
        Add
      </Button>
    </form>
  );
}
