"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cn } from "../ui/cn.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { type JsonRow, previewOf, sizeText } from "./json-rows.ts";
import { isBranch } from "./json-tree.ts";
import { MarkedText } from "./marked-text.tsx";

const rowPixels = 20;
const indentRem = 0.875;
/** So few rows are all rendered: the browser's own search then finds what is in them. */
const fewRows = 200;
const foldedTextLength = 400;

interface JsonTreeViewProps {
  rows: readonly JsonRow[];
  label: string;
  /** What is looked for, to be marked. */
  text: string;
  /** The row to bring into view: where the search stands. */
  target: string | null;
  onToggle: (row: JsonRow) => void;
}

/** The rows of a JSON value, of which only those in view are on the page. */
export function JsonTreeView({ rows, label, text, target, onToggle }: JsonTreeViewProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [activePath, setActive] = useState("");
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    getItemKey: (at) => rows[at]?.path ?? at,
    overscan: rows.length <= fewRows ? rows.length : 12,
  });
  const targetAt = target === null ? -1 : rows.findIndex(({ path }) => path === target);
  useEffect(() => {
    if (targetAt >= 0) virtualizer.scrollToIndex(targetAt, { align: "center" });
  }, [targetAt, virtualizer]);

  const activeAt = Math.max(
    0,
    rows.findIndex(({ path }) => path === activePath),
  );
  const goTo = (at: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, at))];
    if (!row) return;
    setActive(row.path);
    virtualizer.scrollToIndex(rows.indexOf(row), { align: "auto" });
  };
  const toggle = (row: JsonRow) => {
    setActive(row.path);
    if (row.isOpen !== null) onToggle(row);
    else setWhole((before) => (before.has(row.path) ? new Set() : new Set([row.path])));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[activeAt];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowPixels) || 1;
    if (key === "ArrowDown") goTo(activeAt + 1);
    else if (key === "ArrowUp") goTo(activeAt - 1);
    else if (key === "PageDown") goTo(activeAt + page);
    else if (key === "PageUp") goTo(activeAt - page);
    else if (key === "Home") goTo(0);
    else if (key === "End") goTo(rows.length - 1);
    else if (key === "ArrowRight" && row.isOpen === false) toggle(row);
    else if (key === "ArrowRight") goTo(row.isOpen ? activeAt + 1 : activeAt);
    else if (key === "ArrowLeft" && row.isOpen) toggle(row);
    else if (key === "ArrowLeft")
      goTo(rows.findLastIndex((each, i) => i < activeAt && each.depth < row.depth));
    else if (key === "Enter" || key === " ") toggle(row);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${id}-${activeAt}`}
      dir="ltr"
      onKeyDown={onKeyDown}
      className="group/tree max-h-[70vh] overflow-auto overscroll-contain rounded-md py-1.5 font-mono text-sm"
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index] as JsonRow;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for all its rows
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names this row
            <div
              key={key}
              id={`${id}-${index}`}
              ref={virtualizer.measureElement}
              data-index={index}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-posinset={row.at + 1}
              aria-setsize={row.of}
              aria-expanded={row.isOpen ?? undefined}
              aria-selected={index === activeAt}
              onClick={() => toggleUnlessSelecting(() => toggle(row), row)}
              className={cn(
                "group/row absolute inset-x-0 top-0 flex items-start pr-8 pl-3 hover:bg-hover/60",
                row.isOpen !== null && "cursor-pointer",
                index === activeAt &&
                  "group-focus-visible/tree:bg-hover group-focus-visible/tree:outline-1 group-focus-visible/tree:outline-focus group-focus-visible/tree:-outline-offset-1",
                row.path === target && "bg-hover",
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Guides depth={row.depth} />
              <RowText
                row={row}
                text={text}
                isWhole={whole.has(row.path) || row.path === target}
                onWhole={() => toggle(row)}
              />
              <CopyButton
                text={() => textOf(row)}
                label={`Copy ${row.name ?? "all"}`}
                isTabStop={false}
                className="!absolute top-0 right-1 !size-5 bg-surface opacity-0 group-hover/row:opacity-100"
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The lines that lead from what is folded to what is in it. */
function Guides({ depth }: { depth: number }) {
  if (depth === 0) return null;
  return (
    <span
      aria-hidden="true"
      className="shrink-0 self-stretch"
      style={{
        width: `${depth * indentRem}rem`,
        backgroundImage:
          "linear-gradient(to right, transparent 5px, var(--line) 5px 6px, transparent 6px)",
        backgroundSize: `${indentRem}rem 100%`,
      }}
    />
  );
}

function RowText({
  row: { name, value, isOpen },
  text,
  isWhole,
  onWhole,
}: {
  row: JsonRow;
  text: string;
  isWhole: boolean;
  onWhole: () => void;
}) {
  const label = name !== null && (
    <>
      <span className={typeof name === "number" ? "text-ink-3" : "text-ink-2"}>
        <bdi className="[overflow-wrap:anywhere]">
          {typeof name === "number" ? name : <MarkedText text={name} wanted={text} />}
        </bdi>
      </span>
      <span className="text-ink-3">: </span>
    </>
  );
  if (isOpen !== null) {
    return (
      <>
        <ChevronRight
          aria-hidden="true"
          className={cn("mt-1 mr-1 size-3 shrink-0 text-ink-3", isOpen && "rotate-90")}
        />
        <span className="min-w-0 truncate leading-5">
          {label}
          <span className="text-ink-3">{isOpen ? sizeText(value) : previewOf(value)}</span>
        </span>
      </>
    );
  }
  return (
    <span className="min-w-0 pl-4 leading-5">
      {label}
      {isBranch(value) ? (
        <span className="text-ink-3">{Array.isArray(value) ? "[]" : "{}"}</span>
      ) : typeof value === "string" ? (
        <Text value={value} text={text} isWhole={isWhole} onWhole={onWhole} />
      ) : (
        <span className={value === null ? "text-ink-3" : "tabular"}>
          <MarkedText text={String(value)} wanted={text} />
        </span>
      )}
    </span>
  );
}

function Text({
  value,
  text,
  isWhole,
  onWhole,
}: {
  value: string;
  text: string;
  isWhole: boolean;
  onWhole: () => void;
}) {
  const isLong = value.length > foldedTextLength;
  return (
    <>
      <span className="task-text">
        <span className="text-ink-3">"</span>
        <MarkedText
          text={isLong && !isWhole ? `${value.slice(0, foldedTextLength)}…` : value}
          wanted={text}
        />
        <span className="text-ink-3">"</span>
      </span>
      {isLong && (
        <button
          type="button"
          tabIndex={-1}
          className="ml-2 rounded-sm text-link hover:underline"
          onClick={(event) => {
            event.stopPropagation();
            onWhole();
          }}
        >
          {isWhole ? "less" : `all ${value.length.toLocaleString("en-GB")} characters`}
        </button>
      )}
    </>
  );
}

function textOf({ value }: JsonRow): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Selecting text with the pointer ends in a click as well. */
function toggleUnlessSelecting(toggle: () => void, { isOpen }: JsonRow): void {
  if (isOpen !== null && getSelection()?.isCollapsed !== false) toggle();
}
