import { APIError, betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import { maxPasswordLength, minPasswordLength } from "./people.ts";

const sessionSeconds = 14 * 24 * 60 * 60;
/** A session that is used is extended at most this often. */
const extendSeconds = 24 * 60 * 60;

/** The header better-auth is to learn a client's address from; no client can set it. */
export const addressHeader = "x-toolthread-address";

/** Makes a session for somebody whose identity was proved elsewhere. Reachable from our code only. */
const sessionOpener = {
  id: "session-opener",
  endpoints: {
    openSession: createAuthEndpoint(
      "/open-session",
      { method: "POST", body: z.object({ userId: z.string() }), metadata: { SERVER_ONLY: true } },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(ctx.body.userId);
        if (!user) throw new APIError("NOT_FOUND");
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({});
      },
    ),
  },
};

/** better-auth as a library: its passwords and sessions, called by our own routes. */
export function createAuth(options: {
  /** The Prisma client for its tables. */
  client: object;
  secret: string;
  cookiePrefix: string;
  onError(message: string): void;
}) {
  const { client, secret, cookiePrefix, onError } = options;
  return betterAuth({
    appName: "toolthread",
    secret,
    // Only our own routes call it, after their own checks of Host and Origin: no URL is made of it.
    baseURL: "http://localhost",
    database: prismaAdapter(client, { provider: "sqlite", transaction: false }),
    plugins: [sessionOpener],
    emailAndPassword: {
      enabled: true,
      // People come in by links and single sign-on only.
      disableSignUp: true,
      minPasswordLength,
      maxPasswordLength,
    },
    session: { expiresIn: sessionSeconds, updateAge: extendSeconds },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix,
      // Set on the way out, where it is known whether the browser came over TLS.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    logger: {
      log: (level, message) => {
        if (level === "error") onError(message);
      },
    },
  });
}
