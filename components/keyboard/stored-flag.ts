/** A yes or no that this browser remembers. */
export interface StoredFlag {
  get(): boolean;
  set(value: boolean): void;
  subscribe(listener: () => void): () => void;
}

export function storedFlag(name: string, otherwise: boolean): StoredFlag {
  const listeners = new Set<() => void>();
  // For a page that is forbidden storage: kept while it is open.
  let own: boolean | null = null;
  const get = () => {
    if (own !== null) return own;
    try {
      const stored = localStorage.getItem(name);
      return stored === null ? otherwise : stored === "on";
    } catch {
      return otherwise;
    }
  };
  return {
    get,
    set(value) {
      try {
        localStorage.setItem(name, value ? "on" : "off");
      } catch {
        own = value;
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
