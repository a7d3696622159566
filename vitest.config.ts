import { defineConfig } from "vitest/config";

// Three projects by what they need: `unit` nothing, `http` a server in this process, `built` the
// output of `npm run build`. Browser tests are Playwright's.
export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "tests/{core,engine,stores,guide,tasks,dashboard,adapters,layers}/**/*.test.{ts,tsx}",
            "tests/*.test.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "http",
          include: ["tests/http/**/*.test.ts"],
          exclude: ["tests/http/built/**"],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: "built",
          include: ["tests/http/built/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
