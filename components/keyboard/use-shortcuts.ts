"use client";

import { useEffect, useRef } from "react";
import { keysOf, type Shortcut } from "./shortcut.ts";
import { type ShortcutGroup, shortcutRegistry } from "./shortcut-registry.ts";

/**
 * What the keyboard does while this component is on the page. It is listed in the help (`?`) and the
 * palette by itself. The list may be made anew with every render.
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const group = useRef<ShortcutGroup>({ shortcuts });
  useEffect(() => shortcutRegistry.add(group.current), []);
  useEffect(() => {
    const before = group.current.shortcuts;
    group.current.shortcuts = shortcuts;
    if (isOther(before, shortcuts)) shortcutRegistry.changed();
  });
}

function isOther(before: readonly Shortcut[], now: readonly Shortcut[]): boolean {
  if (before.length !== now.length) return true;
  return now.some((shortcut, i) => {
    const old = before[i];
    return (
      old === undefined ||
      (old.when ?? true) !== (shortcut.when ?? true) ||
      old.label !== shortcut.label ||
      old.section !== shortcut.section ||
      keysOf(old).join() !== keysOf(shortcut).join()
    );
  });
}
