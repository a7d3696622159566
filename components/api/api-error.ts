import { TRPCClientError } from "@trpc/client";

/** One thing wrong with a value: where (a dot path, empty for the whole) and what. */
export interface FieldIssue {
  path: string;
  message: string;
}

/** An error of the API as the dashboard uses it. */
export interface ApiError {
  /** toolthread's stable code; `network` when the server was not reached, `unknown` otherwise. */
  code: string;
  message: string;
  issues: FieldIssue[];
  /** What the server says beside the message, for example the outcome when a race was lost. */
  details: Record<string, unknown>;
}

/** Reads whatever a call threw. Never throws itself. */
export function readApiError(error: unknown): ApiError {
  if (!(error instanceof TRPCClientError)) {
    return { code: "unknown", message: messageOf(error), issues: [], details: {} };
  }
  const data = record(error.data);
  if (Object.keys(data).length === 0) {
    return {
      code: "network",
      message: "The server cannot be reached. Trying again is safe: nothing happens twice.",
      issues: [],
      details: {},
    };
  }
  const details = record(data.details);
  return {
    code: String(data.code ?? "unknown"),
    message: error.message,
    issues: Array.isArray(details.issues) ? details.issues.flatMap(toIssue) : [],
    details,
  };
}

/** True when the thing asked for does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof TRPCClientError && record(error.data).trpcCode === "NOT_FOUND";
}

function toIssue(issue: unknown): FieldIssue[] {
  const { path, message } = record(issue);
  return typeof message === "string"
    ? [{ path: typeof path === "string" ? path : "", message }]
    : [];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
