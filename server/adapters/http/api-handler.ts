import { Forbidden, isToolthreadError } from "../../core/errors.ts";
import { systemClock } from "../../core/system-clock.ts";
import { type Timestamp, toTimestamp } from "../../core/timestamp.ts";
import type { EngineLog } from "../../engine/engine-log.ts";
import type { TaskManager } from "../../engine/task-manager.ts";
import type { Caller, CallOrigin } from "../../identity/caller.ts";
import { CallersTasks } from "../../identity/callers-tasks.ts";
import type { Identity } from "../../identity/identity.ts";
import type { ServerMetrics } from "../../metrics/server-metrics.ts";
import type { PushSender } from "../../push/push-sender.ts";
import { isCommandLine } from "../client/surface-header.ts";
import { type ApiError, SurfaceError, toApiError } from "../error-table.ts";
import type { McpHandler } from "../mcp/handle-mcp.ts";
import { mcpEndpoint, mcpErrorResponse } from "../mcp/mcp-error-response.ts";
import { handleRest, restRoot } from "../rest/handle-rest.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { handleTrpc, trpcEndpoint, trpcErrorResponse } from "../trpc/handle-trpc.ts";
import { type AccessRules, isFromOwnPage } from "./access-rules.ts";
import { jsonResponse, problemResponse, retryLater } from "./api-responses.ts";
import { authRoot, handleAuth, withCookies } from "./auth-routes.ts";
import { OpenGate, SignInGate } from "./gate.ts";
import { SessionCookies } from "./session-cookies.ts";

/** What the API is made of; the runtime puts it together. */
export interface ApiParts {
  manager: TaskManager;
  version: string;
  startedAt: Timestamp;
  /** Aborts when the server begins to close. */
  closing: AbortSignal;
  access: AccessRules;
  /** Who there is; or, where nobody signs in, what tells our pages from programs. */
  identity: Identity | OpenIdentity;
  metrics: ServerMetrics;
  /** Tells browsers of questions; null where it cannot. */
  push: PushSender | null;
  log: EngineLog;
}

/** For a server on which nobody signs in. */
export interface OpenIdentity {
  /** What programs must send; null lets them in without. */
  apiKey: string | null;
  /** Signs the cookie of our pages. */
  secret: string;
}

/** Answers a request below `/api`. It never throws. */
export type ApiHandler = (request: Request, origin?: CallOrigin) => Promise<Response>;

const nowhere: CallOrigin = { address: null };

/** The whole API as one web function, for the Node server and for Next's routes alike. */
export function createApiHandler(parts: ApiParts): ApiHandler {
  const reporter =
    ({ requestId }: CallOrigin) =>
    (error: unknown) =>
      report(parts.log, error, requestId);
  const door = doorOf(parts);
  const limits = door.identity?.callLimits ?? null;
  const callFrom = (request: Request, origin: CallOrigin, path: string, query: string) => {
    const surface = isBelow(path, trpcEndpoint) ? "trpc" : "rest";
    const answer = (caller: Caller) => {
      const context = contextOf(parts, door, caller);
      const call = { query, context, onUnexpected: reporter(origin) };
      return surface === "trpc"
        ? handleTrpc(request, { ...call, path: path.slice(trpcEndpoint.length + 1) })
        : handleRest(request, { ...call, path: path.slice(restRoot.length) });
    };
    const named = isCommandLine(request.headers) ? "cli" : surface;
    const caller = door.gate.identify(request, named, origin);
    // Not awaited: a frame would be held for as long as a poll waits.
    return caller instanceof Promise ? caller.then(answer) : answer(caller);
  };
  // The protocol's library is large, and many servers are never asked for it.
  let mcp: Promise<McpHandler> | null = null;
  const callMcp = async (request: Request, origin: CallOrigin) => {
    const caller = await door.gate.identify(request, "mcp", origin);
    mcp ??= import("../mcp/handle-mcp.ts").then((module) => module.createMcp(parts.closing));
    const handle = await mcp;
    return handle(request, {
      context: contextOf(parts, door, caller),
      onUnexpected: reporter(origin),
    });
  };
  const route = (request: Request, origin: CallOrigin, path: string, query: string) => {
    parts.access.checkHost(request.headers);
    parts.access.checkOrigin(request.headers);
    if (isBelow(path, trpcEndpoint) || isBelow(path, restRoot)) {
      return callFrom(request, origin, path, query);
    }
    if (path === mcpEndpoint) return callMcp(request, origin);
    if (isBelow(path, authRoot) && door.identity) {
      const call = { identity: door.identity, request, origin };
      return handleAuth(path.slice(authRoot.length), call, door.gate);
    }
    if (path === "/api/health") return health(request, parts);
    if (path === "/api/metrics") return metrics(request, origin, parts, door);
    if (path === "/api/session") return openSession(request, origin, door);
    throw new SurfaceError("unknown_route", `There is no ${path.slice(0, 200)}.`);
  };
  return (request, origin = nowhere) => {
    const { path, query } = splitUrl(request.url);
    const refuse = (thrown: unknown) => {
      const error = toApiError(thrown);
      if (error.code === "internal") reporter(origin)(thrown);
      return errorResponse(path, error);
    };
    const answer = () => route(request, origin, path, query);
    try {
      const admitted = limits?.takeFrom(origin.address);
      return (admitted ? admitted.then(answer) : answer()).catch(refuse);
    } catch (thrown) {
      return Promise.resolve(refuse(thrown));
    }
  };
}

