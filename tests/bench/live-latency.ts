import type { Page } from "@playwright/test";

/** When rows of a timeline were on the screen, by their `seq`; milliseconds since 1970. */
type SeenAt = Record<number, number>;

/** Notes from now on when each row of the page's timeline is first on the screen. */
export async function watchRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seenAt: SeenAt = {};
    Object.assign(window, { seenAt });
    const look = () => {
      const rows = document.querySelectorAll<HTMLElement>("[data-seq]");
      const found = [...rows].map(({ dataset }) => Number(dataset.seq));
      // After the frame that has them: a message comes once it is painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const now = performance.timeOrigin + performance.now();
          for (const seq of found) seenAt[seq] ??= now;
          port1.close();
        };
        port2.postMessage(null);
      });
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
}

export function seenRows(page: Page): Promise<SeenAt> {
  return page.evaluate(() => (window as unknown as { seenAt: SeenAt }).seenAt);
}
