import { test as base, expect } from "@playwright/test";
import { ApiAgent } from "./api-agent.ts";
import { TestServer } from "./test-server.ts";

interface ForEachTest {
  /** The server from outside, as a program sees it. */
  agent: ApiAgent;
  /** What the page logged as an error, or threw. A test that leaves anything here fails. */
  pageErrors: string[];
}

interface ForEachWorker {
  server: TestServer;
}

/** A test with a server of its own worker, whose tasks are all cancelled before each test. */
export const test = base.extend<ForEachTest, ForEachWorker>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server = await TestServer.start();
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  // Most tests are about what comes after the moment in which an answer can be taken back.
  context: async ({ context }, use) => {
    await context.addInitScript(() => {
      // A blank page has no storage.
      if (origin !== "null") localStorage.setItem("toolthread.undo-answers", "off");
    });
    await use(context);
  },
  baseURL: async ({ server }, use) => use(server.url),
  agent: async ({ server }, use) => {
    const agent = new ApiAgent(server.url);
    await agent.cancelAll();
    await use(agent);
  },
  pageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        // A request that the server refused, or could not be reached for, is logged by the browser.
        // So is that it could not look for a newer service worker.
        const isNetwork =
          /Failed to load resource|net::ERR_|error occurred when fetching the script/.test(
            message.text(),
          );
        if (message.type() === "error" && !isNetwork) errors.push(message.text());
      });
      await use(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
