"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { noticeBoard } from "./notify.ts";

const Toaster = lazy(() => import("./toaster.tsx"));

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
