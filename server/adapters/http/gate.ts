import { Access } from "../../core/access.ts";
import type { Actor } from "../../core/actor.ts";
import { Unauthorized } from "../../core/errors.ts";
import { allScopes } from "../../core/permission.ts";
import { type Caller, type CallOrigin, programCaller } from "../../identity/caller.ts";
import type { Identity } from "../../identity/identity.ts";
import { SurfaceError } from "../error-table.ts";
import { isFromOwnPage } from "./access-rules.ts";
import { isEqualText, type SessionCookies } from "./session-cookies.ts";

/** A surface of the API over HTTP. The command line is one that says so itself. */
export type HttpSurface = "trpc" | "rest" | "mcp" | "cli";

/** Says who sends a request. */
export interface Gate {
  /**
   * @throws Unauthorized without an identity, or with one that does not count.
   * @throws TooManyAttempts, TooManyCalls, SurfaceError `foreign_origin` for a session a foreign page makes use of.
   */
  identify(request: Request, surface: HttpSurface, origin: CallOrigin): Caller | Promise<Caller>;
}

/** People sign in, agents have keys. */
export class SignInGate implements Gate {
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  async identify(request: Request, surface: HttpSurface, origin: CallOrigin): Promise<Caller> {
    const caller = await this.#callerOf(request, surface, origin);
    await this.#identity.callLimits?.take(caller.actor.id);
    return caller;
  }

  #callerOf(request: Request, surface: HttpSurface, origin: CallOrigin): Caller | Promise<Caller> {
    const authorization = request.headers.get("authorization");
    if (authorization !== null) {
      return this.#identity.keys.authenticate(bearerOf(authorization), surface, origin);
    }
    return this.person(request, origin);
  }

  /** The person whose session a request has. */
  async person(request: Request, origin: CallOrigin): Promise<Caller> {
    const { sessions } = this.#identity;
    if (!sessions.hasCookie(request.headers)) {
      throw new Unauthorized(
        "Sign in, or send an agent's key as `Authorization: Bearer KEY`. " +
          "Keys are made in the dashboard, under Agent keys.",
      );
    }
    checkSender(request);
    const caller = await sessions.authenticate(request.headers, origin);
    if (caller) return caller;
    throw new Unauthorized("This session has ended. Sign in again.");
  }
}

const operatorActor: Actor = {
  kind: "operator",
  id: "operator",
  name: "Operator",
  surface: "dashboard",
};

const operator: Caller = {
  actor: operatorActor,
  access: new Access({ kind: "person", role: "admin", groups: [] }),
  role: "admin",
  groups: [],
  email: null,
  handles: [],
  identifiedAt: 0,
  expiresAt: null,
};

const localAgents = agentOn("local", "local program");
const keyAgents = agentOn("api-key", "agent with the API key");

function agentOn(id: string, name: string): Record<HttpSurface, Caller> {
  const access = new Access({ kind: "key", keyId: id, scopes: allScopes, owner: null });
  const on = (surface: HttpSurface) => programCaller({ kind: "agent", id, name, surface }, access);
  return { trpc: on("trpc"), rest: on("rest"), mcp: on("mcp"), cli: on("cli") };
}

/**
 * Nobody signs in (`TOOLTHREAD_AUTH=none`): our own pages are the operator, everything else on this
 * machine is an agent. For a loopback address only, which the settings see to.
 */
export class OpenGate implements Gate {
  readonly sessions: SessionCookies;
  readonly #apiKey: string | null;

  constructor(sessions: SessionCookies, apiKey: string | null) {
    this.sessions = sessions;
    this.#apiKey = apiKey;
  }

  identify(request: Request, surface: HttpSurface, { address }: CallOrigin): Caller {
    const caller = this.#callerOf(request, surface);
    return { ...caller, actor: { ...caller.actor, address } };
  }

  #callerOf(request: Request, surface: HttpSurface): Caller {
    const { headers } = request;
    const authorization = headers.get("authorization");
    if (authorization !== null) return this.#agentWithKey(bearerOf(authorization), surface);
    const session = this.sessions.check(headers.get("cookie"));
    if (session === "valid") {
      checkSender(request);
      return operator;
    }
    if (session === "invalid") {
      throw new SurfaceError("session_expired", "This session has ended. Ask for another one.");
    }
    if (this.#apiKey !== null) {
      throw new Unauthorized("An API key is needed here: send it as `Authorization: Bearer KEY`.");
    }
    return localAgents[surface];
  }

  #agentWithKey(key: string, surface: HttpSurface): Caller {
    if (this.#apiKey === null) {
      throw new Unauthorized(
        "A key was sent, and this server has none: set TOOLTHREAD_API_KEY, or send no key.",
      );
    }
    if (isEqualText(key, this.#apiKey)) return keyAgents[surface];
    throw new Unauthorized("This API key is not the one set for this server.");
  }
}

function bearerOf(authorization: string): string {
  const key = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (key !== undefined) return key;
  throw new Unauthorized("The Authorization header must be `Bearer KEY`.");
}

/**
 * A session is for our own pages. What changes something must come from one for certain: browsers
 * say so with every such request. What only reads may lack the word, as when an address is typed.
 *
 * @throws SurfaceError `foreign_origin`
 */
function checkSender({ method, headers }: Request): void {
  const isReading = method === "GET" || method === "HEAD";
  const saysNothing = !headers.has("sec-fetch-site") && !headers.has("origin");
  if (isReading && (saysNothing || headers.get("sec-fetch-site") === "none")) return;
  if (isFromOwnPage(headers)) return;
  throw new SurfaceError("foreign_origin", "Only the pages of this server may use its session.");
}
