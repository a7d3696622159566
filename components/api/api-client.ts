import { createTRPCClient, httpBatchLink, type TRPCClient } from "@trpc/client";
import type { AppRouter } from "@/server/adapters/trpc/app-router.ts";
import { openSession } from "./session.ts";

/** The one client of this page. Calls wait for the session; the live feed is a stream of its own. */
export const api: TRPCClient<AppRouter> = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: "/api/trpc",
      maxURLLength: 4000,
      fetch: async (input, init) => {
        await openSession();
        return fetch(input, { ...init, credentials: "same-origin" } as RequestInit);
      },
    }),
  ],
});
