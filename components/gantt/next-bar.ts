/**
 * The bar to go to with an arrow key: along the lane, or the nearest one in the lane above or below.
 * Null when the key is another one, or there is none.
 */
export function nextBar(pane: HTMLElement, key: string): HTMLElement | null {
  const bar = document.activeElement?.closest<HTMLElement>("[data-bar]");
  const lanes = [...pane.querySelectorAll<HTMLElement>("[data-lane]")].filter((lane) =>
    lane.querySelector("[data-bar]"),
  );
  const lane = bar?.closest<HTMLElement>("[data-lane]");
  if (!bar || !lane) return null;
  const bars = barsOf(lane);
  if (key === "ArrowRight") return bars[bars.indexOf(bar) + 1] ?? null;
  if (key === "ArrowLeft") return bars[bars.indexOf(bar) - 1] ?? null;
  if (key !== "ArrowDown" && key !== "ArrowUp") return null;
  const next = lanes[lanes.indexOf(lane) + (key === "ArrowDown" ? 1 : -1)];
  if (!next) return null;
  const { left } = bar.getBoundingClientRect();
  const distance = (each: HTMLElement) => Math.abs(each.getBoundingClientRect().left - left);
  return barsOf(next).reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

function barsOf(lane: HTMLElement): HTMLElement[] {
  return [...lane.querySelectorAll<HTMLElement>("[data-bar]")];
}
