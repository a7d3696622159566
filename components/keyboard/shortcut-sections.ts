import { keysOf, type Shortcut } from "./shortcut.ts";

/** The heading of what holds on every page. */
export const everywhere = "Everywhere";
const thisPage = "This page";

/** Shortcuts under their headings: those of the page first, what holds everywhere last. */
export function shortcutSections(
  shortcuts: readonly Shortcut[],
): { section: string; items: Shortcut[] }[] {
  const sections = new Map<string, Map<string, Shortcut>>();
  for (const shortcut of shortcuts) {
    const section = shortcut.section ?? thisPage;
    const items = sections.get(section) ?? new Map<string, Shortcut>();
    // Of several for the same keys only the last one runs.
    for (const others of sections.values()) {
      for (const keys of keysOf(shortcut)) others.delete(keys);
    }
    sections.set(section, items.set(keysOf(shortcut)[0] ?? "", shortcut));
  }
  return [...sections]
    .map(([section, items]) => ({ section, items: [...items.values()] }))
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => Number(a.section === everywhere) - Number(b.section === everywhere));
}
