"use client";

import { useEffect, useRef } from "react";
import { scrollerOf } from "../ui/scroller-of.ts";

/**
 * Calls back when the element comes near the view, and when it still is after `length` changed:
 * what was added may not have filled the view.
 */
export function useInView(length: number, onInView: () => void) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onInView);
  useEffect(() => {
    latest.current = onInView;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new observer reports anew
  useEffect(() => {
    if (!ref.current) return;
    const scroller = scrollerOf(ref.current);
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && latest.current(),
      // A margin counts only against the element that scrolls.
      { root: scroller === document.scrollingElement ? null : scroller, rootMargin: "600px" },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [length]);
  return ref;
}
