"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { LiveProvider } from "../live/live-provider.tsx";
import { AppShell } from "./app-shell.tsx";

const entries = ["/sign-in", "/set-up", "/invite"];

/** The frame of the dashboard with its live stream; pages by which one comes in have neither. */
export function Frame({ children }: { children: ReactNode }) {
  if (entries.includes(usePathname())) return children;
  return (
    <LiveProvider>
      <AppShell>{children}</AppShell>
    </LiveProvider>
  );
}
