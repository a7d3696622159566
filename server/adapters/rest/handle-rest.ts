import { InvalidInput } from "../../core/errors.ts";
import { systemInstructions } from "../agent-tools/system-instructions.ts";
import { SurfaceError } from "../error-table.ts";
import { jsonResponse, problemResponse } from "../http/api-responses.ts";
import { hasBody, readJsonBody } from "../http/read-json.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { callProcedure, errorOfCall } from "../trpc/call-procedure.ts";
import { auditExportPath, exportAudit } from "./audit-export.ts";
import { queryInput } from "./query-input.ts";
import { type RestRoute, restRoutes } from "./rest-routes.ts";
import { exportTimeline, timelineExportPath } from "./timeline-export.ts";

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
  if (call.path === "/instructions" && isReading(request)) return instructions(call.context);
  const answer = request.method === "GET" ? download(request, call) : callRoute(request, call);
  return answer.catch((error: unknown) =>
    problemResponse(errorOfCall(error, request.signal, call.onUnexpected)),
  );
}

/** What is a file to save and not one JSON value, or else the route. */
function download(request: Request, call: Call): Promise<Response> {
  const { path, query, context } = call;
  if (path === auditExportPath) return exportAudit(request, query, context);
  const taskId = timelineExportPath.exec(path)?.[1];
  if (taskId === undefined) return callRoute(request, call);
  return exportTimeline(request, decoded(taskId), query, context);
}

async function description(version: string): Promise<Response> {
  const { openApiDocument } = await import("./openapi-document.ts");
  return jsonResponse(200, openApiDocument(version));
}

/** What an agent's system prompt says about the tools and the task types this caller may start. */
async function instructions({ tasks }: ApiContext): Promise<Response> {
  return new Response(systemInstructions(tasks.taskTypes()), {
    headers: { "content-type": "text/markdown; charset=utf-8", "cache-control": "no-store" },
  });
}

// While a poll waits, this frame is held, and so only one.
async function callRoute(request: Request, { path, query, context }: Call): Promise<Response> {
  const { route, params } = findRoute(request, path);
  const result = await callProcedure(
    route.procedure,
    () => inputOf(request, route, params, query),
    context,
    request.signal,
  );
  const status = route.status(result);
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
  { input: schema, method }: RestRoute,
  params: Record<string, string>,
  query: string,
): Promise<unknown> {
  if (!schema) return undefined;
  const given = method === "GET" ? queryInput(query, schema) : await bodyOf(request);
  for (const name of Object.keys(params)) {
    if (!Object.hasOwn(given, name)) continue;
    throw new InvalidInput(`${name} is in the path and must not be given twice.`);
  }
  return { ...given, ...params };
}

async function bodyOf(request: Request): Promise<object> {
  const body = hasBody(request) ? await readJsonBody(request) : undefined;
  if (body === undefined) return {};
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new InvalidInput("The body must be a JSON object.");
}
