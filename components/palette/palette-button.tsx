"use client";

import { Search } from "lucide-react";
import { Kbd } from "../keyboard/kbd.tsx";
import { overlay } from "../keyboard/overlay.ts";
import { Button } from "../ui/button.tsx";

/** Opens the palette: for those who do not know its keys, and for fingers. */
export function PaletteButton({ layout }: { layout: "column" | "icon" }) {
  const open = () => overlay.open("palette");
  if (layout === "icon") {
    return (
      <Button variant="quiet" size="icon" aria-label="Find or do anything" onClick={open}>
        <Search aria-hidden="true" />
      </Button>
    );
  }
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+k"
      onClick={open}
      className="mt-4 flex h-8 w-full items-center gap-2.5 rounded-md border bg-surface px-2 text-ink-3 transition-colors duration-100 hover:border-line-strong hover:text-ink"
    >
      <Search className="size-4 shrink-0" aria-hidden="true" />
      Find or do…
      <Kbd keys="$mod+k" className="ml-auto" />
    </button>
  );
}
