"use client";

import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { isJsonObject, type JsonValue } from "@/server/core/json.ts";
import { cn } from "../ui/cn.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { entriesOf, initiallyOpen } from "./json-tree.ts";

const shownAtOnce = 100;
const foldedTextLength = 400;

/**
 * JSON as a tree to fold. Only what is unfolded is on the page, a hundred members at a time, so
 * that a megabyte costs no more than a screenful.
 */
export default function JsonViewer({ value, label }: { value: JsonValue; label: string }) {
  const open = useMemo(() => initiallyOpen(value), [value]);
  return (
    <div className="group/json relative">
      <CopyButton
        text={() => JSON.stringify(value, null, 2)}
        label={`Copy ${label.toLowerCase()}`}
        className="absolute top-1 right-1 z-10 bg-surface"
      />
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        dir="ltr"
        className="max-h-[70vh] overflow-auto rounded-md px-3 py-2 font-mono text-sm"
      >
        <Node name={null} value={value} open={open} />
      </div>
    </div>
  );
}

function Node({
  name,
  value,
  open,
}: {
  name: string | number | null;
  value: JsonValue;
  open: ReadonlySet<JsonValue>;
}) {
  if (Array.isArray(value) || isJsonObject(value)) {
    return <Branch name={name} value={value} open={open} />;
  }
  return (
    <div className="pl-4">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  );
}

function Branch({
  name,
  value,
  open,
}: {
  name: string | number | null;
  value: JsonValue;
  open: ReadonlySet<JsonValue>;
}) {
  const [isOpen, setOpen] = useState(() => open.has(value));
  const [shown, setShown] = useState(shownAtOnce);
  const size = Array.isArray(value) ? value.length : Object.keys(value as object).length;
  const summary = Array.isArray(value)
    ? `[${size} ${size === 1 ? "item" : "items"}]`
    : `{${size} ${size === 1 ? "member" : "members"}}`;
  if (size === 0) {
    return (
      <div className="pl-4">
        <Name name={name} />
        <span className="text-ink-3">{Array.isArray(value) ? "[]" : "{}"}</span>
      </div>
    );
  }
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-start rounded-sm text-left hover:bg-hover/60"
      >
        <ChevronRight
          aria-hidden="true"
          className={cn("mt-[3px] mr-1 size-3 shrink-0 text-ink-3", isOpen && "rotate-90")}
        />
        <span className="min-w-0">
          <Name name={name} />
          <span className="text-ink-3">{summary}</span>
        </span>
      </button>
      {isOpen && (
        <div className="ml-1.5 border-s ps-2">
          {entriesOf(value, shown).map(([key, member]) => (
            <Node key={key} name={key} value={member} open={open} />
          ))}
          {size > shown && (
            <button
              type="button"
              className="ml-4 rounded-sm text-link hover:underline"
              onClick={() => setShown(shown + shownAtOnce * 5)}
            >
              Show more ({(size - shown).toLocaleString("en-GB")} left)
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Name({ name }: { name: string | number | null }) {
  if (name === null) return null;
  return (
    <span className={typeof name === "number" ? "text-ink-3" : "text-ink-2"}>
      <bdi className="[overflow-wrap:anywhere]">{name}</bdi>
      {": "}
    </span>
  );
}

function Leaf({ value }: { value: JsonValue }) {
  const [isOpen, setOpen] = useState(false);
  if (typeof value !== "string") {
    return <span className="text-ink">{String(value)}</span>;
  }
  const isLong = value.length > foldedTextLength;
  const text = isLong && !isOpen ? `${value.slice(0, foldedTextLength)}…` : value;
  return (
    <>
      <span className="task-text">
        <span className="text-ink-3">"</span>
        {text}
        <span className="text-ink-3">"</span>
      </span>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="ml-2 rounded-sm text-link hover:underline"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "less" : `all ${value.length.toLocaleString("en-GB")} characters`}
        </button>
      )}
    </>
  );
}
