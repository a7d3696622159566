"use client";

import { useSyncExternalStore } from "react";
import { cn } from "../ui/cn.ts";
import { keyNames } from "./key-names.ts";

const never = () => () => {};

/** Shows which keys do something; nothing on devices that are touched. */
export function Kbd({ keys, className }: { keys: string; className?: string }) {
  const isMac = useSyncExternalStore(
    never,
    () => /Mac|iPhone|iPad/.test(navigator.platform),
    () => false,
  );
  return (
    <span
      aria-hidden="true"
      className={cn("inline-flex items-center gap-0.5 pointer-coarse:hidden", className)}
    >
      {keyNames(keys, isMac).map((press, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the presses of one shortcut never change places
        <span key={at} className="inline-flex gap-0.5">
          {press.map((key) => (
            <kbd
              key={key}
              className="tabular inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border bg-sunken px-1 font-medium font-sans text-ink-3 text-xs"
            >
              {key}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}
