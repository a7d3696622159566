import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type AccessRules, unknownHost } from "./adapters/http/access-rules.ts";
import type { ApiHandler } from "./adapters/http/api-handler.ts";
import { problemResponse } from "./adapters/http/api-responses.ts";
import { maxPollSeconds } from "./adapters/trpc/input-schemas.ts";

// A connection must outlast the longest poll that it carries, and the pause before the next one;
// otherwise a client sends into a connection that is just being closed.
const keepAliveSeconds = maxPollSeconds + 15;
const headersSeconds = keepAliveSeconds + 5;
const requestSeconds = headersSeconds + 40;

export interface NodeServerParts {
  handleApi: ApiHandler;
  access: AccessRules;
  /** Answers what is not below `/api`. */
  handlePage(request: IncomingMessage, response: ServerResponse): unknown;
}

/** The HTTP server: the API straight from its handler, everything else from the pages. */
export function createNodeServer({ handleApi, access, handlePage }: NodeServerParts): Server {
  const listener = getRequestListener((request) => handleApi(request));
  const refuseHost = getRequestListener(({ headers }) =>
    problemResponse(unknownHost(headers.get("host"))),
  );
  return createServer(
    {
      keepAliveTimeout: keepAliveSeconds * 1000,
      headersTimeout: headersSeconds * 1000,
      requestTimeout: requestSeconds * 1000,
    },
    (request, response) => {
      if (request.url?.startsWith("/api/")) return listener(request, response);
      if (!access.isKnownHost(request.headers.host)) return refuseHost(request, response);
      return handlePage(request, response);
    },
  );
}

/**
 * Starts to listen.
 *
 * @throws the error of `listen`, for example with code `EADDRINUSE`.
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as { port: number }).port);
    });
  });
}

/**
 * Takes no more connections, and resolves when those there are have ended: each after the response
 * that is under way, all of them after `graceSeconds`.
 */
export function closeServer(server: Server, graceSeconds: number): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
    const closeAll = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
    server.close(() => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
      resolve();
    });
  });
}
