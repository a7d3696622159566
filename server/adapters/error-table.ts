import { TRPCError } from "@trpc/server";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server/rpc";
import { type ErrorCode, type ErrorDetails, isToolthreadError } from "../core/errors.ts";

/** Refusals that come from a surface and not from the engine. */
export type SurfaceErrorCode =
  | "not_json"
  | "too_large"
  | "unsupported_media_type"
  | "session_expired"
  | "foreign_origin"
  | "unknown_host"
  | "unknown_route"
  | "method_not_allowed"
  | "client_gone"
  | "internal";

export type ApiErrorCode = ErrorCode | SurfaceErrorCode;

interface ErrorRow {
  trpc: TRPC_ERROR_CODE_KEY;
  http: number;
  jsonRpc: number;
}

function row(trpc: TRPC_ERROR_CODE_KEY, http: number, jsonRpc: number): ErrorRow {
  return { trpc, http, jsonRpc };
}

/** What each error code is on every surface. A code that is not here does not compile. */
export const errorTable: Readonly<Record<ApiErrorCode, ErrorRow>> = {
  task_not_found: row("NOT_FOUND", 404, -32004),
  unknown_task_type: row("BAD_REQUEST", 400, -32602),
  invalid_input: row("BAD_REQUEST", 400, -32602),
  invalid_params: row("BAD_REQUEST", 400, -32602),
  invalid_answer: row("BAD_REQUEST", 400, -32602),
  invalid_cursor: row("BAD_REQUEST", 400, -32602),
  conflict: row("CONFLICT", 409, -32009),
  idempotency_conflict: row("CONFLICT", 409, -32009),
  forbidden: row("FORBIDDEN", 403, -32003),
  unauthorized: row("UNAUTHORIZED", 401, -32001),
  too_many_attempts: row("TOO_MANY_REQUESTS", 429, -32029),
  task_cancelled: row("CONFLICT", 409, -32009),
  grant_refused: row("CONFLICT", 409, -32009),
  secret_unreadable: row("CONFLICT", 409, -32009),
  child_task_failed: row("CONFLICT", 409, -32009),
  task_timeout: row("TIMEOUT", 408, -32008),
  question_declined: row("CONFLICT", 409, -32009),
  lease_lost: row("CONFLICT", 409, -32009),
  shutting_down: row("SERVICE_UNAVAILABLE", 503, -32603),
  store_unavailable: row("SERVICE_UNAVAILABLE", 503, -32603),
  store_locked: row("SERVICE_UNAVAILABLE", 503, -32603),
  migration_refused: row("SERVICE_UNAVAILABLE", 503, -32603),
  // These three are about a handler's code; they end up in a task's result, not in a response.
  ambiguous_step: row("INTERNAL_SERVER_ERROR", 500, -32603),
  replay_mismatch: row("INTERNAL_SERVER_ERROR", 500, -32603),
  non_retryable: row("INTERNAL_SERVER_ERROR", 500, -32603),

  not_json: row("PARSE_ERROR", 400, -32700),
  too_large: row("PAYLOAD_TOO_LARGE", 413, -32600),
  unsupported_media_type: row("UNSUPPORTED_MEDIA_TYPE", 415, -32600),
  session_expired: row("UNAUTHORIZED", 401, -32001),
  foreign_origin: row("FORBIDDEN", 403, -32003),
  unknown_host: row("FORBIDDEN", 421, -32003),
  unknown_route: row("NOT_FOUND", 404, -32601),
  method_not_allowed: row("METHOD_NOT_SUPPORTED", 405, -32601),
  client_gone: row("CLIENT_CLOSED_REQUEST", 499, -32099),
  internal: row("INTERNAL_SERVER_ERROR", 500, -32603),
};

/** An error as callers are told of it. It never holds a stack or an unexpected error's words. */
export interface ApiError {
  code: ApiErrorCode;
  message: string;
  details: ErrorDetails;
}

/** A refusal by a surface: thrown by adapters, and translated like the engine's own errors. */
export class SurfaceError extends Error {
  readonly code: SurfaceErrorCode;
  readonly details: ErrorDetails;

  constructor(code: SurfaceErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = "SurfaceError";
    this.code = code;
    this.details = details;
  }
}

/** Translates anything thrown. What nobody expected becomes `internal`, with no detail at all. */
export function toApiError(thrown: unknown): ApiError {
  if (isToolthreadError(thrown) || thrown instanceof SurfaceError) {
    return { code: thrown.code, message: thrown.message, details: thrown.details };
  }
  const issues = issuesOf(thrown);
  if (issues) {
    return {
      code: "invalid_input",
      message: issues
        .map(({ path, message }) => (path ? `${path}: ${message}` : message))
        .join("; "),
      details: { issues },
    };
  }
  if (thrown instanceof TRPCError) {
    return thrown.cause && !isRefusalByTrpc(thrown) ? toApiError(thrown.cause) : fromTrpc(thrown);
  }
  return {
    code: "internal",
    message:
      "The server made a mistake here; its log says more. Nothing was promised by this call.",
    details: {},
  };
}

// tRPC puts the error of JSON.parse as the cause of its own refusal.
function isRefusalByTrpc(error: TRPCError): boolean {
  return error.code !== "INTERNAL_SERVER_ERROR" && error.cause instanceof SyntaxError;
}

const surfaceCodes: Partial<Record<TRPC_ERROR_CODE_KEY, ApiErrorCode>> = {
  PARSE_ERROR: "not_json",
  BAD_REQUEST: "invalid_input",
  NOT_FOUND: "unknown_route",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  PAYLOAD_TOO_LARGE: "too_large",
  CLIENT_CLOSED_REQUEST: "client_gone",
};

function fromTrpc(error: TRPCError): ApiError {
  const code = surfaceCodes[error.code];
  if (!code) return toApiError(null);
  return { code, message: error.message, details: {} };
}

/** The issues of a zod error, without depending on which copy of zod made it. */
function issuesOf(thrown: unknown): { path: string; message: string }[] | null {
  if (!(thrown instanceof Error) || !("issues" in thrown) || !Array.isArray(thrown.issues)) {
    return null;
  }
  return thrown.issues.map((issue: { path?: PropertyKey[]; message?: string }) => ({
    path: (issue.path ?? []).map(String).join("."),
    message: issue.message ?? "is not valid",
  }));
}
