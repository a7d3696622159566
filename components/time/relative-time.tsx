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

/**
 * The time of day; the exact moment on hover. Only for what a browser has fetched: the server does
 * not know the viewer's zone.
 */
export function TimeOfDay({ at, className }: { at: Timestamp; className?: string }) {
  return (
    <time dateTime={at} title={exactText(at)} className={className}>
      {timeOfDay(at)}
    </time>
  );
}
