"use client";

import { useRouter } from "next/navigation";
import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import { overlay } from "./overlay.ts";
import type { Shortcut } from "./shortcut.ts";
import { everywhere } from "./shortcut-sections.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const ShortcutHelp = lazyPart(() => import("./shortcut-help.tsx"));
const Palette = lazyPart(() => import("../palette/palette.tsx"));

/** What the keyboard does on every page, the help that says so, and the palette. */
export function Keyboard() {
  const router = useRouter();
  const shown = useSyncExternalStore(overlay.subscribe, overlay.get, () => null);
  const goTo = (keys: string, label: string, path: string): Shortcut => ({
    keys,
    label,
    section: everywhere,
    run: () => router.push(path),
  });
  useShortcuts([
    {
      keys: "$mod+k",
      label: "Find or do anything",
      section: everywhere,
      inFields: true,
      inDialogs: shown?.name === "palette",
      run: () => (shown?.name === "palette" ? overlay.close() : overlay.open("palette")),
    },
    goTo("g i", "Go to the inbox", "/"),
    goTo("g t", "Go to the tasks", "/tasks"),
    goTo("g o", "Go to the overview", "/overview"),
    goTo("g s", "Start a task", "/start"),
    {
      keys: "?",
      label: "Show what the keyboard does",
      section: everywhere,
      run: () => overlay.open("help"),
    },
  ]);
  if (shown === null) return null;
  const Shown = shown.name === "help" ? ShortcutHelp : Palette;
  return (
    <Suspense>
      <Shown shortcuts={shown.shortcuts} onClose={overlay.close} />
    </Suspense>
  );
}
