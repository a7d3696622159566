import type { Actor } from "../../core/actor.ts";
import { SurfaceError } from "../error-table.ts";
import { isFromOwnPage } from "./access-rules.ts";
import { isEqualText, type SessionCookies } from "./session-cookies.ts";

const operator: Actor = {
  kind: "operator",
  id: "operator",
  name: "Operator",
  surface: "dashboard",
};

// One object for all requests, of which thousands may wait at once.
const localAgents = agentOn("local", "local program");
const keyAgents = agentOn("api-key", "agent with the API key");

function agentOn(id: string, name: string) {
  const agent = { kind: "agent", id, name } as const;
  return {
    trpc: { ...agent, surface: "trpc" },
    rest: { ...agent, surface: "rest" },
  } satisfies Record<string, Actor>;
}

export interface Identification {
  apiKey: string | null;
  sessions: SessionCookies;
}

/**
 * Says who sends a request: with the API key an agent; with a session, from one of our pages, the
 * operator; with neither an agent of this machine, as long as no API key is set.
 *
 * @throws SurfaceError `unauthorized` for a wrong or missing key, `session_expired` for a session
 *   that no longer counts, `foreign_origin` for a session that a foreign page makes use of.
 */
export function identify(
  headers: Headers,
  surface: "trpc" | "rest",
  { apiKey, sessions }: Identification,
): Actor {
  const authorization = headers.get("authorization");
  if (authorization !== null) return agentWithKey(authorization, surface, apiKey);
  const session = sessions.check(headers.get("cookie"));
  if (session === "valid") {
    checkSender(headers);
    return operator;
  }
  if (session === "invalid") {
    throw new SurfaceError("session_expired", "This session has ended. Ask for another one.");
  }
  if (apiKey !== null) {
    throw new SurfaceError(
      "unauthorized",
      "An API key is needed here: send it as `Authorization: Bearer KEY`.",
    );
  }
  return localAgents[surface];
}

function agentWithKey(
  authorization: string,
  surface: "trpc" | "rest",
  apiKey: string | null,
): Actor {
  const key = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (key === undefined) {
    throw new SurfaceError("unauthorized", "The Authorization header must be `Bearer KEY`.");
  }
  if (apiKey === null) {
    throw new SurfaceError(
      "unauthorized",
      "A key was sent, and this server has none: set TOOLTHREAD_API_KEY, or send no key.",
    );
  }
  if (!isEqualText(key, apiKey)) {
    throw new SurfaceError("unauthorized", "This API key is not the one set for this server.");
  }
  return keyAgents[surface];
}

// A page on another port of this host is same-site, so its requests bring the cookie along.
function checkSender(headers: Headers): void {
  if (!headers.has("sec-fetch-site") && !headers.has("origin")) return;
  if (headers.get("sec-fetch-site") === "none" || isFromOwnPage(headers)) return;
  throw new SurfaceError("foreign_origin", "Only the pages of this server may use its session.");
}
