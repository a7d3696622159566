"use client";

import { useSyncExternalStore } from "react";
import { seqOfHash } from "./entries.ts";

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

/** `seq` of the event that the address names (`#event-12`); null for none. */
export function useHashTarget(): number | null {
  return useSyncExternalStore(
    subscribe,
    () => seqOfHash(location.hash),
    () => null,
  );
}

/** Names another event in the address, which scrolls to it. */
export function goToEvent(seq: number): void {
  // Twice the same one is a wish to see it again.
  if (location.hash === `#event-${seq}`) history.replaceState(null, "", location.pathname);
  location.hash = `event-${seq}`;
}
