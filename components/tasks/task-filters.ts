import { type TaskStatus, taskStatuses } from "@/server/core/task-status.ts";
import type { TaskFilters } from "../api/queries.ts";

/** Reads the filters from a URL's query; what is not a filter is left aside. */
export function filtersFromUrl(params: URLSearchParams): TaskFilters {
  const known = new Set<string>(taskStatuses);
  return {
    statuses: unique(params.getAll("status")).filter((s): s is TaskStatus => known.has(s)),
    types: unique(params.getAll("type")),
    text: params.get("text")?.trim() ?? "",
  };
}

/** The query of a URL that shows these filters, with the `?`; empty for none. */
export function filtersToUrl({ statuses, types, text }: TaskFilters): string {
  const params = new URLSearchParams();
  for (const status of statuses) params.append("status", status);
  for (const type of types) params.append("type", type);
  if (text !== "") params.set("text", text);
  const query = params.toString();
  return query === "" ? "" : `?${query}`;
}

export function hasFilters({ statuses, types, text }: TaskFilters): boolean {
  return statuses.length > 0 || types.length > 0 || text !== "";
}

/** The list with the item added or taken out. */
export function toggled<T>(list: readonly T[], item: T): T[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item];
}

function unique(values: string[]): string[] {
  return [...new Set(values)].sort();
}
