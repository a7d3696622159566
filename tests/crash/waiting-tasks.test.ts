import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { measureWaiting } from "./waiting-tasks.ts";

const obstacle = existsSync("/proc/self/status") ? "" : " (skipped: memory is read from /proc)";

// In full size: npm run test:crash -- --waiting 100000
test.skipIf(obstacle).each([
  ["parked", true],
  ["left by a process that was killed", false],
])(`5,000 waiting tasks, %s, cost disk and not memory${obstacle}`, async (_, isParked) => {
  const figures = await measureWaiting(5000, isParked);
  console.log(figures);
  expect(figures.readySeconds).toBeLessThan(5 + figures.emptyReadySeconds);
  expect(figures.handlersRun).toBe(200);
  // How much of its memory a process keeps differs by some ten megabytes from one to the next.
  expect(figures.extraMegabytes).toBeLessThan(100);
});
