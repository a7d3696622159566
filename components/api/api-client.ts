import { createTRPCClient, httpBatchLink, type TRPCClient } from "@trpc/client";
import type { AppRouter } from "@/server/adapters/trpc/app-router.ts";
import { openSession } from "./session.ts";

const callSeconds = 45;

/** The one client of this page. Calls wait for the session; the live feed is a stream of its own. */
export const api: TRPCClient<AppRouter> = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: "/api/trpc",
      maxURLLength: 4000,
      fetch: async (input, init) => {
        await openSession();
        // A connection that died in silence answers nothing, ever.
        const limit = AbortSignal.timeout(callSeconds * 1000);
        const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
        return fetch(input, { ...init, signal, credentials: "same-origin" } as RequestInit);
      },
    }),
  ],
});
