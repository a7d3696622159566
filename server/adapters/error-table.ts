import { TRPCError } from "@trpc/server";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server/rpc";
import { type ErrorCode, type ErrorDetails, isToolthreadError } from "../core/errors.ts";
import { describeIssues } from "../core/issues.ts";

/** Refusals that come from a surface and not from the engine. */
export type SurfaceErrorCode =
  | "not_json"
  | "too_large"
  | "unsupported_media_type"
  | "session_expired"
  | "sign_on_unavailable"
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
  too_many_calls: row("TOO_MANY_REQUESTS", 429, -32029),
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
  server_unreachable: row("BAD_GATEWAY", 502, -32603),
  // These three are about a handler's code; they end up in a task's result, not in a response.
  ambiguous_step: row("INTERNAL_SERVER_ERROR", 500, -32603),
  replay_mismatch: row("INTERNAL_SERVER_ERROR", 500, -32603),
  non_retryable: row("INTERNAL_SERVER_ERROR", 500, -32603),

  not_json: row("PARSE_ERROR", 400, -32700),
  too_large: row("PAYLOAD_TOO_LARGE", 413, -32600),
  unsupported_media_type: row("UNSUPPORTED_MEDIA_TYPE", 415, -32600),
  sign_on_unavailable: row("SERVICE_UNAVAILABLE", 503, -32603),
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
    const { code, message, details } = thrown;
    return errorTable[code].http === 503
      ? withoutFile({ code, message, details })
      : { code, message, details };
  }
  // A zod error, told by what it has, because there may be more than one copy of zod.
  if (thrown instanceof Error && "issues" in thrown && Array.isArray(thrown.issues)) {
    const { issues, text } = describeIssues(thrown.issues);
    return { code: "invalid_input", message: text, details: { issues } };
  }
  if (thrown instanceof TRPCError) {
    const cause = toApiError(thrown.cause);
    // The causes of tRPC's own refusals are not ours, for example what JSON.parse threw.
    return cause.code === "internal" ? fromTrpc(thrown) : cause;
  }
  return unexpected;
}

/** Where the database lies is no business of callers; whoever runs the server has set it. */
function withoutFile({ code, message, details: { file, ...details } }: ApiError): ApiError {
  const told = typeof file === "string" ? message.replaceAll(` ${file}`, "") : message;
  return { code, message: told, details };
}

const unexpected: ApiError = {
  code: "internal",
  message: "The server made a mistake here; its log says more. Nothing was promised by this call.",
  details: {},
};

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
  if (!code) return unexpected;
  return { code, message: error.message, details: {} };
}
