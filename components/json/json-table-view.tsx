"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useRef } from "react";
import type { JsonObject, JsonValue } from "@/server/core/json.ts";
import { cn } from "../ui/cn.ts";
import { cellText, type JsonSort, type JsonTable, widthsOf } from "./json-table.ts";
import { MarkedText } from "./marked-text.tsx";

const rowPixels = 26;
const shownLength = 300;

interface JsonTableViewProps {
  table: JsonTable;
  /** What the whole value is called. */
  label: string;
  /** The numbers of the rows to show, in order. */
  shown: readonly number[];
  text: string;
  sort: JsonSort | null;
  onSort: (sort: JsonSort | null) => void;
  /** Shows a row as JSON, with all that is in it. */
  onRow: (number: number) => void;
}

/** A list of objects that are alike, a row each, of which only those in view are on the page. */
export function JsonTableView(props: JsonTableViewProps) {
  const { table, label, shown, text, sort, onSort, onRow } = props;
  const scroller = useRef<HTMLElement>(null);
  const widths = useMemo(() => widthsOf(table), [table]);
  const digits = String(table.rows.length).length;
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 12,
  });
  const columns = `${digits + 2}ch ${widths.map((width) => `${width + 2}ch`).join(" ")}`;
  const wide = { gridTemplateColumns: columns, minWidth: "max-content" };
  return (
    <section
      ref={scroller}
      aria-label={`${label}: ${table.name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[70vh] overflow-auto overscroll-contain rounded-md font-mono text-sm"
    >
      <table aria-label={table.name} aria-rowcount={shown.length + 1} className="block">
        <thead className="sticky top-0 z-10 block min-w-max border-b bg-sunken">
          <tr aria-rowindex={1} className="grid" style={wide}>
            <th scope="col" className="font-normal">
              <span className="sr-only">Row</span>
            </th>
            {table.columns.map((name) => (
              <ColumnHead
                key={name}
                name={name}
                isNumber={typeof table.rows[0]?.[name] === "number"}
                sort={sort}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody className="relative block min-w-max" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, key }) => {
            const number = shown[index] as number;
            const row = table.rows[number] as JsonObject;
            return (
              <tr
                key={key}
                aria-rowindex={index + 2}
                className="absolute inset-x-0 top-0 grid items-center border-line/60 border-b hover:bg-hover/60"
                style={{ ...wide, height: rowPixels, transform: `translateY(${start}px)` }}
              >
                <td className="pl-1">
                  <button
                    type="button"
                    title="Show this row as JSON"
                    onClick={() => onRow(number)}
                    className="tabular w-full rounded-sm pr-1 text-end text-ink-3 hover:text-ink hover:underline"
                  >
                    {number}
                  </button>
                </td>
                {table.columns.map((name) => (
                  <Cell key={name} value={row[name]} text={text} />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function ColumnHead({
  name,
  isNumber,
  sort,
  onSort,
}: Pick<JsonTableViewProps, "sort" | "onSort"> & { name: string; isNumber: boolean }) {
  const isSorted = sort?.column === name;
  const Arrow = sort?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.descending ? "descending" : "ascending") : undefined}
      className="font-normal"
    >
      <button
        type="button"
        title={`Sort by ${name}`}
        onClick={() => onSort(nextSort(name, sort))}
        className={cn(
          "flex w-full items-center gap-1 px-2 py-1 text-ink-2 -outline-offset-2 hover:text-ink",
          isNumber && "justify-end",
        )}
      >
        <bdi className="truncate">{name}</bdi>
        {isSorted && <Arrow className="size-3 shrink-0" aria-hidden="true" />}
      </button>
    </th>
  );
}

function Cell({ value, text }: { value: JsonValue | undefined; text: string }) {
  const said = cellText(value).slice(0, shownLength);
  return (
    <td
      title={said.length > 12 ? said : undefined}
      className={cn(
        "truncate px-2",
        typeof value === "number" && "tabular text-end",
        (value === null || typeof value === "object") && "text-ink-3",
      )}
    >
      <bdi>
        <MarkedText text={said.replace(/\s+/g, " ")} wanted={text} />
      </bdi>
    </td>
  );
}

/** Up, down, and as it came. */
function nextSort(column: string, sort: JsonSort | null): JsonSort | null {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}
