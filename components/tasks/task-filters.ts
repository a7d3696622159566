import { type Activity, activities } from "@/server/core/task.ts";
import { type TaskOrder, taskOrders } from "@/server/core/task-order.ts";
import { type TaskStatus, taskStatuses } from "@/server/core/task-status.ts";

/** How long ago at the most, as it stands in a URL. */
export const spans = { "1h": 3600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000 } as const;
export type Span = keyof typeof spans;

/** What the task list is narrowed to and sorted by; kept in the URL. */
export interface TaskFilters {
  statuses: TaskStatus[];
  activities: Activity[];
  types: string[];
  text: string;
  /** `key=value` each. */
  labels: string[];
  started: Span | null;
  ended: Span | null;
  waitsForMe: boolean;
  parent: string | null;
  order: TaskOrder;
}

export const noFilters: TaskFilters = {
  statuses: [],
  activities: [],
  types: [],
  text: "",
  labels: [],
  started: null,
  ended: null,
  waitsForMe: false,
  parent: null,
  order: "newest",
};

/** Reads the filters from a URL's query; what is not a filter is left aside. */
export function filtersFromUrl(params: URLSearchParams): TaskFilters {
  const text = params.get("text")?.trim() ?? "";
  const order = oneOf(taskOrders, params.get("order")) ?? "newest";
  return {
    statuses: someOf(taskStatuses, params.getAll("status")),
    activities: someOf(activities, params.getAll("activity")),
    types: unique(params.getAll("type")),
    text,
    labels: unique(params.getAll("label")).filter((label) => label.includes("=")),
    started: oneOf(Object.keys(spans) as Span[], params.get("started")),
    ended: oneOf(Object.keys(spans) as Span[], params.get("ended")),
    waitsForMe: params.get("mine") === "1",
    parent: params.get("parent"),
    order: text === "" || order === "oldest" ? order : "newest",
  };
}

/** The query of a URL that shows these filters, with the `?`; empty for none. */
export function filtersToUrl(filters: TaskFilters): string {
  const params = new URLSearchParams();
  for (const status of filters.statuses) params.append("status", status);
  for (const activity of filters.activities) params.append("activity", activity);
  for (const type of filters.types) params.append("type", type);
  if (filters.text !== "") params.set("text", filters.text);
  for (const label of filters.labels) params.append("label", label);
  if (filters.started) params.set("started", filters.started);
  if (filters.ended) params.set("ended", filters.ended);
  if (filters.waitsForMe) params.set("mine", "1");
  if (filters.parent) params.set("parent", filters.parent);
  if (filters.order !== "newest") params.set("order", filters.order);
  const query = params.toString();
  return query === "" ? "" : `?${query}`;
}

export function hasFilters(filters: TaskFilters): boolean {
  return filtersToUrl({ ...filters, order: "newest" }) !== "";
}

/** What `tasks.list` is asked for, at a moment of the server's clock. */
export function toListInput(filters: TaskFilters, nowMillis: number) {
  const { statuses, activities, types, text, labels, started, ended, parent, order } = filters;
  const since = (span: Span) => new Date(nowMillis - spans[span] * 1000).toISOString();
  const pairs = labels.map((label) => {
    const cut = label.indexOf("=");
    return [label.slice(0, cut), label.slice(cut + 1)] as const;
  });
  return {
    ...(statuses.length > 0 && { statuses }),
    ...(activities.length > 0 && { activities }),
    ...(types.length > 0 && { types }),
    ...(text !== "" && { text }),
    ...(pairs.length > 0 && { labels: Object.fromEntries(pairs) }),
    ...(started && { createdFrom: since(started) }),
    ...(ended && { finishedFrom: since(ended) }),
    ...(filters.waitsForMe && { waitsForMe: true }),
    ...(parent && { parentTaskId: parent }),
    order,
  };
}

/** True when the feed alone keeps the list of these filters current. */
export function isKeptByFeed({ text, waitsForMe, order, activities }: TaskFilters): boolean {
  return text === "" && !waitsForMe && order === "newest" && activities.length === 0;
}

/** The list with the item added or taken out. */
export function toggled<T>(list: readonly T[], item: T): T[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item];
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((each) => each === value) ?? null;
}

function someOf<T extends string>(known: readonly T[], values: string[]): T[] {
  return known.filter((each) => values.includes(each)).sort();
}

function unique(values: string[]): string[] {
  return [...new Set(values)].sort();
}
