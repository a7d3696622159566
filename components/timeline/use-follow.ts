"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { scrollerOf } from "../ui/scroller-of.ts";

const nearEndPixels = 96;
/**
 * What stays visible above something that is to be read from its beginning. A page that scrolls as
 * a whole, as on a phone, also has its bars there.
 */
const leadPixels = 64;
const leadUnderBarsPixels = 120;

/**
 * Keeps the end of a growing list in view until the reader scrolls up, and again once they come
 * back down to the end. Where the list ends in something to be read from its beginning (`stop`),
 * it is not scrolled past that.
 *
 * @param length rises with the list.
 * @param isLive whether the list grows still. What comes with its end is followed as well.
 * @param beginsElsewhere true when the reader came for something else than the end.
 */
export function useFollow(length: number, isLive: boolean, beginsElsewhere: boolean) {
  const end = useRef<HTMLDivElement>(null);
  const stop = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(isLive && !beginsElsewhere);
  const [mayFollow] = useState(isLive);
  const [seen, setSeen] = useState(length);
  const lastTop = useRef(0);

  const scrollToEnd = useCallback(() => {
    const scroller = scrollerOf(end.current);
    if (!scroller) return;
    scroller.scrollTop = followedTop(scroller, stop.current);
    lastTop.current = scroller.scrollTop;
  }, []);

  useEffect(() => {
    const scroller = scrollerOf(end.current);
    if (!scroller) return;
    const target = scroller === document.scrollingElement ? window : scroller;
    const onScroll = () => {
      const top = scroller.scrollTop;
      if (followedTop(scroller, stop.current) - top < nearEndPixels) setFollowing(true);
      else if (top < lastTop.current - 4) setFollowing(false);
      lastTop.current = top;
    };
    target.addEventListener("scroll", onScroll, { passive: true });
    return () => target.removeEventListener("scroll", onScroll);
  }, []);

  useLayoutEffect(() => {
    if (!isFollowing) return;
    setSeen(length);
    if (mayFollow) scrollToEnd();
  }, [length, isFollowing, mayFollow, scrollToEnd]);

  const follow = useCallback(() => {
    setFollowing(true);
    scrollToEnd();
  }, [scrollToEnd]);

  const pause = useCallback(() => setFollowing(false), []);

  /** To be called when the list has become taller without growing: its rows were measured. */
  const settle = useCallback(() => {
    if (isFollowing && mayFollow) scrollToEnd();
  }, [isFollowing, mayFollow, scrollToEnd]);

  return { end, stop, isFollowing, unseen: Math.max(0, length - seen), follow, pause, settle };
}

function followedTop(scroller: Element, stop: Element | null): number {
  const bottom = Math.max(0, scroller.scrollHeight - scroller.clientHeight);
  if (stop === null || !stop.hasChildNodes()) return bottom;
  const isPage = scroller === document.scrollingElement;
  const view = isPage ? 0 : scroller.getBoundingClientRect().top;
  const above = stop.getBoundingClientRect().top - view + scroller.scrollTop;
  return Math.max(0, Math.min(bottom, above - (isPage ? leadUnderBarsPixels : leadPixels)));
}
