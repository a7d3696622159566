import { useSyncExternalStore } from "react";
import { storedText } from "./stored-text.ts";

/** A value that this browser remembers, as JSON. */
export interface StoredJson<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/** @param read makes the value of what was stored, whatever that is; null for nothing. */
export function storedJson<T>(name: string, read: (stored: unknown) => T): StoredJson<T> {
  const stored = storedText(name);
  // The same text gives the same object, so that nothing renders without a change.
  let last: { text: string | null; value: T } | null = null;
  return {
    get() {
      const text = stored.get();
      if (last === null || last.text !== text) last = { text, value: read(parsed(text)) };
      return last.value;
    },
    set: (value) => stored.set(JSON.stringify(value)),
    subscribe: stored.subscribe,
  };
}

export function useStoredJson<T>(stored: StoredJson<T>, onServer: T): T {
  return useSyncExternalStore(stored.subscribe, stored.get, () => onServer);
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
