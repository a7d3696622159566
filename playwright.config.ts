import { defineConfig } from "@playwright/test";
import { ensureChromium } from "./tests/support/chromium.ts";

export default defineConfig({
  testDir: "tests/browser",
  globalSetup: "./tests/browser/build-when-stale.ts",
  outputDir: "test-results",
  workers: 1,
  timeout: 30_000,
  expect: { timeout: 7_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    viewport: { width: 1280, height: 800 },
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: ensureChromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
