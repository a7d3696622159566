"use client";

import { type ReactNode, useId } from "react";

interface ChartFrameProps {
  title: string;
  /** What it shows, in a sentence: for who does not see it, and to begin with. */
  summary: string;
  legend: { label: string; mark: string }[];
  columns: string[];
  /** The same figures as a table; the first cell names the row. */
  rows: string[][];
  children: ReactNode;
}

/** A chart with what it says in words, and its figures as a table. */
export function ChartFrame({ title, summary, legend, columns, rows, children }: ChartFrameProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col rounded-lg border bg-surface p-4"
    >
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        <ul className="flex flex-wrap gap-x-3 text-ink-2 text-sm" aria-label="Legend">
          {legend.map(({ label, mark }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span className={mark} aria-hidden="true" />
              {label}
            </li>
          ))}
        </ul>
      </div>
      <p className="mt-1 max-w-[72ch] text-ink-2">{summary}</p>
      <div className="mt-3 h-52 min-[1800px]:h-72" aria-hidden="true">
        {children}
      </div>
      <details className="mt-2 text-sm">
        <summary className="w-fit rounded-sm text-ink-2 hover:text-ink">As a table</summary>
        <section
          aria-label={`${title}, as a table`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          tabIndex={0}
          className="mt-2 max-h-64 overflow-auto rounded-md border"
        >
          <table className="tabular w-full">
            <thead className="sticky top-0 bg-sunken text-ink-3">
              <tr>
                {columns.map((column, i) => (
                  <th
                    key={column}
                    scope="col"
                    className={`px-2 py-1 font-normal ${i === 0 ? "text-left" : "text-right"}`}
                  >
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...cells]) => (
                <tr key={name} className="border-t">
                  <th scope="row" className="whitespace-nowrap px-2 py-0.5 text-left font-normal">
                    {name}
                  </th>
                  {cells.map((cell, i) => (
                    <td key={columns[i + 1]} className="px-2 py-0.5 text-right text-ink-2">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}
