import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { TaskRecord } from "@/server/core/task.ts";
import { isTaskCurrent } from "./newest.ts";

interface RelativesPage {
  items: TaskRecord[];
  nextCursor: string | null;
}

/** A task's children or reruns as they are cached, oldest first. */
type Relatives = InfiniteData<RelativesPage, string | null>;

/** Brings the cached children and reruns of other tasks to what the feed said of these tasks. */
export function applyToRelatives(
  client: QueryClient,
  tasks: ReadonlyMap<string, TaskRecord>,
): void {
  for (const { parentTaskId } of tasks.values()) {
    const key = ["has-children", parentTaskId];
    if (parentTaskId !== null && client.getQueryData(key) === false) client.setQueryData(key, true);
  }
  const cached = client.getQueriesData<Relatives>({ queryKey: ["relatives"] });
  for (const [key, relatives] of cached) {
    const [, kind, taskId] = key;
    if (!relatives) continue;
    const related = [...tasks.values()].filter(
      (task) => (kind === "children" ? task.parentTaskId : task.rerunOf) === taskId,
    );
    if (related.length > 0) client.setQueryData(key, related.reduce(putRelative, relatives));
  }
}

/** A task that is not there yet is the newest: it belongs at the end, if the end is there. */
export function putRelative(relatives: Relatives, task: TaskRecord): Relatives {
  let isFound = false;
  const pages = relatives.pages.map((page) => {
    const at = page.items.findIndex(({ taskId }) => taskId === task.taskId);
    if (at < 0) return page;
    isFound = true;
    const known = page.items[at] as TaskRecord;
    if (!isTaskCurrent(task, known)) return page;
    return { ...page, items: page.items.with(at, task) };
  });
  const last = pages.at(-1);
  if (!isFound && last && last.nextCursor === null) {
    pages[pages.length - 1] = { ...last, items: [...last.items, task] };
  }
  return { ...relatives, pages };
}
