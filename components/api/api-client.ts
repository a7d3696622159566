import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClient,
} from "@trpc/client";
import type { AppRouter } from "@/server/adapters/trpc/app-router.ts";
import { openSession } from "./session.ts";

const url = "/api/trpc";

/** The one client of this page. Calls wait for the session; subscriptions open it themselves. */
export const api: TRPCClient<AppRouter> = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: httpSubscriptionLink({
        url: async () => {
          await openSession();
          return url;
        },
      }),
      false: httpBatchLink({
        url,
        maxURLLength: 4000,
        fetch: async (input, init) => {
          await openSession();
          return fetch(input, { ...init, credentials: "same-origin" } as RequestInit);
        },
      }),
    }),
  ],
});
