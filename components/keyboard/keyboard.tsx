"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import type { Shortcut } from "./shortcut.ts";
import { shortcutRegistry } from "./shortcut-registry.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const ShortcutHelp = lazy(() => import("./shortcut-help.tsx"));

const section = "Everywhere";

/** What the keyboard does on every page, and the help that says so. */
export function Keyboard() {
  const router = useRouter();
  // As it was when the help was opened: behind a dialog nothing else changes it.
  const [helped, setHelped] = useState<readonly Shortcut[] | null>(null);
  const goTo = (keys: string, label: string, path: string): Shortcut => ({
    keys,
    label,
    section,
    run: () => router.push(path),
  });
  useShortcuts([
    goTo("g i", "Go to the inbox", "/"),
    goTo("g t", "Go to the tasks", "/tasks"),
    goTo("g s", "Start a task", "/start"),
    {
      keys: "?",
      label: "Show what the keyboard does",
      section,
      run: () => setHelped(shortcutRegistry.listed()),
    },
  ]);
  return (
    helped !== null && (
      <Suspense>
        <ShortcutHelp shortcuts={helped} onClose={() => setHelped(null)} />
      </Suspense>
    )
  );
}
