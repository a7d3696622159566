import type { Shortcut } from "./shortcut.ts";
import { shortcutRegistry } from "./shortcut-registry.ts";

/** What lies over the page: the help or the palette, with what the page below it can do. */
interface Overlay {
  name: "help" | "palette";
  shortcuts: readonly Shortcut[];
}

let shown: Overlay | null = null;
const listeners = new Set<() => void>();

function show(next: Overlay | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Which of the two is open. Behind it nothing else changes what the page can do. */
export const overlay = {
  get: () => shown,
  open: (name: Overlay["name"]) => show({ name, shortcuts: shortcutRegistry.listed() }),
  close: () => show(null),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
