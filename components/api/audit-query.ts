import { infiniteQueryOptions } from "@tanstack/react-query";
import { type AuditFilters, toAuditInput } from "../audit/audit-filters.ts";
import { api } from "./api-client.ts";

const pageSize = 50;
const fewPages = 3;

/** Not told of by the live feed, so it is read anew every few seconds; less often when much is shown. */
export function auditQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ["audit", filters],
    queryFn: ({ pageParam }) =>
      api.audit.list.query({ ...toAuditInput(filters), limit: pageSize, after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= fewPages ? 4000 : 30_000),
  });
}
