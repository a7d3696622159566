import { useSyncExternalStore } from "react";

/** A value that this browser remembers, as JSON. */
export interface StoredJson<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/** @param read makes the value of what was stored, whatever that is; null for nothing. */
export function storedJson<T>(name: string, read: (stored: unknown) => T): StoredJson<T> {
  const listeners = new Set<() => void>();
  // The same text gives the same object, so that nothing renders without a change.
  let last: { text: string | null; value: T } | null = null;
  const textOf = (): string | null => {
    try {
      return localStorage.getItem(name);
    } catch {
      return last?.text ?? null;
    }
  };
  return {
    get() {
      const text = textOf();
      if (last === null || last.text !== text) last = { text, value: read(parsed(text)) };
      return last.value;
    },
    set(value) {
      const text = JSON.stringify(value);
      try {
        localStorage.setItem(name, text);
      } catch {
        // A page that is forbidden storage keeps it while it is open.
      }
      last = { text, value };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      addEventListener("storage", listener);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", listener);
      };
    },
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