/** How callers are told apart, with what belongs to each way. */
type Door = { gate: SignInGate; identity: Identity } | { gate: OpenGate; identity: null };

function doorOf({ identity }: ApiParts): Door {
  if (!("apiKey" in identity)) return { gate: new SignInGate(identity), identity };
  const sessions = new SessionCookies(identity.secret);
  return { gate: new OpenGate(sessions, identity.apiKey), identity: null };
}

function errorResponse(path: string, error: ApiError): Response {
  if (path === mcpEndpoint) return mcpErrorResponse(error);
  return isBelow(path, trpcEndpoint) ? trpcErrorResponse(error) : problemResponse(error);
}

function contextOf(parts: ApiParts, { identity }: Door, caller: Caller): ApiContext {
  const { manager, push, version, startedAt } = parts;
  const tasks = new CallersTasks(manager, caller, identity?.openCalls ?? null);
  return { caller, tasks, identity, push, version, startedAt, hold: (wait) => wait };
}

function report(log: EngineLog, error: unknown, requestId: string | undefined): void {
  log.error("A request failed unexpectedly", {
    requestId,
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

/** What a scraper reads; about all task types, whoever may see their tasks. */
async function metrics(
  request: Request,
  origin: CallOrigin,
  { manager, metrics }: ApiParts,
  { gate }: Door,
): Promise<Response> {
  allowOnly(request, "GET", "HEAD");
  const { access } = await gate.identify(request, "rest", origin);
  if (!access.may("metrics:read")) {
    throw new Forbidden("Metrics are for admins, and for keys with the scope metrics:read.");
  }
  const { text, contentType } = await metrics.read(manager, toTimestamp(systemClock.now()));
  return new Response(text, {
    headers: { "content-type": contentType, "cache-control": "no-store" },
  });
}

function reasonOf(error: unknown): string | null {
  const reason = isToolthreadError(error) ? error.details.reason : null;
  return typeof reason === "string" ? reason : null;
}

/**
 * Tells a page who is signed in, and extends the session. Where nobody signs in, gives the pages
 * their session; a program has no use for that one: it is not a way around the key.
 */
async function openSession(request: Request, origin: CallOrigin, door: Door): Promise<Response> {
  allowOnly(request, "POST");
  const { headers } = request;
  if (door.identity) {
    const { actor } = await door.gate.person(request, origin);
    const cookies = await door.identity.sessions.touch(headers);
    return withCookies(jsonResponse(200, { kind: "operator", id: actor.id }), cookies, headers);
  }
  if (!isFromOwnPage(headers)) {
    throw new SurfaceError("foreign_origin", "Sessions are for the pages of this server only.");
  }
  const secure = headers.get("origin")?.startsWith("https:") ?? false;
  const cookie = door.gate.sessions.issue({ secure });
  return jsonResponse(200, { kind: "operator" }, { "set-cookie": cookie });
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
