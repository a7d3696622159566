/** A text that this browser remembers, and that every tab of it sees change. */
export interface StoredText {
  /** Null when nothing was stored. */
  get(): string | null;
  set(text: string): void;
  subscribe(listener: () => void): () => void;
}

export function storedText(name: string): StoredText {
  const listeners = new Set<() => void>();
  // For a page that is forbidden storage: kept while it is open.
  let own: string | null = null;
  return {
    get() {
      if (own !== null) return own;
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    set(text) {
      try {
        localStorage.setItem(name, text);
      } catch {
        own = text;
      }
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
