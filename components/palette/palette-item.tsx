"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";
import { Kbd } from "../keyboard/kbd.tsx";

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="not-last:mb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-ink-3 [&_[cmdk-group-heading]]:text-sm"
    >
      {children}
    </Command.Group>
  );
}

export function Item({
  value,
  keys,
  foundBy,
  onSelect,
  children,
}: {
  /** What is searched; it is also what tells items apart. */
  value: string;
  keys?: string;
  /** For what the server has found: what it was asked for, by which it then fits. */
  foundBy?: string;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      keywords={foundBy === undefined ? undefined : [foundBy]}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-ink-2 data-[selected=true]:bg-hover data-[selected=true]:text-ink"
    >
      {children}
      {keys !== undefined && <Kbd keys={keys} className="ml-auto shrink-0" />}
    </Command.Item>
  );
}
