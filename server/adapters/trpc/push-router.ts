import { z } from "zod";
import { InvalidInput } from "../../core/errors.ts";
import { urgencies } from "../../core/task-question.ts";
import type { ApiContext } from "./api-context.ts";
import { procedure, router } from "./trpc.ts";

const endpoint = z.url().max(2000);

const wish = z.strictObject({
  endpoint,
  keys: z.strictObject({ p256dh: z.string().max(200), auth: z.string().max(100) }),
  urgencies: z.array(z.enum(urgencies)).max(urgencies.length),
  types: z.array(z.string().max(200)).max(500).nullable(),
});

/** How a browser has itself told of questions while no page is open. */
export const pushRouter = router({
  /** The key to subscribe with; null where this server cannot push. */
  key: procedure("signed_in").query(({ ctx }) => ({ publicKey: ctx.push?.publicKey ?? null })),

  put: procedure("signed_in")
    .input(wish)
    .mutation(async ({ ctx, input }) => {
      await senderOf(ctx).put(ctx.caller, input);
      return {};
    }),

  remove: procedure("signed_in")
    .input(z.strictObject({ endpoint }))
    .mutation(async ({ ctx, input }) => {
      await senderOf(ctx).remove(ctx.caller, input.endpoint);
      return {};
    }),
});

function senderOf({ push }: ApiContext) {
  if (push) return push;
  throw new InvalidInput(
    "This server cannot push: it cannot keep what that needs in its data folder.",
  );
}
