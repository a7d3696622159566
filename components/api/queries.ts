import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import type { Permission } from "@/server/core/permission.ts";
import type { TaskStatus } from "@/server/core/task-status.ts";
import { newest } from "../live/newest.ts";
import { loadTail } from "../timeline/timeline-events.ts";
import { api } from "./api-client.ts";

/** What the task list is narrowed to; kept in the URL. */
export interface TaskFilters {
  statuses: TaskStatus[];
  types: string[];
  text: string;
}

const pageSize = 50;

// Everything below is kept current by the live feed, so nothing is ever stale by age: queries are
// refetched when the feed had to start over, and when a page that was left is opened again.
export const queries = {
  types: () =>
    queryOptions({
      queryKey: ["types"],
      queryFn: () => api.tasks.types.query(),
      staleTime: 60_000,
    }),

  me: () =>
    queryOptions({
      queryKey: ["me"],
      queryFn: () => api.system.info.query(),
      staleTime: 60_000,
    }),

  stats: () => queryOptions({ queryKey: ["stats"], queryFn: () => api.tasks.stats.query() }),

  tasks: ({ statuses, types, text }: TaskFilters) =>
    infiniteQueryOptions({
      queryKey: ["tasks", { statuses, types, text }],
      queryFn: async ({ pageParam }) => {
        const page = await api.tasks.list.query({
          ...(statuses.length > 0 && { statuses }),
          ...(types.length > 0 && { types }),
          ...(text !== "" && { text }),
          limit: pageSize,
          after: pageParam,
        });
        return { items: page.items.map(newest.task), nextCursor: page.nextCursor };
      },
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
    }),

  task: (taskId: string) =>
    queryOptions({
      queryKey: ["task", taskId],
      queryFn: async () => {
        const detail = await api.tasks.get.query({ taskId });
        return {
          ...detail,
          task: newest.task(detail.task),
          questions: detail.questions.map(newest.question),
        };
      },
    }),

  /** The newest part of the timeline; older parts are added by `loadEarlier`. */
  events: (taskId: string, lastSeq: number) =>
    queryOptions({ queryKey: ["events", taskId], queryFn: () => loadTail(taskId, lastSeq) }),

  openQuestions: () =>
    infiniteQueryOptions({
      queryKey: ["questions", "open"],
      queryFn: async ({ pageParam }) => {
        const page = await api.questions.list.query({
          state: "open",
          limit: pageSize,
          after: pageParam,
        });
        return {
          items: page.items.map((item) => ({ ...item, ...newest.question(item) })),
          nextCursor: page.nextCursor,
        };
      },
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
    }),

  question: (questionId: string) =>
    queryOptions({
      queryKey: ["question", questionId],
      queryFn: () => api.questions.get.query({ questionId }),
      staleTime: 0,
    }),

  /** The last time the action of an approval was asked for; it does not change any more. */
  previousApproval: (questionId: string) =>
    queryOptions({
      queryKey: ["previous-approval", questionId],
      queryFn: () => api.questions.previousApproval.query({ questionId }),
    }),

  /** Who the server takes this page for. */
  caller: () => queryOptions({ queryKey: ["caller"], queryFn: () => api.system.info.query() }),
};

/**
 * False once it is known that whoever is signed in may not do this; the server decides in any case.
 * Until then true, so that nothing moves for those who may.
 */
export function useMay(permission: Permission): boolean {
  return useQuery(queries.me()).data?.permissions.includes(permission) ?? true;
}
