"use client";

import { X } from "lucide-react";
import { isOrderOfEnded } from "@/server/core/task-order.ts";
import type { ChangeFilters } from "../lists/use-url-filters.ts";
import { spanTexts } from "./more-filters.tsx";
import { shortId } from "./short-id.ts";
import { type TaskFilters, toggled } from "./task-filters.ts";

interface Chip {
  key: string;
  text: string;
  without: (filters: TaskFilters) => TaskFilters;
}

/** What narrows the list besides what the bar shows anyway, each to be taken away. */
export function FilterChips({
  filters,
  onChange,
}: {
  filters: TaskFilters;
  onChange: ChangeFilters<TaskFilters>;
}) {
  const chips = chipsOf(filters);
  if (chips.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5 pb-2" aria-label="More filters that are on">
      {chips.map(({ key, text, without }) => (
        <li
          key={key}
          className="flex h-6 items-center gap-1 rounded-md bg-hover pr-0.5 pl-2 text-ink text-sm"
        >
          <bdi className="max-w-64 truncate">{text}</bdi>
          <button
            type="button"
            aria-label={`Remove: ${text}`}
            className="flex size-6 items-center justify-center rounded-md text-ink-2 hover:text-ink"
            onClick={() => onChange(without)}
          >
            <X className="size-3.5" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function chipsOf(filters: TaskFilters): Chip[] {
  const chips: Chip[] = [];
  if (filters.started) {
    const text = `Started in ${spanTexts[filters.started]}`;
    chips.push({ key: "started", text, without: (now) => ({ ...now, started: null }) });
  }
  if (filters.ended) {
    const text = `Ended in ${spanTexts[filters.ended]}`;
    chips.push({ key: "ended", text, without: (now) => ({ ...now, ended: null }) });
  }
  for (const activity of filters.activities) {
    chips.push({
      key: `activity ${activity}`,
      text: `Now ${activity}`,
      without: (now) => ({ ...now, activities: toggled(now.activities, activity) }),
    });
  }
  for (const label of filters.labels) {
    const without = (now: TaskFilters) => ({ ...now, labels: toggled(now.labels, label) });
    chips.push({ key: `label ${label}`, text: label, without });
  }
  if (filters.parent) {
    const text = `Children of ${shortId(filters.parent)}`;
    chips.push({ key: "parent", text, without: (now) => ({ ...now, parent: null }) });
  }
  if (isOrderOfEnded(filters.order)) {
    const text = "Only what has ended, by this order";
    chips.push({ key: "order", text, without: (now) => ({ ...now, order: "newest" }) });
  }
  return chips;
}
