import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { OverviewRange } from "@/server/core/overview.ts";
import { api } from "./api-client.ts";

/** Counts of everybody's tasks: read anew every few seconds, because the feed does not add up. */
export function overviewQuery(range: OverviewRange) {
  return queryOptions({
    queryKey: ["overview", range],
    queryFn: ({ signal }) => api.tasks.overview.query({ range }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: 5000,
  });
}
