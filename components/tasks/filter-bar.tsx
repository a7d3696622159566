"use client";

import { useQuery } from "@tanstack/react-query";
import { Search, UserRound } from "lucide-react";
import { type ReactNode, useCallback, useRef } from "react";
import { taskStatuses } from "@/server/core/task-status.ts";
import { queries } from "../api/queries.ts";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useTypedText } from "../lists/use-typed-text.ts";
import type { ChangeFilters } from "../lists/use-url-filters.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { Input, Select } from "../ui/input.tsx";
import { ColumnChooser } from "./column-chooser.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { StatusGlyph } from "./status-glyph.tsx";
import { statusTable } from "./status-table.ts";
import {
  filtersFromUrl,
  filtersToUrl,
  hasFilters,
  noFilters,
  type TaskFilters,
  toggled,
} from "./task-filters.ts";
import { ViewsMenu } from "./views-menu.tsx";

interface FilterBarProps {
  filters: TaskFilters;
  onChange: ChangeFilters<TaskFilters>;
}

/** What the list is narrowed to: statuses with their counts, what waits for me, a type, words. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { data: stats } = useQuery(queries.stats());
  return (
    <search className="flex flex-wrap items-center gap-x-2 gap-y-2 pb-3">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Status</legend>
        {taskStatuses.map((status) => (
          <Toggle
            key={status}
            isOn={filters.statuses.includes(status)}
            onChange={() =>
              onChange((now) => ({ ...now, statuses: toggled(now.statuses, status) }))
            }
          >
            <StatusGlyph status={status} isSmall />
            {statusTable[status].label}
            <span className="tabular font-normal text-ink-3">{stats?.tasks[status] ?? ""}</span>
          </Toggle>
        ))}
        <Toggle
          isOn={filters.waitsForMe}
          onChange={(waitsForMe) => onChange((now) => ({ ...now, waitsForMe }))}
        >
          <UserRound className="size-3.5" aria-hidden="true" />
          Waits for me
        </Toggle>
      </fieldset>
      <div className="flex w-full flex-wrap items-center gap-1.5 min-[1800px]:ml-auto min-[1800px]:w-auto min-[1800px]:flex-1 min-[1800px]:justify-end">
        <TextFilter text={filters.text} onChange={onChange} />
        <TypeFilter filters={filters} onChange={onChange} />
        <MoreFilters filters={filters} onChange={onChange} />
        {hasFilters(filters) && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => onChange(({ order }) => ({ ...noFilters, order }))}
          >
            Clear
          </Button>
        )}
        <span className="ml-auto flex gap-1 min-[1800px]:ml-0">
          <ViewsMenu
            query={filtersToUrl(filters)}
            onOpen={(query) => onChange(() => filtersFromUrl(new URLSearchParams(query)))}
          />
          <span className="max-lg:hidden">
            <ColumnChooser />
          </span>
        </span>
      </div>
    </search>
  );
}

function Toggle({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label
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
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
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
  const onText = useCallback((text: string) => onChange((now) => ({ ...now, text })), [onChange]);
  const [typed, setTyped] = useTypedText(text, onText);
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: "/", label: "Search the tasks", run: () => field.current?.focus() }]);
  return (
    <div className="relative min-w-36 flex-1 max-sm:basis-full sm:max-w-80">
      <Search
        className="pointer-events-none absolute top-1.5 left-2 size-4 text-ink-3"
        aria-hidden="true"
      />
      <Input
        type="search"
        ref={field}
        aria-label="Words in a task: its id, labels, error, parameters or result"
        placeholder="Search tasks"
        isDense
        className="w-full [&]:pl-8"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}
