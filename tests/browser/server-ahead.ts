import type { Page } from "@playwright/test";

/** From its next load on the page takes the server's clock for so much ahead of what it is. */
export async function setServerAhead(page: Page, seconds: number): Promise<void> {
  await page.route("**/api/session", async (route) => {
    const response = await route.fetch();
    const date = new Date(Date.now() + seconds * 1000).toUTCString();
    await route.fulfill({ response, headers: { ...response.headers(), date } });
  });
}
