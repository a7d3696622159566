"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { useLive } from "../live/live-provider.tsx";

// Nothing of it is needed to show a page.
const Attention = lazy(() => import("./attention.tsx"));

/** What tells of questions beside the page; loaded when the page is there and live. */
export function AttentionPart() {
  const { state } = useLive();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (state === "live") setDue(true);
  }, [state]);
  return (
    isDue && (
      <Suspense>
        <Attention />
      </Suspense>
    )
  );
}
