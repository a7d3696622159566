"use client";

import { type RefObject, useRef } from "react";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import type { Selection } from "./use-selection.ts";

interface RowKeys {
  keys: readonly string[];
  selection: Selection;
  scrollTo: (index: number) => void;
}

/** J and K go from row to row; Enter opens the one with the focus, as it does with any link; X selects it. */
export function useRowKeys(
  body: RefObject<HTMLElement | null>,
  { keys, selection, scrollTo }: RowKeys,
): void {
  // Where it was last: a row that scrolled away takes the focus with it.
  const last = useRef<string | null>(null);

  const focusedId = () =>
    document.activeElement?.closest("[data-task]")?.getAttribute("data-task") ?? null;
  const present = () => focusedId() ?? last.current;
  const goTo = (index: number) => {
    const id = keys[Math.min(Math.max(index, 0), keys.length - 1)];
    if (id === undefined) return;
    last.current = id;
    scrollTo(keys.indexOf(id));
    focusWhenThere(body.current, id);
  };
  const move = (step: number) => {
    const at = keys.indexOf(present() ?? "");
    goTo(at < 0 ? 0 : at + step);
  };
  useShortcuts([
    { keys: "j", label: "Next task", run: () => move(1), repeats: true, inPalette: false },
    { keys: "k", label: "Previous task", run: () => move(-1), repeats: true, inPalette: false },
    { keys: "g g", label: "First task", run: () => goTo(0), inPalette: false },
    {
      keys: "x",
      label: "Select the task",
      inPalette: false,
      run() {
        const id = present();
        if (id !== null && keys.includes(id)) selection.toggle(id, false);
      },
    },
    {
      keys: "Shift+x",
      label: "Select up to the task",
      inPalette: false,
      run() {
        const id = present();
        if (id !== null && keys.includes(id)) selection.toggle(id, true);
      },
    },
    {
      keys: "Escape",
      label: "Select nothing",
      when: selection.ids.size > 0,
      inPalette: false,
      run: () => selection.set([]),
    },
  ]);
}

// A row that was outside the view is rendered a moment after it was scrolled to.
function focusWhenThere(body: HTMLElement | null, id: string, tries = 20): void {
  const link = body?.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusWhenThere(body, id, tries - 1));
}
