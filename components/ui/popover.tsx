"use client";

import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { buttonClass } from "./button.tsx";

interface PopoverProps {
  /** What stands on its button. */
  label: ReactNode;
  /** The button's name where the label is no text. */
  name?: string;
  /** What the panel is called. */
  title: string;
  variant?: "outline" | "quiet";
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A button with a panel that opens below it. */
export function Popover(props: PopoverProps) {
  const { label, name, title, variant, isOpen, onOpenChange, children } = props;
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger
        className={buttonClass({ size: "sm", variant })}
        aria-label={name}
        title={name}
      >
        {label}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={title}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-40 max-h-[var(--radix-popover-content-available-height)] w-72 animate-in overflow-y-auto rounded-lg border bg-surface p-3 shadow-overlay fade-in-0 duration-150"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
