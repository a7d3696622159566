"use client";

import { useCallback, useRef, useSyncExternalStore } from "react";
import { serverNow } from "./server-clock.ts";

// One timer for the whole page, on the second, however many times are on it.
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  for (const listener of listeners) listener();
  timer = setTimeout(tick, 1000 - (serverNow() % 1000));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) timer = setTimeout(tick, 1000 - (serverNow() % 1000));
  // A hidden page's timers are throttled: what it shows is put right the moment it is seen.
  document.addEventListener("visibilitychange", listener);
  return () => {
    listeners.delete(listener);
    document.removeEventListener("visibilitychange", listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/**
 * A value computed from the time, anew each second. The component renders only when the value
 * changes, so `of` returns a string or a number. Null on the server and while hydrating, where no
 * right time is known.
 */
export function useTicking<T extends string | number | boolean>(
  of: (nowMillis: number) => T,
): T | null {
  const latest = useRef(of);
  latest.current = of;
  const snapshot = useCallback(() => latest.current(serverNow()), []);
  return useSyncExternalStore<T | null>(subscribe, snapshot, () => null);
}
