import type { z } from "zod";
import type { AttemptOrigin, Caller, CallOrigin } from "../../identity/caller.ts";
import type { Identity } from "../../identity/identity.ts";

/** What a route by which people come and go is given. */
export interface AuthCall {
  identity: Identity;
  request: Request;
  origin: CallOrigin;
}

export interface AuthRoute<Input, Who> {
  /** `nobody`: it is how one comes in. `session`: a signed-in person only. */
  rule: "nobody" | "session";
  input: z.ZodType<Input>;
  /** @returns the body, and the cookies to set. */
  answer(call: AuthCall, input: Input, caller: Who): Promise<{ body: object; cookies: string[] }>;
}

/** Where an attempt to come in is made from: always a page. */
export const attemptFrom = ({ address }: CallOrigin): AttemptOrigin => ({
  actor: null,
  surface: "dashboard",
  address,
});

/** A route for whoever calls. */
export const byNobody = <Input>(
  input: z.ZodType<Input>,
  answer: AuthRoute<Input, null>["answer"],
): AuthRoute<Input, null> => ({ rule: "nobody", input, answer });

/** A route for who is signed in. */
export const bySession = <Input>(
  input: z.ZodType<Input>,
  answer: AuthRoute<Input, Caller>["answer"],
): AuthRoute<Input, Caller> => ({ rule: "session", input, answer });
