import { TRPCClientError } from "@trpc/client";
import { InvalidInput, markToolthreadError, ServerUnreachable } from "../../core/errors.ts";

/** What went wrong with one call, and whether the very same call may be sent again. */
export interface CallFailure {
  error: Error;
  mayRepeat: boolean;
  /** Seconds to wait first, as the server said; null when it did not. */
  retryAfterSeconds: number | null;
}

// What a proxy answers while the server behind it is away.
const passingStatuses = new Set([429, 502, 503, 504]);

// What `fetch` says of an address that it sends nothing to.
const unusableAddress =
  /bad port|unknown scheme|HTTP\(S\) scheme|ERR_INVALID_URL|includes credentials/;

/** Reads what a call of tRPC's client threw. */
export function failureOf(thrown: unknown, url: string): CallFailure {
  if (!(thrown instanceof TRPCClientError)) return unreachable(thrown, url);
  const response = thrown.meta?.response as { status?: number; headers?: Headers } | undefined;
  const { code, details } = (thrown.data ?? {}) as { code?: string; details?: object };
  const retryAfterSeconds = secondsOf(response?.headers?.get("retry-after") ?? null);
  if (code !== undefined) {
    const error = toolthreadError(code, thrown.message, details);
    const mayRepeat = passingStatuses.has(response?.status ?? 0);
    return { error, mayRepeat, retryAfterSeconds };
  }
  return { ...unreachable(thrown, url, response?.status), retryAfterSeconds };
}

/** Reads a refusal of the REST API. */
export async function failureOfResponse(response: Response, url: string): Promise<CallFailure> {
  const retryAfterSeconds = secondsOf(response.headers.get("retry-after"));
  const body = (await response.json().catch(() => null)) as {
    code?: string;
    detail?: string;
    details?: object;
  } | null;
  if (typeof body?.code !== "string") {
    return { ...unreachable(null, url, response.status), retryAfterSeconds };
  }
  const error = toolthreadError(body.code, body.detail ?? body.code, body.details);
  return { error, mayRepeat: passingStatuses.has(response.status), retryAfterSeconds };
}

function unreachable(thrown: unknown, url: string, status?: number): CallFailure {
  const reason = reasonOf(thrown);
  if (status === undefined && unusableAddress.test(reason)) {
    const error = new InvalidInput(
      `Nothing can be sent to ${url}: ${reason}.`,
      {},
      { cause: thrown },
    );
    return { error, mayRepeat: false, retryAfterSeconds: null };
  }
  const why =
    status === undefined
      ? `does not answer: ${reason}`
      : `answered with status ${status}, and not as toolthread does`;
  const error = new ServerUnreachable(`The server at ${url} ${why}.`, {}, { cause: thrown });
  // Not found and the like come from something else at this address, and will again.
  const mayRepeat = status === undefined || passingStatuses.has(status);
  return { error, mayRepeat, retryAfterSeconds: null };
}

function reasonOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; depth < 5; depth += 1) {
    const { cause, code } = (error ?? {}) as { cause?: unknown; code?: unknown };
    if (typeof code === "string") return code;
    if (cause === undefined) return error instanceof Error ? error.message : String(error);
    error = cause;
  }
  return "no connection";
}

function toolthreadError(code: string, message: string, details: object = {}): Error {
  const error = markToolthreadError(new Error(message), code, { ...details });
  const name = code.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  Object.defineProperty(error, "name", { value: name, configurable: true });
  return error;
}

function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, (moment - Date.now()) / 1000);
}
