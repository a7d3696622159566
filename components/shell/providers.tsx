"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { usePathname } from "next/navigation";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { isEntryPath } from "@/server/core/entry-path.ts";
import { readApiError } from "../api/api-error.ts";
import { openSession } from "../api/session.ts";
import { LiveProvider } from "../live/live-provider.tsx";

// What the server refused it will refuse again; only an unreachable server is worth a retry.
function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < 2 && ["network", "unknown"].includes(readApiError(error).code);
}

// Everything else waits for the session, so it is opened before React has begun. What cannot be opened
// now is tried again by the first call.
if (typeof window !== "undefined" && !isEntryPath(location.pathname)) {
  openSession().catch(() => undefined);
}

function newClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The live feed keeps the cache current, and says when it could not.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
        retry: isWorthRetrying,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

interface ProvidersProps {
  nonce: string | undefined;
  framed: ReactNode;
  children: ReactNode;
}

/**
 * What every page needs.
 *
 * @param nonce the one of the page's policy, for what libraries add to the page by themselves.
 * @param framed the page in the dashboard's frame, as the server made it.
 */
export function Providers({ nonce, framed, children }: ProvidersProps) {
  const [client] = useState(newClient);
  useState(() => nonce && setNonce(nonce));
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      nonce={nonce}
    >
      <QueryClientProvider client={client}>
        {isEntryPath(usePathname()) ? children : <LiveProvider>{framed}</LiveProvider>}
      </QueryClientProvider>
    </ThemeProvider>
  );
}
