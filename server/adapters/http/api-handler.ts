import type { Actor } from "../../core/actor.ts";
import { isToolthreadError } from "../../core/errors.ts";
import type { Timestamp } from "../../core/timestamp.ts";
import type { EngineLog } from "../../engine/engine-log.ts";
import type { TaskManager } from "../../engine/task-manager.ts";
import { type ApiError, SurfaceError, toApiError } from "../error-table.ts";
import { handleRest, restRoot } from "../rest/handle-rest.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { handleTrpc, trpcEndpoint, trpcErrorResponse } from "../trpc/handle-trpc.ts";
import { type AccessRules, isFromOwnPage } from "./access-rules.ts";
import { jsonResponse, problemResponse, retryLater } from "./api-responses.ts";
import { identify } from "./identify.ts";
import type { SessionCookies } from "./session-cookies.ts";

/** What the API is made of; the runtime puts it together. */
export interface ApiParts {
  manager: TaskManager;
  version: string;
  startedAt: Timestamp;
  /** Aborts when the server begins to close. */
  closing: AbortSignal;
  access: AccessRules;
  apiKey: string | null;
  sessions: SessionCookies;
  log: EngineLog;
}

/** Answers a request below `/api`. It never throws. */
export type ApiHandler = (request: Request) => Promise<Response>;

/** The whole API as one web function, for the Node server and for Next's routes alike. */
export function createApiHandler(parts: ApiParts): ApiHandler {
  const onUnexpected = (error: unknown) => report(parts.log, error);
  return (request) => {
    const { path, query } = splitUrl(request.url);
    try {
      parts.access.checkHost(request.headers);
      parts.access.checkOrigin(request.headers);
      if (isBelow(path, trpcEndpoint)) {
        const context = contextOf(parts, identify(request.headers, "trpc", parts));
        const below = path.slice(trpcEndpoint.length + 1);
        return handleTrpc(request, { path: below, query, context, onUnexpected });
      }
      if (isBelow(path, restRoot)) {
        const context = contextOf(parts, identify(request.headers, "rest", parts));
        const below = path.slice(restRoot.length);
        return handleRest(request, { path: below, query, context, onUnexpected });
      }
      if (path === "/api/health") return health(request, parts);
      if (path === "/api/session") return Promise.resolve(openSession(request, parts));
      throw new SurfaceError("unknown_route", `There is no ${path.slice(0, 200)}.`);
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code === "internal") onUnexpected(thrown);
      return Promise.resolve(errorResponse(path, error));
    }
  };
}

function errorResponse(path: string, error: ApiError): Response {
  return isBelow(path, trpcEndpoint) ? trpcErrorResponse(error) : problemResponse(error);
}

function contextOf(parts: ApiParts, actor: Actor): ApiContext {
  const { manager, version, startedAt } = parts;
  return { manager, version, startedAt, actor, hold: (wait) => wait };
}

function report(log: EngineLog, error: unknown): void {
  log.error("A request failed unexpectedly", {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}

/** Whether the process is alive and its store can be read and written. Needs no key. */
function health(request: Request, { manager, closing, version }: ApiParts): Promise<Response> {
  allowOnly(request, "GET", "HEAD");
  const unwell = (body: object) => jsonResponse(503, { ...body, version }, retryLater);
  if (closing.aborted) return Promise.resolve(unwell({ status: "closing" }));
  return manager.ping().then(
    () => jsonResponse(200, { status: "ok", version }),
    // The reason and not the message, which names files.
    (error: unknown) => unwell({ status: "store_unavailable", reason: reasonOf(error) }),
  );
}

function reasonOf(error: unknown): string | null {
  const reason = isToolthreadError(error) ? error.details.reason : null;
  return typeof reason === "string" ? reason : null;
}

/** Gives the pages their session. A program has no use for it: it is not a way around the key. */
function openSession(request: Request, { sessions }: ApiParts): Response {
  allowOnly(request, "POST");
  const { headers } = request;
  if (!isFromOwnPage(headers)) {
    throw new SurfaceError("foreign_origin", "Sessions are for the pages of this server only.");
  }
  const secure = headers.get("origin")?.startsWith("https:") ?? false;
  return jsonResponse(200, { kind: "operator" }, { "set-cookie": sessions.issue({ secure }) });
}

function allowOnly(request: Request, ...methods: string[]): void {
  if (methods.includes(request.method)) return;
  throw new SurfaceError("method_not_allowed", `This takes ${methods.join(" or ")} only.`, {
    allow: methods.join(", "),
  });
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(root) && path[root.length] === "/";
}

// Much cheaper than a URL object, which nothing else here needs.
function splitUrl(url: string): { path: string; query: string } {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const mark = url.indexOf("?", start);
  return mark === -1
    ? { path: url.slice(start, end), query: "" }
    : { path: url.slice(start, mark), query: url.slice(mark + 1, end) };
}
