import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { SurfaceError, toApiError } from "./adapters/error-table.ts";
import { type AccessRules, unknownHost } from "./adapters/http/access-rules.ts";
import type { ApiHandler } from "./adapters/http/api-handler.ts";
import { problemResponse } from "./adapters/http/api-responses.ts";
import { maxPollSeconds } from "./adapters/trpc/input-schemas.ts";
import { dataPolicy, securityHeaders, tlsHeaders } from "./security-headers.ts";
import type { ServerLog } from "./server-log.ts";

// A connection must outlast the longest poll that it carries, and the pause before the next one;
// otherwise a client sends into a connection that is just being closed.
const keepAliveSeconds = maxPollSeconds + 15;
const headersSeconds = keepAliveSeconds + 5;
const requestSeconds = headersSeconds + 40;

const requestIdHeader = "x-request-id";

export interface NodeServerParts {
  handleApi: ApiHandler;
  access: AccessRules;
  /** Told of each request that was answered; none is told when not given. */
  log?: Pick<ServerLog, "answered">;
  /** Proxies in front; none when not given. */
  proxies?: number;
  /** Answers what is not below `/api`. */
  handlePage(request: IncomingMessage, response: ServerResponse): unknown;
}

export interface NodeServer {
  http: Server;
  /**
   * @returns the port, which is another one than asked for if that was 0.
   * @throws the error of Node's `listen`, for example with code `EADDRINUSE`.
   */
  listen(port: number, host: string): Promise<number>;
  /**
   * Takes no more connections, and resolves when the last response is out; after `graceSeconds`
   * those that are not yet out are cut.
   */
  close(graceSeconds: number): Promise<void>;
}

/** The HTTP server: the API straight from its handler, everything else from the pages. */
export function createNodeServer(parts: NodeServerParts): NodeServer {
  const { handleApi, access, handlePage, log, proxies = 0 } = parts;
  const handle = getRequestListener((request, { incoming, outgoing }) =>
    handleApi(request, {
      address: addressOf(incoming as IncomingMessage, proxies),
      requestId: outgoing.getHeader(requestIdHeader) as string,
    }),
  );
  const refuseHost = getRequestListener(({ headers }) =>
    problemResponse(toApiError(unknownHost(headers.get("host")))),
  );
  const refusePath = getRequestListener(() =>
    problemResponse(toApiError(new SurfaceError("unknown_route", "This is no path of a page."))),
  );
  let responsesUnderWay = 0;
  let onLastResponse: (() => void) | null = null;
  const onResponseOver = () => {
    responsesUnderWay--;
    if (responsesUnderWay === 0) onLastResponse?.();
  };
  const http = createServer(
    {
      keepAliveTimeout: keepAliveSeconds * 1000,
      headersTimeout: headersSeconds * 1000,
      requestTimeout: requestSeconds * 1000,
    },
    (request, response) => {
      responsesUnderWay++;
      response.on("close", onResponseOver);
      request.url = pathOf(request.url ?? "/");
      const requestId = requestIdOf(request);
      response.setHeader(requestIdHeader, requestId);
      if (log) logWhenOver(log, request, response, { requestId, proxies });
      setHeaders(response, securityHeaders);
      if (isOverTls(request, proxies)) setHeaders(response, tlsHeaders);
      if (request.url.startsWith("/api/")) {
        response.setHeader("content-security-policy", dataPolicy);
        return handle(request, response);
      }
      if (!access.isKnownHost(request.headers.host)) return refuseHost(request, response);
      if (!isPagePath(request.url)) return refusePath(request, response);
      return handlePage(request, response);
    },
  );
  return {
    http,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        http.once("error", reject);
        http.listen(port, host, () => {
          http.off("error", reject);
          resolve((http.address() as AddressInfo).port);
        });
      }),
    close: (graceSeconds) =>
      new Promise((resolve) => {
        // Node would wait for connections that have no response to wait for: those that browsers
        // open in advance, and those that became web sockets.
        const finish = () => {
          clearTimeout(timer);
          http.closeAllConnections();
          resolve();
        };
        const timer = setTimeout(finish, graceSeconds * 1000);
        http.close();
        onLastResponse = finish;
        if (responsesUnderWay === 0) finish();
      }),
  };
}

/** The one a proxy or client gave, so that its log and ours can be held against each other, or our own. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[requestIdHeader];
  return typeof given === "string" && /^[\w.:-]{8,100}$/.test(given) ? given : randomUUID();
}

function logWhenOver(
  log: Pick<ServerLog, "answered">,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, proxies }: { requestId: string; proxies: number },
): void {
  const began = performance.now();
  const { method = "", url = "" } = request;
  const address = addressOf(request, proxies);
  response.on("close", () => {
    log.answered({
      requestId,
      method,
      path: url.split("?", 1)[0] as string,
      status: response.statusCode,
      seconds: (performance.now() - began) / 1000,
      address,
    });
  });
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) response.setHeader(name, headers[name] as string);
}

/** The entries of a header to which each proxy adds one. */
function listIn(header: string | string[] | undefined): string[] {
  const entries = [header ?? []].flat().join(",").split(",");
  return entries.map((entry) => entry.trim());
}

/** Whether the proxy next to us, if there is one, was reached over TLS; without one we speak none. */
function isOverTls({ headers }: IncomingMessage, proxies: number): boolean {
  if (proxies === 0) return false;
  return listIn(headers["x-forwarded-proto"]).at(-1) === "https";
}

/** The target of a request without the origin that it may begin with, and that Host tells as well. */
function pathOf(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, "/");
}

/** Next takes what cannot be decoded, and the `*` of OPTIONS, for a mistake of its own. */
function isPagePath(path: string): boolean {
  try {
    return decodeURI(path).startsWith("/");
  } catch {
    return false;
  }
}

/**
 * The address of whoever sent a request. A header can say anything; only its last entries, which our
 * own proxies added, are to be believed.
 */
function addressOf({ socket, headers }: IncomingMessage, proxies: number): string | null {
  const told = proxies > 0 ? listIn(headers["x-forwarded-for"]).at(-proxies) : undefined;
  return (told || socket.remoteAddress)?.replace(/^::ffff:/, "") ?? null;
}
