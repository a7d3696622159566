"use client";

import type { Timestamp } from "@/server/core/timestamp.ts";
import { agoText, exactText, timeOfDay } from "./time-text.ts";
import { useTicking } from "./use-ticking.ts";

/** How long ago; the exact moment on hover. */
export function RelativeTime({ at, className }: { at: Timestamp; className?: string }) {
  const text = useTicking((now) => agoText(at, now));
  return (
    <time dateTime={at} title={text === null ? undefined : exactText(at)} className={className}>
      {text ?? " "}
    </time>
  );
}

/** The time of day; the exact moment on hover. */
export function TimeOfDay({ at, className }: { at: Timestamp; className?: string }) {
  const isClient = useTicking(() => true);
  return (
    <time dateTime={at} title={isClient ? exactText(at) : undefined} className={className}>
      {isClient ? timeOfDay(at) : " "}
    </time>
  );
}
