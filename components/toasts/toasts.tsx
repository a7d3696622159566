"use client";

import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import { noticeBoard } from "./notify.ts";

const Toaster = lazyPart(() => import("./toaster.tsx"));

/** The place of notices; what shows them is loaded with the first one. */
export function Toasts() {
  const isWanted = useSyncExternalStore(noticeBoard.subscribe, noticeBoard.isWanted, () => false);
  return (
    isWanted && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  );
}
