"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const nearEndPixels = 96;

/**
 * Keeps the end of a growing list in view until the reader scrolls up, and again once they come
 * back down to the end.
 *
 * @param grownBy a number that rises with the list.
 */
export function useFollow(grownBy: number, isGrowing: boolean) {
  const end = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(isGrowing);
  const [seen, setSeen] = useState(grownBy);
  const lastTop = useRef(0);

  useEffect(() => {
    const scroller = scrollerOf(end.current);
    if (!scroller) return;
    const target = scroller === document.scrollingElement ? window : scroller;
    const onScroll = () => {
      const isNearEnd = distanceToEnd(scroller) < nearEndPixels;
      if (isNearEnd) setFollowing(true);
      else if (scroller.scrollTop < lastTop.current - 4) setFollowing(false);
      lastTop.current = scroller.scrollTop;
    };
    target.addEventListener("scroll", onScroll, { passive: true });
    return () => target.removeEventListener("scroll", onScroll);
  }, []);

  useLayoutEffect(() => {
    if (!isFollowing) return;
    setSeen(grownBy);
    const scroller = scrollerOf(end.current);
    if (!scroller || !isGrowing) return;
    scroller.scrollTop = scroller.scrollHeight;
    lastTop.current = scroller.scrollTop;
  }, [grownBy, isFollowing, isGrowing]);

  const follow = useCallback(() => {
    setFollowing(true);
    const scroller = scrollerOf(end.current);
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  }, []);
  const pause = useCallback(() => setFollowing(false), []);

  return { end, isFollowing, unseen: Math.max(0, grownBy - seen), follow, pause };
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** What scrolls the element: the nearest pane that does, else the page. */
function scrollerOf(element: HTMLElement | null): Element | null {
  for (let each = element?.parentElement; each; each = each.parentElement) {
    const { overflowY } = getComputedStyle(each);
    if (overflowY === "auto" || overflowY === "scroll") return each;
  }
  return document.scrollingElement;
}
