import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  windowScroll,
} from "@tanstack/react-virtual";

const ofElement = { observeElementRect, observeElementOffset, scrollToFn: elementScroll };

// TanStack has a hook for each kind of scroller; a list whose scroller depends on the window's width
// needs one hook that takes either.
const ofWindow = {
  observeElementRect: observeWindowRect,
  observeElementOffset: observeWindowOffset,
  scrollToFn: windowScroll,
} as unknown as typeof ofElement;

/** What `useVirtualizer` is to watch and to move: the page as a whole, or a pane. */
export function scrollingBy(scroller: "page" | "pane"): typeof ofElement {
  return scroller === "page" ? ofWindow : ofElement;
}
