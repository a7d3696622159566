"use client";

import { useDeferredValue, useMemo, useState } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { findInJson, type JsonRow, rowsOf } from "./json-rows.ts";
import { type JsonSort, shownRows, tablesIn } from "./json-table.ts";
import { JsonTableView } from "./json-table-view.tsx";
import { JsonToolbar } from "./json-toolbar.tsx";
import { allBranches, initiallyOpen } from "./json-tree.ts";
import { JsonTreeView } from "./json-tree-view.tsx";

/** With fewer lines there is nothing to search, to fold or to download. */
const fewLines = 12;
const mostMatches = 1000;

interface JsonViewerProps {
  value: JsonValue;
  label: string;
  /** What the file is called that it is downloaded as. */
  fileName?: string;
}

/**
 * JSON to be read: a tree to fold and to search, and a table of what is one. Only the rows in view are
 * on the page, so that a megabyte costs no more than a screenful.
 */
export default function JsonViewer({ value, label, fileName }: JsonViewerProps) {
  const branches = useMemo(() => allBranches(value), [value]);
  const tables = useMemo(() => tablesIn(value), [value]);
  const [open, setOpen] = useState(() => initiallyOpen(value));
  const [known, setKnown] = useState(value);
  const [text, setText] = useState("");
  const [matchAt, setMatchAt] = useState(0);
  const [tablePath, setTablePath] = useState<string | null>(null);
  const [sort, setSort] = useState<JsonSort | null>(null);
  const [shownRow, setShownRow] = useState<string | null>(null);
  if (known !== value) {
    setKnown(value);
    setOpen(initiallyOpen(value));
  }

  const wanted = useDeferredValue(text.trim());
  const table = tables.find(({ path }) => path === tablePath) ?? null;
  const matches = useMemo(() => findInJson(value, wanted, mostMatches), [value, wanted]);
  const match = matches[Math.min(matchAt, matches.length - 1)] ?? null;
  // What leads to the match is unfolded as long as the search stands there.
  const unfolded = useMemo(
    () => (match === null ? open : new Set([...open, ...match.within])),
    [open, match],
  );
  const rows = useMemo(() => rowsOf(value, unfolded), [value, unfolded]);
  const shown = useMemo(
    () => (table === null ? [] : shownRows(table, wanted, sort)),
    [table, wanted, sort],
  );

  const toggle = ({ value: folded, isOpen }: JsonRow) => {
    const next = new Set(unfolded);
    if (isOpen) next.delete(folded);
    else next.add(folded);
    setOpen(next);
    // Otherwise what the search unfolded could not be folded again.
    if (isOpen && match?.within.includes(folded)) setText("");
  };
  const move = (step: 1 | -1) => {
    if (matches.length === 0) return;
    setMatchAt((matches.length + Math.min(matchAt, matches.length - 1) + step) % matches.length);
  };
  const showRow = (number: number) => {
    if (table === null) return;
    const item = table.rows[number] as JsonValue;
    setOpen(new Set([...open, ...pathTo(value, table.path), item]));
    setShownRow(`${table.path}/${number}`);
    setText("");
    setTablePath(null);
  };
  const isSmall = rows.length <= fewLines && branches.size <= fewLines && tables.length === 0;
  return (
    <div className="@container relative">
      {isSmall ? (
        <CopyButton
          text={() => JSON.stringify(value, null, 2)}
          label={`Copy ${label.toLowerCase()}`}
          className="!absolute top-1 right-1 z-10 bg-surface"
        />
      ) : (
        <JsonToolbar
          label={label}
          text={text}
          onText={(next) => {
            setText(next);
            setMatchAt(0);
            setShownRow(null);
          }}
          onMove={move}
          found={
            wanted === ""
              ? null
              : table !== null
                ? `${shown.length.toLocaleString("en-GB")} ${shown.length === 1 ? "row" : "rows"}`
                : foundText(Math.min(matchAt, matches.length - 1), matches.length)
          }
          tables={tables}
          tablePath={table?.path ?? null}
          onTable={(path) => {
            setTablePath(path);
            setSort(null);
          }}
          onOpenAll={() => setOpen(branches)}
          onFoldAll={() => {
            setText("");
            setOpen(new Set([value]));
          }}
          json={() => JSON.stringify(value, null, 2)}
          fileName={fileName ?? `${label.toLowerCase().replace(/\W+/g, "-")}.json`}
        />
      )}
      {table === null ? (
        <JsonTreeView
          rows={rows}
          label={label}
          text={wanted}
          target={match?.path ?? shownRow}
          onToggle={toggle}
        />
      ) : (
        <JsonTableView
          table={table}
          label={label}
          shown={shown}
          text={wanted}
          sort={sort}
          onSort={setSort}
          onRow={showRow}
        />
      )}
    </div>
  );
}

function foundText(at: number, count: number): string {
  if (count === 0) return "None";
  const all = count === mostMatches ? `${mostMatches}+` : count;
  return `${at + 1} of ${all}`;
}

/** The lists and objects that lead to a place, the one at the place as the last. */
function pathTo(value: JsonValue, path: string): JsonValue[] {
  const found = [value];
  let at: JsonValue | undefined = value;
  for (const token of path.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    at = (at as Record<string, JsonValue>)[name];
    if (at === undefined) break;
    found.push(at);
  }
  return found;
}
