import { cn } from "./cn.ts";

/** Holds the place of something that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn("rounded-sm bg-hover", className)} />;
}
