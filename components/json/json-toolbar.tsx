"use client";

import { ChevronDown, ChevronsDownUp, ChevronsUpDown, ChevronUp, Download } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Input, Select } from "../ui/input.tsx";
import type { JsonTable } from "./json-table.ts";

interface JsonToolbarProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Goes to the next match, or the one before. */
  onMove: (step: 1 | -1) => void;
  /** What the search has come to; null without one. */
  found: string | null;
  tables: readonly JsonTable[];
  /** Null while the tree is shown. */
  tablePath: string | null;
  onTable: (path: string | null) => void;
  onOpenAll: () => void;
  onFoldAll: () => void;
  json: () => string;
  fileName: string;
}

const tree = "tree";

/** What can be done with JSON: search it, fold it, see it as a table, take it along. */
export function JsonToolbar(props: JsonToolbarProps) {
  const { label, text, onText, onMove, found, tables, tablePath, onTable } = props;
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="flex flex-wrap items-center gap-1 border-b px-1.5 py-1"
    >
      <div className="flex min-w-0 flex-1 basis-full items-center gap-1 @lg:basis-0">
        <Input
          isDense
          type="search"
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder="Search"
          value={text}
          className="min-w-0 flex-1"
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") onMove(event.shiftKey ? -1 : 1);
            else if (event.key === "Escape" && text !== "") onText("");
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <span role="status" className="tabular shrink-0 text-ink-3 text-sm">
          {found}
        </span>
        {found !== null && tablePath === null && (
          <>
            <Icon title="Match before (⇧ Enter)" onClick={() => onMove(-1)}>
              <ChevronUp aria-hidden="true" />
            </Icon>
            <Icon title="Next match (Enter)" onClick={() => onMove(1)}>
              <ChevronDown aria-hidden="true" />
            </Icon>
          </>
        )}
      </div>
      {tables.length > 0 && (
        <Select
          isDense
          aria-label={`Show ${label.toLowerCase()} as`}
          className="w-auto min-w-0 max-w-60 flex-1 @lg:flex-none"
          value={tablePath ?? tree}
          onChange={({ target: { value } }) => onTable(value === tree ? null : value)}
        >
          <option value={tree}>As a tree</option>
          {tables.map(({ path, name, rows }) => (
            <option key={path} value={path}>
              {`Table: ${name} (${rows.length.toLocaleString("en-GB")})`}
            </option>
          ))}
        </Select>
      )}
      <span className="ml-auto flex items-center gap-1">
        {tablePath === null && (
          <>
            <Icon title="Unfold all" onClick={props.onOpenAll}>
              <ChevronsUpDown aria-hidden="true" />
            </Icon>
            <Icon title="Fold all" onClick={props.onFoldAll}>
              <ChevronsDownUp aria-hidden="true" />
            </Icon>
          </>
        )}
        <CopyButton text={props.json} label={`Copy ${label.toLowerCase()}`} />
        <Icon title={`Download ${label.toLowerCase()}`} onClick={() => download(props)}>
          <Download aria-hidden="true" />
        </Icon>
      </span>
    </div>
  );
}

function Icon({
  title,
  onClick,
  children,
}: {
  title: string;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <Button variant="quiet" size="tiny" title={title} aria-label={title} onClick={onClick}>
      {children}
    </Button>
  );
}

function download({ json, fileName }: JsonToolbarProps): void {
  const url = URL.createObjectURL(new Blob([json()], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
