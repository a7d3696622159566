"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useSyncExternalStore } from "react";
import { buttonClass } from "../ui/button.tsx";
import { checkClass } from "../ui/input.tsx";
import { overlayStyle } from "../ui/overlay-style.ts";
import { Kbd } from "./kbd.tsx";
import { keysOf, type Shortcut } from "./shortcut.ts";
import { shortcutSections } from "./shortcut-sections.ts";
import { singleKeys } from "./single-keys.ts";

/** What the keyboard does on the page below it. */
export default function ShortcutHelp({
  shortcuts,
  onClose,
}: {
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}) {
  const isOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get, () => true);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayStyle} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-1/2 left-1/2 z-50 flex max-h-[85dvh] w-[calc(100vw-2rem)] max-w-2xl -translate-x-1/2 -translate-y-1/2 animate-in flex-col rounded-lg border bg-surface shadow-overlay fade-in-0 duration-150"
        >
          <div className="flex items-center justify-between border-b py-2.5 pr-3 pl-5">
            <Dialog.Title className="font-semibold text-lg">Keyboard</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className={buttonClass({ variant: "quiet", size: "icon" })}
            >
              <X aria-hidden="true" />
            </Dialog.Close>
          </div>
          <div
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="grid gap-x-10 gap-y-5 overflow-y-auto px-5 py-4 sm:grid-cols-2"
          >
            {shortcutSections(shortcuts).map(({ section, items }) => (
              <section key={section} aria-label={section} className="break-inside-avoid">
                <h3 className="mb-1 font-medium text-ink-2 text-sm">{section}</h3>
                <dl className="flex flex-col">
                  {items.map((shortcut) => (
                    <div
                      key={`${shortcut.label} ${keysOf(shortcut).join()}`}
                      className="flex min-h-7 items-center justify-between gap-4 not-last:border-b"
                    >
                      <dt className="order-1">{shortcut.label}</dt>
                      <dd className="order-2">
                        <span className="sr-only">{keysOf(shortcut)[0]}</span>
                        <Kbd keys={keysOf(shortcut)[0] ?? ""} className="shrink-0" />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <label className="flex items-center gap-2.5 border-t px-5 py-3 text-ink-2">
            <input
              type="checkbox"
              className={checkClass}
              checked={isOn}
              onChange={(event) => singleKeys.set(event.target.checked)}
            />
            Single keys do something. Keys with {"Ctrl, ⌘ or Alt"} always do.
          </label>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
