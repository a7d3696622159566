"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readApiError } from "../api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/notice.tsx";
import { useInView } from "./use-in-view.ts";

interface PagedListProps {
  query: UseInfiniteQueryResult<unknown>;
  /** How many items there are so far. */
  length: number;
  /** What stands there until the first page has come. */
  loading: ReactNode;
  /** What stands there when there is nothing. */
  empty: ReactNode;
  /** The items. */
  children: ReactNode;
}

/** A list that loads its next page when its end comes near the view. */
export function PagedList({ query, length, loading, empty, children }: PagedListProps) {
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const end = useInView(length, () => {
    if (hasNextPage && !isFetchingNextPage && !query.isError) void fetchNextPage();
  });
  return (
    <>
      {query.isError && length === 0 ? (
        <ErrorState
          message={readApiError(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        loading
      ) : length === 0 ? (
        empty
      ) : (
        children
      )}
      <div ref={end} className="flex min-h-8 items-center justify-center py-3 text-ink-2">
        {isFetchingNextPage ? (
          "Loading more…"
        ) : hasNextPage ? (
          <Button size="sm" onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        ) : null}
      </div>
    </>
  );
}
