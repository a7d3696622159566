"use client";

import { ChevronRight } from "lucide-react";
import { lazy, memo, Suspense, useId, useState } from "react";
import type { AuditEntry } from "@/server/core/audit.ts";
import { shortId } from "../tasks/short-id.ts";
import { exactText } from "../time/time-text.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { IntentLink } from "../ui/intent-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { actionTexts, actorText, changeText, originText } from "./audit-text.ts";

const JsonViewer = lazy(() => import("../json/json-viewer.tsx"));

const columns =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 lg:grid-cols-[13rem_minmax(6rem,9rem)_11rem_minmax(7rem,10rem)_minmax(0,1fr)_auto]";

/** Entries as rows; each can be opened for all it says. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table className="block w-full border-t">
      <caption className="sr-only">Who did what, newest first</caption>
      <thead className="block max-lg:sr-only">
        <tr className={cn(columns, "h-8 items-center border-b px-2 text-ink-3 text-sm")}>
          {["When", "Who", "What", "Task", "Changed", "Details"].map((name, i) => (
            <th key={name} scope="col" className="text-left font-normal">
              <span className={i === 5 ? "sr-only" : undefined}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block">
        {entries.map((entry) => (
          <AuditRow key={entry.auditId} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

const AuditRow = memo(function AuditRow({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const who = actorText(entry);
  return (
    <>
      <tr
        data-audit={entry.auditId}
        className={cn(
          columns,
          "items-center px-2 hover:bg-hover/60 max-lg:gap-y-0.5 max-lg:py-2 lg:min-h-10",
          isOpen ? "bg-hover/40" : "border-b",
        )}
      >
        <td className="tabular whitespace-nowrap text-ink-2 max-lg:order-3 max-lg:col-span-2 max-lg:text-sm">
          <time dateTime={entry.at}>{exactText(entry.at)}</time>
        </td>
        <td className="min-w-0 truncate font-medium max-lg:order-1" title={who.kind}>
          <bdi>{who.name}</bdi>
        </td>
        <td className="min-w-0 truncate max-lg:order-2 max-lg:col-span-2">
          {actionTexts[entry.action]}
        </td>
        <td className="min-w-0 truncate max-lg:order-4 max-lg:col-span-2 max-lg:empty:hidden">
          {entry.taskId !== null && (
            <IntentLink
              href={`/tasks/${entry.taskId}`}
              className="underline-offset-2 hover:underline"
              title={entry.taskId}
            >
              <bdi>{entry.taskType}</bdi>{" "}
              <span className="font-mono text-ink-3 text-sm">{shortId(entry.taskId)}</span>
            </IntentLink>
          )}
        </td>
        <td className="min-w-0 truncate text-ink-2 max-lg:order-5 max-lg:col-span-2 max-lg:empty:hidden">
          <bdi>{changeText(entry)}</bdi>
        </td>
        <td className="max-lg:order-1 max-lg:text-right">
          <Button
            variant="quiet"
            size="tiny"
            aria-label={`Details of entry ${entry.auditId}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen((was) => !was)}
          >
            <ChevronRight aria-hidden="true" className={isOpen ? "rotate-90" : undefined} />
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr id={id} className="block border-b bg-hover/40 px-2 pb-3">
          <td className="block">
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
});

function Details({ entry }: { entry: AuditEntry }) {
  const { actor, keyOwnerId, questionId, taskId, action, auditId } = entry;
  const facts: [name: string, value: string | null][] = [
    ["Entry", `${auditId} · ${action}`],
    ["By", actor === null ? "nobody identified" : `${actor.name} · ${actor.kind} ${actor.id}`],
    ["Owner of the key", keyOwnerId],
    ["From", originText(entry) || null],
    ["Task", taskId],
    ["Question", questionId],
  ];
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className="contents">
                <dt className="text-ink-3">{name}</dt>
                <dd className="task-text">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {Object.keys(entry.details).length > 0 && (
        <Suspense fallback={<Skeleton className="h-16" />}>
          <JsonViewer value={entry.details} label="What changed" />
        </Suspense>
      )}
    </div>
  );
}
