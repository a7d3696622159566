import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Four projects by what they need: `unit` nothing, `http` a server in this process, `built` the
// output of `npm run build`, `durability` processes to kill and disks to fill. They run one after the
// other. Browser tests are Playwright's.
export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    // The machines are shared and noisy: a limit tells a test that hangs, not one that is slow.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest leaves one processor to itself, which on two would be half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          sequence: { groupOrder: 0 },
          include: [
            "tests/{core,engine,identity,stores,guide,tasks,dashboard,adapters,layers}/**/*.test.{ts,tsx}",
            "tests/*.test.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "http",
          sequence: { groupOrder: 1 },
          include: ["tests/{http,scenario}/**/*.test.ts"],
          exclude: ["tests/http/built/**"],
          // It writes TypeScript with the compiler's API, which TypeScript 7 does not have any more.
          alias: { typescript: "typescript-5" },
          server: { deps: { inline: ["openapi-typescript"] } },
        },
      },
      {
        extends: true,
        test: {
          name: "built",
          sequence: { groupOrder: 2 },
          include: ["tests/http/built/**/*.test.ts"],
          globalSetup: ["tests/support/fresh-build.ts"],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: "durability",
          sequence: { groupOrder: 3 },
          include: ["tests/{crash,faults}/**/*.test.ts"],
          // Most of them wait most of the time.
          maxWorkers: 2,
          testTimeout: 90_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
