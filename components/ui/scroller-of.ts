/** What scrolls the element: the nearest pane that does, else the page. */
export function scrollerOf(element: HTMLElement | null): Element | null {
  for (let each = element?.parentElement; each; each = each.parentElement) {
    const { overflowY } = getComputedStyle(each);
    if (overflowY === "auto" || overflowY === "scroll") return each;
  }
  return document.scrollingElement;
}
