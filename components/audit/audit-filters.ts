import { type AuditAction, auditActions } from "@/server/core/audit.ts";

/** What the audit log is narrowed to; kept in the URL. */
export interface AuditFilters {
  actor: string;
  action: AuditAction | null;
  taskId: string;
  /** Days in the viewer's zone, as `2026-11-30`, both included; empty for no bound. */
  from: string;
  until: string;
}

export const noAuditFilters: AuditFilters = {
  actor: "",
  action: null,
  taskId: "",
  from: "",
  until: "",
};

/** Reads the filters from a URL's query; what is not a filter is left aside. */
export function auditFiltersFromUrl(params: URLSearchParams): AuditFilters {
  const text = (name: string) => params.get(name)?.trim() ?? "";
  const action = text("action");
  return {
    actor: text("actor"),
    action: auditActions.find((each) => each === action) ?? null,
    taskId: text("task"),
    from: dayOf(text("from")),
    until: dayOf(text("until")),
  };
}

/** The query of a URL that shows these filters, with the `?`; empty for none. */
export function auditFiltersToUrl({ actor, action, taskId, from, until }: AuditFilters): string {
  const all = { actor, action: action ?? "", task: taskId, from, until };
  const set = Object.entries(all).filter(([, value]) => value !== "");
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}

export function hasAuditFilters(filters: AuditFilters): boolean {
  return auditFiltersToUrl(filters) !== "";
}

/** The filters as the server takes them: a day begins and ends with it in the viewer's zone. */
export function toAuditInput({ actor, action, taskId, from, until }: AuditFilters) {
  return {
    ...(actor !== "" && { actor }),
    ...(action !== null && { action: [action] }),
    ...(taskId !== "" && { taskId }),
    ...(from !== "" && { from: startOfDay(from, 0) }),
    ...(until !== "" && { until: startOfDay(until, 1) }),
  };
}

/** Where the log as filtered is saved from. */
export function auditExportUrl(filters: AuditFilters, format: "csv" | "jsonl"): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(toAuditInput(filters))) {
    for (const each of [value].flat()) query.append(name, each);
  }
  return `/api/v1/audit/export?${query}`;
}

function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}

function startOfDay(day: string, later: number): string {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
