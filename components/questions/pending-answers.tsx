"use client";

import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import { pendingSwitch } from "./pending-switch.ts";

const PendingKeeper = lazyPart(() => import("./pending-keeper.tsx"));

/** Keeps what is said on any page until it is sent; it comes with the first question. */
export function PendingAnswers() {
  const isOn = useSyncExternalStore(pendingSwitch.subscribe, pendingSwitch.isOn, () => false);
  return (
    isOn && (
      <Suspense>
        <PendingKeeper />
      </Suspense>
    )
  );
}
