import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { type ApiError, errorTable, SurfaceError, toApiError } from "../error-table.ts";
import { errorHeaders, jsonResponse } from "../http/api-responses.ts";
import { parseJson, readJsonBody } from "../http/read-json.ts";
import type { ApiContext } from "./api-context.ts";
import { appRouter } from "./app-router.ts";
import { callProcedure, errorOfCall, procedureTypeOf } from "./call-procedure.ts";

export const trpcEndpoint = "/api/trpc";

/** Calls one HTTP request may batch. */
const maxBatchSize = 50;

interface Call {
  /** The procedure's path, such as `tasks.get`; several with commas in a batch. */
  path: string;
  /** The query string, without the question mark. */
  query: string;
  context: ApiContext;
  onUnexpected(error: unknown): void;
}

/** Answers a request in tRPC's protocol. */
export function handleTrpc(request: Request, call: Call): Promise<Response> {
  const { path, query } = call;
  const type = procedureTypeOf(path);
  const isSingle = !/(^|&)batch=/.test(query) && !request.headers.has("trpc-accept");
  const response =
    isSingle && (type === "query" || type === "mutation")
      ? handleSingle(request, type, call)
      : handleByTrpc(request, call);
  return response.catch((error: unknown) =>
    trpcErrorResponse(errorOfCall(error, request.signal, call.onUnexpected), path),
  );
}

/** An error outside any procedure, in the form tRPC's clients understand. */
export function trpcErrorResponse(error: ApiError, path?: string): Response {
  const { http, trpc } = errorTable[error.code];
  const { code, details, message } = error;
  const data = { code, details, httpStatus: http, trpcCode: trpc, path };
  const body = { error: { message, code: TRPC_ERROR_CODES_BY_KEY[trpc], data } };
  return jsonResponse(http, body, errorHeaders(error));
}

/**
 * One call, no stream: nearly all requests that programs send. tRPC's adapter does it as well, and
 * at several times the cost in time, and in memory while a poll waits. For the same reason nothing
 * on the way of a waiting poll is an async function that could do without: each holds a frame.
 */
function handleSingle(
  request: Request,
  type: "query" | "mutation",
  { path, query, context }: Call,
): Promise<Response> {
  const allow = type === "query" ? "GET" : "POST";
  if (request.method !== allow) {
    const message = `${path} is a ${type}: send it with ${allow}.`;
    return Promise.reject(new SurfaceError("method_not_allowed", message, { allow }));
  }
  const called =
    type === "query"
      ? callProcedure(path, () => inputOf(query), context, request.signal)
      : callProcedure(path, () => readJsonBody(request), context, request.signal);
  return called.then(dataResponse);
}

function dataResponse(data: unknown): Response {
  return jsonResponse(200, { result: { data } });
}

function inputOf(query: string): unknown {
  const input = query === "" ? null : new URLSearchParams(query).get("input");
  return input === null || input === "" ? undefined : parseJson(input, "The input");
}

/** Batches, subscriptions and whatever else the protocol has. */
async function handleByTrpc(request: Request, { query, context, onUnexpected }: Call) {
  inputOf(query);
  let req = request;
  if (request.method === "POST") {
    const body = JSON.stringify(await readJsonBody(request));
    const { url, headers, signal } = request;
    req = new Request(url, { method: "POST", headers, body, signal });
  }
  return fetchRequestHandler({
    endpoint: trpcEndpoint,
    req,
    router: appRouter,
    createContext: () => context,
    maxBatchSize,
    onError: ({ error }) => {
      const isUnexpected = !request.signal.aborted && toApiError(error).code === "internal";
      if (isUnexpected) onUnexpected(error.cause ?? error);
    },
    // A stream has the headers that tRPC gives it, which also keep proxies from buffering it.
    responseMeta: ({ type, errors }) => {
      if (type === "subscription") return {};
      const ofErrors = errors.map((error) => errorHeaders(toApiError(error)));
      return { headers: new Headers(Object.assign({ "cache-control": "no-store" }, ...ofErrors)) };
    },
  });
}
