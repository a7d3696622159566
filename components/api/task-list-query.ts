import { infiniteQueryOptions } from "@tanstack/react-query";
import type { TaskRecord } from "@/server/core/task.ts";
import { mergeTaskPages } from "../live/merge-pages.ts";
import { newest, toldSince } from "../live/newest.ts";
import { isKeptByFeed, type TaskFilters, toListInput } from "../tasks/task-filters.ts";
import { serverNow } from "../time/server-clock.ts";
import { api } from "./api-client.ts";

const pageSize = 100;
const fewPages = 3;

/**
 * A list of tasks. The live feed keeps it current where it can tell which tasks belong into it; where
 * only the server can, it is read anew every few seconds as well.
 */
export function taskListQuery(filters: TaskFilters) {
  return infiniteQueryOptions({
    queryKey: ["tasks", filters],
    queryFn: async ({ pageParam, signal }) => {
      const askedAt = Date.now();
      const input = { ...toListInput(filters, serverNow()), limit: pageSize, after: pageParam };
      const page = await api.tasks.list.query(input, { signal });
      const current = { ...page, items: page.items.map((item): TaskRecord => newest.task(item)) };
      // New tasks belong on the first page.
      if (pageParam !== null) return current;
      return mergeTaskPages([current], filters, toldSince(askedAt).tasks)[0] ?? current;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => {
      if (isKeptByFeed(filters)) return false;
      return (state.data?.pages.length ?? 0) <= fewPages ? 4000 : 30_000;
    },
  });
}
