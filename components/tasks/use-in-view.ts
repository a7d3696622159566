"use client";

import { useEffect, useRef } from "react";

/** Calls back whenever the element comes near the view. */
export function useInView(onInView: () => void) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onInView);
  useEffect(() => {
    latest.current = onInView;
  });
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && latest.current(),
      { rootMargin: "600px" },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return ref;
}
