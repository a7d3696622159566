import { Conflict } from "../../core/errors.ts";
import type { Identity } from "../../identity/identity.ts";
import type { ApiContext } from "./api-context.ts";
import {
  changePersonInput,
  inviteInput,
  keyIdInput,
  linkIdInput,
  makeKeyInput,
  setRuleInput,
  userIdInput,
} from "./identity-inputs.ts";
import { procedure, router } from "./trpc.ts";

export const keysRouter = router({
  list: procedure("keys:manage").query(({ ctx }) => ({ items: identityOf(ctx).keys.list() })),

  /** `key` is shown this once, and stored nowhere. */
  make: procedure("keys:manage")
    .input(makeKeyInput)
    .mutation(async ({ ctx, input }) => {
      const { key, view } = await identityOf(ctx).keys.make(input, ctx.caller);
      return { key, item: view };
    }),

  revoke: procedure("keys:manage")
    .input(keyIdInput)
    .mutation(async ({ ctx, input }) => {
      await identityOf(ctx).keys.revoke(input.keyId, ctx.caller);
      return {};
    }),
});

export const peopleRouter = router({
  list: procedure("people:manage").query(async ({ ctx }) => {
    const { people } = identityOf(ctx);
    return { items: people.list(), invites: await people.listInvites(), groups: people.groups() };
  }),

  /** `token` goes into the link, and is shown this once. */
  invite: procedure("people:manage")
    .input(inviteInput)
    .mutation(({ ctx, input }) => identityOf(ctx).people.invite(input, ctx.caller)),

  withdrawInvite: procedure("people:manage")
    .input(linkIdInput)
    .mutation(async ({ ctx, input }) => {
      await identityOf(ctx).people.withdrawInvite(input.linkId, ctx.caller);
      return {};
    }),

  change: procedure("people:manage")
    .input(changePersonInput)
    .mutation(async ({ ctx, input }) => {
      const { userId, ...change } = input;
      return { person: await identityOf(ctx).changePerson(userId, change, ctx.caller) };
    }),

  endSessions: procedure("people:manage")
    .input(userIdInput)
    .mutation(async ({ ctx, input }) => ({
      ended: await identityOf(ctx).sessions.endAllOf(input.userId, ctx.caller),
    })),
});

export const settingsRouter = router({
  rules: procedure("settings:manage").query(({ ctx }) => {
    const { rules, people } = identityOf(ctx);
    const registered = ctx.tasks.taskTypes().map(({ type }) => type);
    const types = [...new Set([...registered, ...rules.types()])].sort();
    return {
      items: types.map((type) => ({
        type,
        isRegistered: registered.includes(type),
        /** What the task type brought along, and what an admin set instead. */
        inCode: rules.inCodeFor(type) ?? null,
        set: rules.setFor(type) ?? null,
      })),
      groups: people.groups(),
    };
  }),

  setRule: procedure("settings:manage")
    .input(setRuleInput)
    .mutation(async ({ ctx, input }) => {
      await identityOf(ctx).setTypeRule(input.type, input.access, ctx.caller);
      return {};
    }),
});

/** @throws Conflict where nobody signs in. */
function identityOf({ identity }: ApiContext): Identity {
  if (identity) return identity;
  throw new Conflict(
    "Nobody signs in on this server (TOOLTHREAD_AUTH=none), so there are no people and no keys. " +
      "Start it without that setting.",
  );
}
