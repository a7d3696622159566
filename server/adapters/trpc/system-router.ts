import { procedure, router } from "./trpc.ts";

export const systemRouter = router({
  info: procedure("signed_in").query(({ ctx }) => {
    const { actor, role, groups, email, access } = ctx.caller;
    return {
      version: ctx.version,
      startedAt: ctx.startedAt,
      actor,
      /** Whether people sign in here, or everybody on this machine is the operator. */
      signIn: ctx.identity !== null,
      role,
      groups,
      email,
      permissions: access.permissions(),
    };
  }),
});
