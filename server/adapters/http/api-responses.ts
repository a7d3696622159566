import { STATUS_CODES } from "node:http";
import type { ApiError } from "../error-table.ts";
import { errorTable } from "../error-table.ts";

/** An answer in JSON, which no cache may keep. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers?: Record<string, string>,
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...headers,
    },
  });
}

/** An error as a problem document (RFC 9457), with our `code` and `details` beside. */
export function problemOf(error: ApiError) {
  const { http } = errorTable[error.code];
  return {
    title: STATUS_CODES[http] ?? "Error",
    status: http,
    detail: error.message,
    code: error.code,
    details: error.details,
  };
}

export function problemResponse(error: ApiError): Response {
  const problem = problemOf(error);
  return jsonResponse(problem.status, problem, {
    "content-type": "application/problem+json",
    ...errorHeaders(error),
  });
}

/** Tells callers to come back after some seconds. */
export const retryLater = { "retry-after": "2" };

/** The headers that belong to an error on every surface. */
export function errorHeaders({ code, details }: ApiError): Record<string, string> {
  if (typeof details.allow === "string") return { allow: details.allow };
  if (errorTable[code].http === 401) return { "www-authenticate": 'Bearer realm="toolthread"' };
  if (errorTable[code].http === 429) {
    return { "retry-after": String(details.retryAfterSeconds ?? 60) };
  }
  if (errorTable[code].http === 503) return retryLater;
  return {};
}
