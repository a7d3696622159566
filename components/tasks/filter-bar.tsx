"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { taskStatuses } from "@/server/core/task-status.ts";
import { queries, type TaskFilters } from "../api/queries.ts";
import type { ChangeFilters } from "../lists/use-url-filters.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { Input, Select } from "../ui/input.tsx";
import { StatusGlyph } from "./status-glyph.tsx";
import { statusTable } from "./status-table.ts";
import { hasFilters, toggled } from "./task-filters.ts";

const typingMillis = 250;

interface FilterBarProps {
  filters: TaskFilters;
  onChange: ChangeFilters<TaskFilters>;
}

/** What the list is narrowed to: statuses with their counts, a type, a piece of an id. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { data: stats } = useQuery(queries.stats());
  return (
    <search className="flex flex-wrap items-center gap-x-2 gap-y-2 pb-3">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Status</legend>
        {taskStatuses.map((status) => (
          <label
            key={status}
            className={cn(
              "flex h-7 items-center gap-1.5 rounded-md border border-transparent px-2 text-ink-2 text-sm",
              "hover:bg-hover hover:text-ink",
              "has-checked:border-line-strong/60 has-checked:bg-surface has-checked:font-medium has-checked:text-ink",
              "has-focus-visible:outline-2 has-focus-visible:outline-focus",
            )}
          >
            <input
              type="checkbox"
              className="sr-only"
              checked={filters.statuses.includes(status)}
              onChange={() =>
                onChange((now) => ({ ...now, statuses: toggled(now.statuses, status) }))
              }
            />
            <StatusGlyph status={status} isSmall />
            {statusTable[status].label}
            <span className="tabular font-normal text-ink-3">{stats?.tasks[status] ?? ""}</span>
          </label>
        ))}
      </fieldset>
      <div className="ml-auto flex flex-1 items-center justify-end gap-2 max-sm:w-full">
        {hasFilters(filters) && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => onChange(() => ({ statuses: [], types: [], text: "" }))}
          >
            Clear
          </Button>
        )}
        <TypeFilter filters={filters} onChange={onChange} />
        <TextFilter text={filters.text} onChange={onChange} />
      </div>
    </search>
  );
}

function TypeFilter({ filters, onChange }: FilterBarProps) {
  const { data: types = [] } = useQuery(queries.types());
  // A type in the URL that is no longer registered still has tasks.
  const known = types.map(({ type }) => type);
  const names = [...known, ...filters.types.filter((type) => !known.includes(type))];
  return (
    <Select
      aria-label="Type"
      isDense
      className="min-w-0 max-w-44"
      value={filters.types[0] ?? ""}
      onChange={({ target }) =>
        onChange((now) => ({ ...now, types: target.value === "" ? [] : [target.value] }))
      }
    >
      <option value="">All types</option>
      {names.map((type) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
    </Select>
  );
}

function TextFilter({ text, onChange }: { text: string; onChange: FilterBarProps["onChange"] }) {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  // The URL changed by other means, such as Back or Clear.
  if (known !== text) {
    setKnown(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(
      () => onChange((now) => ({ ...now, text: typed.trim() })),
      typingMillis,
    );
    return () => clearTimeout(timer);
  }, [typed, text, onChange]);
  return (
    <div className="relative min-w-0 flex-1 sm:max-w-56">
      <Search
        className="pointer-events-none absolute top-1.5 left-2 size-4 text-ink-3"
        aria-hidden="true"
      />
      <Input
        type="search"
        aria-label="Part of a task’s id"
        placeholder="Task id"
        isDense
        className="w-full [&]:pl-8"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}
