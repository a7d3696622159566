import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { hasErrorCode } from "../../core/errors.ts";
import { ownPath } from "../../core/own-path.ts";
import { addressBucket } from "../../identity/attempt-limiter.ts";
import { SurfaceError } from "../error-table.ts";
import { type AuthCall, attemptFrom, byNobody, bySession } from "./auth-route.ts";
import { beginSignOn } from "./sign-on-callback.ts";

const nextPath = z
  .string()
  .max(2000)
  .transform((text) => ownPath(text) ?? "/");

const nothing = z.strictObject({}).optional();
const state = z.string().max(4000);
const passkeyId = z.string().min(1).max(200);
const passkeyName = z.string().trim().min(1, "is missing").max(60);

// The library that checks them looks at every part of these.
const answered = <T>() =>
  z.custom<T>(
    (value) =>
      z
        .looseObject({ id: z.string().min(1).max(2000), response: z.looseObject({}) })
        .safeParse(value).success,
    "is not what a browser answers",
  );

/** The ways to sign in beside a password: single sign-on and passkeys. */
export const otherWays = {
  /** Which there are here, for the page on which one signs in. */
  "/ways": byNobody(nothing, async ({ identity }) => ({
    body: { signOn: identity.signOn && { name: identity.signOn.name } },
    cookies: [],
  })),

  "/oidc/begin": byNobody(z.strictObject({ next: nextPath }), (call, { next }) =>
    beginSignOn(call, next, null),
  ),

  "/oidc/connect": bySession(nothing, async (call, _, caller) => {
    await call.identity.sessions.requireFresh(caller);
    return beginSignOn(call, "/account", caller);
  }),

  "/oidc/disconnect": bySession(nothing, async ({ identity }, _, caller) => {
    const { signOn, people } = identity;
    if (signOn) await people.disconnectAccount(caller.actor.id, signOn.providerId, caller);
    return { body: {}, cookies: [] };
  }),

  /** How one signs in oneself. */
  "/own-ways": bySession(nothing, async ({ identity }, _, { actor }) => {
    const { passkeys, signOn, people } = identity;
    const ways = await people.waysIn(actor.id);
    const body = {
      hasPassword: ways.includes("credential"),
      signOn: signOn && { name: signOn.name, isConnected: ways.includes(signOn.providerId) },
      passkeys: await passkeys.list(actor.id),
    };
    return { body, cookies: [] };
  }),

  "/passkey/begin": byNobody(nothing, async (call) => ({
    body: await call.identity.passkeys.beginSignIn(originOf(call)),
    cookies: [],
  })),

  "/passkey/sign-in": byNobody(
    z.strictObject({ state, response: answered<AuthenticationResponseJSON>() }),
    async ({ identity, request, origin }, input) => {
      const { passkeys, passkeyLimiter, sessions } = identity;
      const bucket = addressBucket(origin.address);
      passkeyLimiter.check(bucket, attemptFrom(origin));
      const succeeded = passkeyLimiter.count(bucket);
      const person = await passkeys.identify(input).catch((error: unknown) => {
        if (hasErrorCode(error, "unauthorized")) {
          sessions.noteFailure({ method: "passkey" }, origin.address);
        }
        throw error;
      });
      succeeded();
      const cookies = await sessions.open(person, "passkey", request.headers, origin);
      return { body: {}, cookies };
    },
  ),

  "/passkeys/begin": bySession(nothing, async (call, _, caller) => {
    await call.identity.sessions.requireFresh(caller);
    return { body: await call.identity.passkeys.beginAdding(caller, originOf(call)), cookies: [] };
  }),

  "/passkeys/add": bySession(
    z.strictObject({ name: passkeyName, state, response: answered<RegistrationResponseJSON>() }),
    async ({ identity }, input, caller) => {
      await identity.sessions.requireFresh(caller);
      return { body: { passkey: await identity.passkeys.add(input, caller) }, cookies: [] };
    },
  ),

  "/passkeys/rename": bySession(
    z.strictObject({ passkeyId, name: passkeyName }),
    async ({ identity }, input, caller) => {
      await identity.passkeys.rename(input.passkeyId, input.name, caller);
      return { body: {}, cookies: [] };
    },
  ),

  "/passkeys/remove": bySession(
    z.strictObject({ passkeyId }),
    async ({ identity }, input, caller) => {
      await identity.passkeys.remove(input.passkeyId, caller);
      return { body: {}, cookies: [] };
    },
  ),
};

/** The origin of the page that calls; that it is one of ours was checked. @throws SurfaceError */
function originOf({ request }: AuthCall): string {
  const origin = request.headers.get("origin");
  if (origin !== null) return origin;
  throw new SurfaceError("foreign_origin", "Passkeys are for the pages of this server only.");
}
