import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import type { Permission } from "@/server/core/permission.ts";
import type { TaskRecord } from "@/server/core/task.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { mergeQuestionPages, putQuestion } from "../live/merge-pages.ts";
import { newest, toldSince } from "../live/newest.ts";
import { loadTail } from "../timeline/timeline-events.ts";
import { api } from "./api-client.ts";

const pageSize = 50;
const relativesPageSize = 200;
const questionPageSize = 250;

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

  task: (taskId: string) =>
    queryOptions({
      queryKey: ["task", taskId],
      queryFn: async () => {
        const askedAt = Date.now();
        const detail = await api.tasks.get.query({ taskId });
        const task: TaskRecord = newest.task(detail.task);
        const told = [...toldSince(askedAt).questions.values()];
        const questions = told
          .filter((question) => question.taskId === taskId)
          .reduce<QuestionData[]>(putQuestion, detail.questions);
        return { ...detail, task, questions };
      },
    }),

  /** The newest part of the timeline; older parts are added by `loadEarlier`. */
  events: (taskId: string, lastSeq: number) =>
    queryOptions({ queryKey: ["events", taskId], queryFn: () => loadTail(taskId, lastSeq) }),

  /** The tasks that a task started, or that run it again; oldest first. */
  relatives: (of: "children" | "reruns", taskId: string) =>
    infiniteQueryOptions({
      queryKey: ["relatives", of, taskId],
      queryFn: async ({ pageParam }) => {
        const page = await api.tasks.list.query({
          ...(of === "children" ? { parentTaskId: taskId } : { rerunOf: taskId }),
          order: "oldest",
          limit: relativesPageSize,
          after: pageParam,
        });
        return { ...page, items: page.items.map((item): TaskRecord => newest.task(item)) };
      },
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
    }),

  /** Whether a task started others; the feed says so when it does later. */
  hasChildren: (taskId: string) =>
    queryOptions({
      queryKey: ["has-children", taskId],
      queryFn: async () => {
        const { items } = await api.tasks.list.query({ parentTaskId: taskId, limit: 1 });
        return items.length > 0;
      },
    }),

  openQuestions: () =>
    infiniteQueryOptions({
      queryKey: ["questions", "open"],
      queryFn: async ({ pageParam }) => {
        const askedAt = Date.now();
        const page = await api.questions.list.query({
          state: "open",
          order: "pressing",
          // The first screen is small, and what follows comes in few calls.
          limit: pageParam === null ? pageSize : questionPageSize,
          after: pageParam,
        });
        const current = { ...page, items: page.items.map((item) => newest.question(item)) };
        if (pageParam !== null) return current;
        return mergeQuestionPages([current], toldSince(askedAt).questions)[0] ?? current;
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
