import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const systemPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser for the browser tests: a path, or null when this machine has none. */
function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  const candidates = [...(named ? [named] : [...systemPaths, chromium.executablePath()])];
  return candidates.find((path) => existsSync(path)) ?? null;
}

/**
 * Installs Chromium when there is none: from the distribution as root on Debian and its like,
 * otherwise with Playwright's own download.
 *
 * @throws when neither works; the message says what to install by hand.
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      stdio: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  console.log("There is no Chromium for the browser tests; installing it.");
  try {
    if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
      run("apt-get", "update", "-qq");
      run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium");
    } else {
      run("npx", "playwright", "install", "chromium");
    }
  } catch {
    // Whether it worked is seen below.
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    "Chromium could not be installed. Install it by hand, or set CHROMIUM_PATH to its path.",
  );
}
