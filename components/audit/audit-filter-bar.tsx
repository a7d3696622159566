"use client";

import { type ComponentProps, useId } from "react";
import { type AuditAction, auditActions } from "@/server/core/audit.ts";
import { useTypedText } from "../lists/use-typed-text.ts";
import type { ChangeFilters } from "../lists/use-url-filters.ts";
import { Button } from "../ui/button.tsx";
import { Input, Select } from "../ui/input.tsx";
import { type AuditFilters, hasAuditFilters, noAuditFilters } from "./audit-filters.ts";
import { actionTexts } from "./audit-text.ts";

interface AuditFilterBarProps {
  filters: AuditFilters;
  onChange: ChangeFilters<AuditFilters>;
}

/** What the log is narrowed to: who, what, which task, and when. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const id = useId();
  return (
    <search className="grid grid-cols-2 items-end gap-2 pb-3 md:flex md:flex-wrap">
      <TextFilter
        label="Who"
        placeholder="Name or id"
        text={filters.actor}
        onText={(actor) => onChange((now) => ({ ...now, actor }))}
      />
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className="text-ink-3 text-sm">
          What
        </label>
        <Select
          id={id}
          isDense
          className="min-w-0 md:w-56"
          value={filters.action ?? ""}
          onChange={({ target }) =>
            onChange((now) => ({ ...now, action: (target.value || null) as AuditAction | null }))
          }
        >
          <option value="">Everything</option>
          {auditActions.map((action) => (
            <option key={action} value={action}>
              {actionTexts[action]}
            </option>
          ))}
        </Select>
      </div>
      <TextFilter
        label="Task"
        placeholder="Task id"
        className="max-md:col-span-2"
        text={filters.taskId}
        onText={(taskId) => onChange((now) => ({ ...now, taskId }))}
      />
      <DayFilter
        label="From"
        value={filters.from}
        onChange={({ target }) => onChange((now) => ({ ...now, from: target.value }))}
      />
      <DayFilter
        label="Until"
        value={filters.until}
        onChange={({ target }) => onChange((now) => ({ ...now, until: target.value }))}
      />
      {hasAuditFilters(filters) && (
        <Button size="sm" variant="quiet" onClick={() => onChange(() => noAuditFilters)}>
          Clear
        </Button>
      )}
    </search>
  );
}

function TextFilter({
  label,
  placeholder,
  text,
  onText,
  className,
}: {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  className?: string;
}) {
  const id = useId();
  const [typed, setTyped] = useTypedText(text, onText);
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className ?? ""}`}>
      <label htmlFor={id} className="text-ink-3 text-sm">
        {label}
      </label>
      <Input
        id={id}
        type="search"
        placeholder={placeholder}
        isDense
        className="min-w-0 md:w-44"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}

function DayFilter({ label, ...props }: ComponentProps<"input"> & { label: string }) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-ink-3 text-sm">
        {label}
      </label>
      <Input id={id} type="date" isDense className="min-w-0 md:w-36" {...props} />
    </div>
  );
}
