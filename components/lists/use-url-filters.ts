"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";

/** Gives what the filters become, from what they are at that moment. */
export type ChangeFilters<Filters> = (to: (filters: Filters) => Filters) => void;

/** The filters of a list, which are kept in the address; the functions must be the same each time. */
export function useUrlFilters<Filters>(
  fromUrl: (params: URLSearchParams) => Filters,
  toUrl: (filters: Filters) => string,
): [Filters, ChangeFilters<Filters>] {
  const params = useSearchParams();
  const filters = useMemo(() => fromUrl(new URLSearchParams(params)), [params, fromUrl]);
  const change = useCallback<ChangeFilters<Filters>>(
    (to) => {
      // From the address as it is now: two changes may follow each other faster than renders do.
      const { pathname, search } = window.location;
      const next = to(fromUrl(new URLSearchParams(search)));
      window.history.replaceState(null, "", pathname + toUrl(next));
    },
    [fromUrl, toUrl],
  );
  return [filters, change];
}
