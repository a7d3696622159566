import { InvalidInput } from "../../core/errors.ts";
import { SurfaceError } from "../error-table.ts";
import { jsonResponse, problemResponse } from "../http/api-responses.ts";
import { hasBody, readJsonBody } from "../http/read-json.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { callProcedure, errorOfCall } from "../trpc/call-procedure.ts";
import { queryInput } from "./query-input.ts";
import type { RestRoute } from "./rest-route.ts";
import { restRoutes } from "./rest-routes.ts";

export const restRoot = "/api/v1";

interface Call {
  /** Below the root, beginning with a slash. */
  path: string;
  /** The query string, without the question mark. */
  query: string;
  context: ApiContext;
  onUnexpected(error: unknown): void;
}

/** Answers a request of the REST API: the procedures of tRPC, found by method and path. */
export function handleRest(request: Request, call: Call): Promise<Response> {
  if (call.path === "/openapi.json" && isReading(request)) return description(call.context.version);
  return callRoute(request, call).catch((error: unknown) =>
    problemResponse(errorOfCall(error, request.signal, call.onUnexpected)),
  );
}

async function description(version: string): Promise<Response> {
  const { openApiDocument } = await import("./openapi-document.ts");
  return jsonResponse(200, openApiDocument(version));
}

// While a poll waits, this frame is held, and so only one.
async function callRoute(request: Request, call: Call): Promise<Response> {
  const { path, query, context, onUnexpected } = call;
  const { route, params } = findRoute(request, path);
  if (route.content) {
    const input = { ...(await inputOf(request, route, params, query)) };
    return route.content.answer({ request, input, context, onUnexpected });
  }
  const result = await callProcedure(
    route.procedure,
    () => inputOf(request, route, params, query),
    context,
    request.signal,
  );
  const status = route.status?.(result) ?? 200;
  const location = status === 201 ? locationOf(result as { taskId: string }) : undefined;
  return jsonResponse(status, result, location);
}

function locationOf({ taskId }: { taskId: string }): { location: string } {
  return { location: `${restRoot}/tasks/${taskId}` };
}

function isReading(request: Request): boolean {
  return request.method === "GET" || request.method === "HEAD";
}

const patterns = restRoutes.map((route) => ({ route, segments: route.path.split("/") }));

/** @throws SurfaceError `unknown_route` or `method_not_allowed` */
function findRoute(request: Request, path: string) {
  const segments = path.replace(/\/$/, "").split("/");
  const matches = patterns.flatMap(({ route, segments: pattern }) => {
    const params = paramsOf(pattern, segments);
    return params ? [{ route, params }] : [];
  });
  const method = isReading(request) ? "GET" : request.method;
  const match = matches.find(({ route }) => route.method === method);
  if (match) return match;
  if (matches.length === 0) {
    throw new SurfaceError(
      "unknown_route",
      `There is no ${restRoot}${path.slice(0, 200)}. ${restRoot}/openapi.json lists what there is.`,
    );
  }
  const allow = matches.map(({ route }) => route.method).join(", ");
  throw new SurfaceError("method_not_allowed", `${path.slice(0, 200)} takes ${allow} only.`, {
    allow,
  });
}

function paramsOf(pattern: string[], segments: string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i] as string;
    if (!expected.startsWith("{")) {
      if (expected !== segment) return null;
    } else if (segment === "") {
      return null;
    } else {
      params[expected.slice(1, -1)] = decoded(segment);
    }
  }
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function inputOf(
  request: Request,
  { input: schema, method, headers = {} }: RestRoute,
  params: Record<string, string>,
  query: string,
): Promise<object | undefined> {
  if (!schema) return undefined;
  const given: object = method === "GET" ? queryInput(query, schema) : await bodyOf(request);
  for (const name of Object.keys(params)) {
    if (!Object.hasOwn(given, name)) continue;
    throw new InvalidInput(`${name} is in the path and must not be given twice.`);
  }
  return { ...given, ...fromHeaders(request, headers, given), ...params };
}

function fromHeaders(
  request: Request,
  headers: NonNullable<RestRoute["headers"]>,
  given: object,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [header, name] of Object.entries(headers)) {
    const text = name === null ? null : request.headers.get(header);
    if (name === null || text === null) continue;
    // The draft of the header has its value in quotes, which many leave out.
    const value = /^"(.*)"$/.exec(text)?.[1] ?? text;
    const other = (given as Record<string, unknown>)[name];
    if (other !== undefined && other !== value) {
      throw new InvalidInput(`${header} and ${name} in the body say different things.`);
    }
    found[name] = value;
  }
  return found;
}

async function bodyOf(request: Request): Promise<object> {
  const body = hasBody(request) ? await readJsonBody(request) : undefined;
  if (body === undefined) return {};
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new InvalidInput("The body must be a JSON object.");
}
