import { hasErrorCode } from "../../core/errors.ts";
import { addressBucket } from "../../identity/attempt-limiter.ts";
import type { Caller, CallOrigin } from "../../identity/caller.ts";
import { cookieNamed } from "../../identity/cookie-named.ts";
import type { Identity } from "../../identity/identity.ts";
import { SignOnRefused } from "../../identity/sign-on-refused.ts";
import type { SingleSignOn } from "../../identity/single-sign-on.ts";
import { SurfaceError } from "../error-table.ts";
import { attemptFrom } from "./auth-route.ts";

const callbackPath = "/api/auth/oidc/callback";

interface SignOnCall {
  identity: Identity;
  request: Request;
  origin: CallOrigin;
}

/**
 * Begins to sign in at the provider, or to connect an account there.
 *
 * @param next where to go afterwards, a path of ours.
 * @returns where the page is to go, and the cookie that tells this browser from others when it is back.
 */
export async function beginSignOn(
  { identity, request }: SignOnCall,
  next: string,
  connects: Caller | null,
): Promise<{ body: object; cookies: string[] }> {
  const signOn = signOnOf(identity);
  // The page's own origin, which was compared with Host: where the provider is to send it back to.
  const origin = request.headers.get("origin");
  if (origin === null) {
    throw new SurfaceError("foreign_origin", "Single sign-on begins on a page of this server.");
  }
  try {
    const redirectUri = `${origin}${callbackPath}`;
    const { url, key, kept } = await signOn.begin(redirectUri, next, connects?.actor.id ?? null);
    const life = `Path=${callbackPath}; HttpOnly; SameSite=Lax; Max-Age=${signOn.attemptSeconds}`;
    return { body: { url }, cookies: [`${cookieName(identity, key)}=${kept}; ${life}`] };
  } catch (error) {
    if (!(error instanceof SignOnRefused)) throw error;
    throw new SurfaceError(
      "sign_on_unavailable",
      `${signOn.name} cannot be reached at the moment. Try again, or sign in another way.`,
    );
  }
}

/** Answers a browser that comes back from the provider: it is sent on, signed in or with the reason. */
export async function finishSignOn({ identity, request, origin }: SignOnCall): Promise<Response> {
  const signOn = signOnOf(identity);
  if (request.method !== "GET") {
    throw new SurfaceError("method_not_allowed", "This takes GET only.", { allow: "GET" });
  }
  const { headers, url } = request;
  const query = url.slice(url.indexOf("?") + 1).split("#")[0] ?? "";
  const name = cookieName(identity, signOn.keyOfAnswer(new URLSearchParams(query)));
  const bucket = addressBucket(origin.address);
  const done = `${name}=; Path=${callbackPath}; HttpOnly; SameSite=Lax; Max-Age=0`;
  try {
    checkLimit(identity, bucket, origin);
    const succeeded = identity.signOnLimiter.count(bucket);
    const kept = cookieNamed(name, headers.get("cookie"));
    const caller = await callerOf(identity, headers, origin);
    const finished = await signOn.finish(kept, query, { headers, origin, caller });
    succeeded();
    const secure = finished.isTls ? "; Secure" : "";
    return redirect(finished.next, [done, ...finished.cookies.map((cookie) => cookie + secure)]);
  } catch (error) {
    if (!(error instanceof SignOnRefused)) throw error;
    const { reason, next } = error;
    // Whoever was connecting an account is signed in, and sees the reason where they began.
    const page = next.startsWith("/account") ? "/account" : "/sign-in";
    const told = new URLSearchParams(
      page === "/sign-in" ? { refused: reason, next } : { refused: reason },
    );
    return redirect(`${page}?${told}`, [done]);
  }
}

/** @throws SignOnRefused */
function checkLimit({ signOnLimiter }: Identity, bucket: string, origin: CallOrigin): void {
  try {
    signOnLimiter.check(bucket, attemptFrom(origin));
  } catch (error) {
    if (!hasErrorCode(error, "too_many_attempts")) throw error;
    throw new SignOnRefused("too_many_attempts");
  }
}

// By its cookie alone: the browser comes from another site, which for once is as it should be. What is
// done was begun on a page of ours, which the signed state proves.
async function callerOf(
  { sessions }: Identity,
  headers: Headers,
  origin: CallOrigin,
): Promise<Caller | null> {
  return sessions.authenticate(headers, origin).catch(() => null);
}

function redirect(location: string, cookies: string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

function cookieName({ sessions }: Identity, key: string): string {
  return `${sessions.cookiePrefix}.sign_on_${key}`;
}

/** @throws SurfaceError where there is no provider. */
function signOnOf({ signOn }: Identity): SingleSignOn {
  if (signOn) return signOn;
  throw new SurfaceError("unknown_route", "There is no single sign-on on this server.");
}
