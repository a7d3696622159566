import { z } from "zod";
import { addressBucket } from "../../identity/attempt-limiter.ts";
import type { Caller } from "../../identity/caller.ts";
import { SurfaceError } from "../error-table.ts";
import { email, personName } from "../trpc/identity-inputs.ts";
import { jsonResponse } from "./api-responses.ts";
import { type AuthCall, type AuthRoute, attemptFrom, byNobody, bySession } from "./auth-route.ts";
import type { SignInGate } from "./gate.ts";
import { otherWays } from "./other-ways.ts";
import { readJsonBody } from "./read-json.ts";
import { finishSignOn } from "./sign-on-callback.ts";

export const authRoot = "/api/auth";

const token = z.string().min(1).max(200);
const password = z.string().max(1000);
const entrantInput = z.strictObject({ token, name: personName, email, password });

/** How people come in and go: all of it, by its path below the root. All take POST and JSON. */
export const authRoutes = {
  ...otherWays,

  "/sign-in": byNobody(
    z.strictObject({ email: z.string().max(200), password }),
    async (call, input) => {
      const { identity, request, origin } = call;
      const cookies = await identity.sessions.signIn(input, request.headers, origin);
      return { body: {}, cookies };
    },
  ),

  /** What a link is for, so that a page can greet whoever came by it. */
  "/link": byNobody(z.strictObject({ token }), async (call, input) => {
    const link = await withLimit(call, () => call.identity.people.findLink(input.token));
    const body = link ? { kind: link.kind, email: link.email, role: link.role } : { kind: null };
    return { body, cookies: [] };
  }),

  "/set-up": byNobody(entrantInput, (call, input) => enter(call, "set_up", input)),

  "/accept-invite": byNobody(entrantInput, (call, input) => enter(call, "invite", input)),

  "/sign-out": bySession(z.strictObject({}).optional(), async (call, _, caller) => {
    const { identity, request } = call;
    return { body: {}, cookies: await identity.sessions.signOut(request.headers, caller) };
  }),

  /** Where one is signed in. */
  "/sessions": bySession(z.strictObject({}).optional(), async ({ identity }, _, caller) => ({
    body: { items: await identity.sessions.list(caller) },
    cookies: [],
  })),

  /** Ends one other session, or all others. */
  "/end-sessions": bySession(
    z.union([z.strictObject({ sessionId: token }), z.strictObject({ others: z.literal(true) })]),
    async ({ identity }, input, caller) => {
      const which = "others" in input ? "others" : { only: input.sessionId };
      return { body: { ended: await identity.sessions.endOwn(caller, which) }, cookies: [] };
    },
  ),

  "/change-password": bySession(
    z.strictObject({ currentPassword: password, newPassword: z.string().min(10).max(128) }),
    async ({ identity, request }, input, caller) => ({
      body: {},
      cookies: await identity.sessions.changePassword(input, request.headers, caller),
    }),
  ),
};

/** Answers a request below `/api/auth`. */
export async function handleAuth(
  path: string,
  call: AuthCall,
  gate: SignInGate,
): Promise<Response> {
  const { request, origin } = call;
  if (path === "/oidc/callback") return finishSignOn(call);
  const route = Object.hasOwn(authRoutes, path)
    ? (authRoutes[path as keyof typeof authRoutes] as AuthRoute<unknown, Caller | null>)
    : null;
  if (!route) throw new SurfaceError("unknown_route", `There is no ${authRoot}${path}.`);
  if (request.method !== "POST") {
    throw new SurfaceError("method_not_allowed", "This takes POST only.", { allow: "POST" });
  }
  const caller = route.rule === "session" ? await gate.person(request, origin) : null;
  const input = route.input.parse(await readJsonBody(request));
  const { body, cookies } = await route.answer(call, input, caller);
  return withCookies(jsonResponse(200, body), cookies, request.headers);
}

/** Sets cookies, for TLS only where the browser came over it. */
export function withCookies(response: Response, cookies: string[], headers: Headers): Response {
  for (const cookie of cookies) {
    const secure = cameOverTls(headers) && !/; *secure/i.test(cookie) ? "; Secure" : "";
    response.headers.append("set-cookie", cookie + secure);
  }
  return response;
}

// A proxy that ends TLS says so; a browser that talks to it says so by its Origin.
function cameOverTls(headers: Headers): boolean {
  return (
    headers.get("origin")?.startsWith("https:") === true ||
    headers.get("x-forwarded-proto")?.split(",")[0]?.trim() === "https"
  );
}

async function enter(
  call: AuthCall,
  kind: "set_up" | "invite",
  { token, ...entrant }: z.infer<typeof entrantInput>,
) {
  const { identity, request, origin } = call;
  await withLimit(call, async () => {
    const link = await identity.people.findLink(token);
    return link?.kind === kind ? link : null;
  });
  await identity.people.enter(kind, token, entrant, origin.address);
  const cookies = await identity.sessions.signIn(entrant, request.headers, origin);
  return { body: {}, cookies };
}

/** Counts looks at links that do not exist. @throws TooManyAttempts */
async function withLimit<T>(
  { identity, origin }: AuthCall,
  look: () => Promise<T | null>,
): Promise<T | null> {
  const bucket = addressBucket(origin.address);
  identity.linkLimiter.check(bucket, attemptFrom(origin));
  const found = identity.linkLimiter.count(bucket);
  const link = await look();
  if (link !== null) found();
  return link;
}
