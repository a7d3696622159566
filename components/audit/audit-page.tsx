"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, ScrollText } from "lucide-react";
import { useMemo } from "react";
import { auditQuery } from "../api/audit-query.ts";
import { PagedList } from "../lists/paged-list.tsx";
import { useUrlFilters } from "../lists/use-url-filters.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AuditFilterBar } from "./audit-filter-bar.tsx";
import {
  auditExportUrl,
  auditFiltersFromUrl,
  auditFiltersToUrl,
  hasAuditFilters,
  noAuditFilters,
} from "./audit-filters.ts";
import { AuditTable } from "./audit-table.tsx";

/** Who did what, newest first; new entries appear within seconds. */
export function AuditPage() {
  const [filters, change] = useUrlFilters(auditFiltersFromUrl, auditFiltersToUrl);
  const query = useInfiniteQuery(auditQuery(filters));
  // While pages are read, entries move from one to the next: each is shown once.
  const entries = useMemo(() => {
    const all = query.data?.pages.flatMap(({ items }) => items) ?? [];
    return [...new Map(all.map((entry) => [entry.auditId, entry])).values()];
  }, [query.data]);

  return (
    <div className="mx-auto flex w-full max-w-[100rem] flex-1 flex-col px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Audit">
        {(["csv", "jsonl"] as const).map((format) => (
          <a
            key={format}
            href={auditExportUrl(filters, format)}
            download
            className={buttonClass({ size: "sm" })}
          >
            <Download aria-hidden="true" />
            {format === "csv" ? "CSV" : "JSON lines"}
          </a>
        ))}
      </PageHeader>
      <AuditFilterBar filters={filters} onChange={change} />
      <PagedList
        query={query}
        length={entries.length}
        loading={<Loading />}
        empty={
          <NoEntries
            isFiltered={hasAuditFilters(filters)}
            onClear={() => change(() => noAuditFilters)}
          />
        }
      >
        <AuditTable entries={entries} />
      </PagedList>
    </div>
  );
}

function NoEntries({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState title="No entry fits" action={<Button onClick={onClear}>Clear the filters</Button>}>
      New entries that fit appear here by themselves.
    </EmptyState>
  ) : (
    <EmptyState
      title="Nothing has been done yet"
      icon={<ScrollText className="size-8" strokeWidth={1.5} aria-hidden="true" />}
    >
      Every start, answer, cancel, sign-in and change of keys and people is noted here.
    </EmptyState>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the audit log" className="mt-2 border-t">
      {Array.from({ length: 8 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <div key={i} className="flex h-10 items-center gap-4 border-b px-2">
          <Skeleton className="h-4 w-36" />
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 max-w-md flex-1" />
        </div>
      ))}
    </div>
  );
}
