import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
} from "@trpc/client";
import { EventSource } from "eventsource";
import type { AppRouter } from "../../server/adapters/trpc/app-router.ts";

/** A typed client like an agent's. Node 20 has no EventSource, so it brings one. */
export function trpcClient(
  url: string,
  { batch = false, headers = {} }: { batch?: boolean; headers?: Record<string, string> } = {},
) {
  const options = { url: `${url}/api/trpc`, headers };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ url: options.url, EventSource }),
        false: batch ? httpBatchLink(options) : httpLink(options),
      }),
    ],
  });
}
