import { storedJson } from "../stored/stored-json.ts";
import { filtersFromUrl, filtersToUrl } from "./task-filters.ts";

/** Filters and an order under a name. */
export interface SavedView {
  name: string;
  /** The query of the address, with the `?`. */
  query: string;
}

export const noViews: readonly SavedView[] = [];

/** The views that somebody saved in this browser, by name. */
export const savedViews = storedJson<readonly SavedView[]>("toolthread.task-views", (stored) =>
  Array.isArray(stored) ? stored.flatMap(toView) : noViews,
);

/** The list with a view saved; one of the same name is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...withoutView(views, view.name), view].sort((a, b) => a.name.localeCompare(b.name));
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((each) => each.name !== name);
}

/** The list with a view under another name; the name is taken from whichever view had it. */
export function withName(views: readonly SavedView[], from: string, to: string): SavedView[] {
  const view = views.find(({ name }) => name === from);
  return view ? withView(withoutView(views, from), { ...view, name: to }) : [...views];
}

// What an earlier version or another hand stored is read like any address: what is unknown is left out.
function toView(stored: unknown): SavedView[] {
  const { name, query } = (stored ?? {}) as Partial<SavedView>;
  if (typeof name !== "string" || name.trim() === "" || typeof query !== "string") return [];
  return [{ name, query: filtersToUrl(filtersFromUrl(new URLSearchParams(query))) }];
}
