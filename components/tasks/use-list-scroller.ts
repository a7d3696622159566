"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";
import { scrollingBy } from "../lists/scrolling-by.ts";
import { scrollerOf } from "../ui/scroller-of.ts";

type Scroller = HTMLElement | Window;

/**
 * Renders only the rows near the view, whatever scrolls them: the page on a phone, the content's pane
 * elsewhere.
 */
export function useListScroller(
  body: RefObject<HTMLElement | null>,
  { keys, rowHeight }: { keys: readonly string[]; rowHeight: number },
) {
  const [place, setPlace] = useState<{ scroller: Scroller | null; margin: number }>({
    scroller: null,
    margin: 0,
  });
  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return;
    const measure = () => {
      const pane = scrollerOf(element);
      const isPage = pane === null || pane === document.scrollingElement;
      const top = isPage
        ? -window.scrollY
        : pane.getBoundingClientRect().top - (pane as HTMLElement).scrollTop;
      const margin = Math.round(element.getBoundingClientRect().top - top);
      const scroller = isPage ? window : (pane as HTMLElement);
      setPlace((now) =>
        now.scroller === scroller && now.margin === margin ? now : { scroller, margin },
      );
    };
    measure();
    // What stands above the list may grow, and a turned phone scrolls something else.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    if (element.parentElement?.parentElement) observer.observe(element.parentElement.parentElement);
    return () => observer.disconnect();
  }, [body]);

  const isPage = place.scroller === null || place.scroller === globalThis.window;
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: keys.length,
    getScrollElement: () => place.scroller as HTMLElement | null,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 12,
    scrollMargin: place.margin,
    initialRect: { width: 1000, height: 900 },
    ...scrollingBy(isPage ? "page" : "pane"),
  });
  return { virtualizer, margin: place.margin };
}
