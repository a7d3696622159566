"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { LiveProvider } from "../live/live-provider.tsx";

const isEntry = /^\/(sign-in|set-up|invite)$/;

/**
 * The page in the frame of the dashboard, with its live stream. Pages by which one comes in have
 * neither. `framed` is made by the server, so that the frame itself costs the browser nothing.
 */
export function Frame({ framed, children }: { framed: ReactNode; children: ReactNode }) {
  if (isEntry.test(usePathname())) return children;
  return <LiveProvider>{framed}</LiveProvider>;
}
