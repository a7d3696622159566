"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { scrollingBy } from "../lists/scrolling-by.ts";
import { scrollerOf } from "../ui/scroller-of.ts";

const rowPixels = 28;
/** So few rows are all rendered: the browser's own search then finds what is in them. */
const fewRows = 200;
const lookPauseMillis = 500;

/**
 * Renders of a long list only the rows in view, whichever scrolls: a pane, or the page as a whole.
 *
 * @param list the element the rows are in.
 * @param keyOf the same for the same row, wherever it stands.
 */
export function useVirtualRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  keyOf: (index: number) => number,
) {
  const [margin, setMargin] = useState(0);
  const [scroller, setScroller] = useState<Element | null>(null);
  const isPage = scroller !== null && scroller === document.scrollingElement;
  const virtualizer = useVirtualizer<Element, HTMLLIElement>({
    count,
    // Until it is known what scrolls; it is then left where it is.
    enabled: scroller !== null,
    initialOffset: () => scroller?.scrollTop ?? 0,
    getScrollElement: () => (isPage ? (window as unknown as Element) : scroller),
    ...scrollingBy(isPage ? "page" : "pane"),
    estimateSize: () => rowPixels,
    getItemKey: keyOf,
    overscan: count <= fewRows ? count : 8,
    scrollMargin: margin,
    useFlushSync: false,
  });

  // What stands above the list may grow at any time, and a window made wider may scroll otherwise.
  // Looking costs a layout, so under a burst it is not done each time: a little off does no harm.
  const lookedAt = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    const now = performance.now();
    if (scroller !== null && now - lookedAt.current < lookPauseMillis) return;
    lookedAt.current = now;
    const found = scrollerOf(list.current);
    if (found !== scroller) setScroller(found);
    if (!found || !list.current) return;
    const top = found === document.scrollingElement ? 0 : found.getBoundingClientRect().top;
    const above = Math.round(list.current.getBoundingClientRect().top - top + found.scrollTop);
    if (above !== margin) setMargin(above);
  });

  return { virtualizer, margin, isReady: scroller !== null };
}
