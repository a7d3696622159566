"use client";

import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { readApiError } from "../api/api-error.ts";
import { forgetSession, openSession } from "../api/session.ts";

// What the server refused it will refuse again; only an unreachable server is worth a retry.
function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < 2 && ["network", "unknown"].includes(readApiError(error).code);
}

/** A session that ended meanwhile: asking for it again leads to the sign-in page. */
function noticeSignedOut(error: unknown): void {
  if (readApiError(error).code !== "unauthorized") return;
  forgetSession();
  openSession().catch(() => undefined);
}

function newClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noticeSignedOut }),
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

export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(newClient);
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </ThemeProvider>
  );
}
