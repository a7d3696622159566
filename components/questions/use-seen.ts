"use client";

import { useEffect, useRef } from "react";
import { api } from "../api/api-client.ts";

const visibleMillis = 600;
// One page tells of each question once, however often its card is mounted.
const told = new Set<string>();

/**
 * Tells the server that a human has this question on a screen: when a good part of the card has
 * been in a visible page's view for a moment.
 */
export function useSeen(questionId: string, isUnseen: boolean) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element || !isUnseen || told.has(questionId)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isInView = false;
    const check = () => {
      clearTimeout(timer);
      if (!isInView || document.visibilityState !== "visible") return;
      timer = setTimeout(() => {
        told.add(questionId);
        // Not worth a word to the user: the next page that shows it will tell.
        api.questions.seen.mutate({ questionId }).catch(() => told.delete(questionId));
      }, visibleMillis);
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        isInView = entry?.isIntersecting === true;
        check();
      },
      { rootMargin: "0px 0px -64px 0px", threshold: 0 },
    );
    observer.observe(element);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("visibilitychange", check);
    };
  }, [questionId, isUnseen]);
  return ref;
}
