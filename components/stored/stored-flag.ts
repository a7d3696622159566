import { storedText } from "./stored-text.ts";

/** A yes or no that this browser remembers. */
export interface StoredFlag {
  get(): boolean;
  set(value: boolean): void;
  subscribe(listener: () => void): () => void;
}

export function storedFlag(name: string, otherwise: boolean): StoredFlag {
  const text = storedText(name);
  return {
    get() {
      const stored = text.get();
      return stored === null ? otherwise : stored === "on";
    },
    set: (value) => text.set(value ? "on" : "off"),
    subscribe: text.subscribe,
  };
}
