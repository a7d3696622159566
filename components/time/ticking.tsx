"use client";

import { useTicking } from "./use-ticking.ts";

/** Text computed from the time, anew each second. */
export function Ticking({
  of,
  className,
}: {
  of: (nowMillis: number) => string;
  className?: string;
}) {
  return <span className={className}>{useTicking(of) ?? " "}</span>;
}
