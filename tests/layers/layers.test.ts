import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseSource, readSource } from "../support/source-imports.ts";
import { layerViolations } from "./layer-rules.ts";

const root = join(import.meta.dirname, "../..");

function sourceFiles(): string[] {
  const inFolders = ["server", "app", "components", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path}`,
    ),
  );
  return [...inFolders, ...readdirSync(root)]
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(ts|tsx|mts|mjs)$/.test(path) && !path.includes("/generated/"))
    .filter((path) => !path.endsWith(".d.ts"));
}

function violationsOf(path: string, text: string): string[] {
  return layerViolations(path, parseSource(path, text));
}

describe("layers", () => {
  test("no source file imports upwards or sideways, or reads process.env", () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((path) => layerViolations(path, readSource(root, path)))).toEqual([]);
  });

  test("the library entry point needs only zod and Node", () => {
    const reached = new Set<string>(["server/index.ts"]);
    const packages = new Set<string>();
    for (const path of reached) {
      for (const { target, isOwnFile, isTypeOnly } of readSource(root, path).imports) {
        if (isTypeOnly) continue;
        if (isOwnFile) reached.add(target);
        else packages.add(target);
      }
    }
    expect([...packages].filter((name) => !name.startsWith("node:"))).toEqual(["zod"]);
    expect(reached).toContain("server/stores/memory-store.ts");
  });
});

describe("the check notices", () => {
  test.each([
    ["server/core/x.ts", 'import { readFile } from "node:fs";'],
    ["server/core/x.ts", 'import type { Y } from "../engine/y.ts";'],
    ["server/core/x.ts", 'export * from "../stores/memory-store.ts";'],
    ["server/core/x.ts", 'type Y = import("../engine/y.ts").Y;'],
    ["server/engine/x.ts", 'import { MemoryStore } from "../stores/memory-store.ts";'],
    ["server/engine/x.ts", 'const x = await import("@trpc/server");'],
    ["server/engine/x.ts", 'import { PrismaClient } from "@prisma/client";'],
    ["server/engine/x.ts", "const x = process.env.PORT;"],
    ["server/engine/x.ts", 'const x = process["env"];'],
    ["server/main.ts", 'import { env } from "node:process";'],
    ["server/stores/x.ts", 'import { appRouter } from "../adapters/trpc/router.ts";'],
    ["server/stores/x.ts", 'import { embeddedQueue } from "../queue/embedded-queue.ts";'],
    ["server/queue/x.ts", 'import { MemoryStore } from "../stores/memory-store.ts";'],
    ["server/queue/x.ts", 'import { PrismaClient } from "@prisma/client";'],
    ["server/tasks/x.ts", 'import { MemoryStore } from "../stores/memory-store.ts";'],
    ["server/adapters/trpc/x.ts", 'import { MemoryStore } from "../../stores/memory-store.ts";'],
    ["server/adapters/trpc/x.ts", 'import { runtime } from "../../runtime.ts";'],
    ["server/adapters/rest/x.ts", 'const x = require("better-sqlite3");'],
    ["server/identity/x.ts", 'import { SQLiteStore } from "../stores/sqlite-store.ts";'],
    ["server/identity/x.ts", 'import { appRouter } from "../adapters/trpc/app-router.ts";'],
    ["server/identity/x.ts", 'import { cookies } from "next/headers";'],
    ["server/index.ts", 'import { TRPCError } from "@trpc/server";'],
    ["server/main.ts", 'import { Page } from "../app/page.tsx";'],
    ["server/main.ts", 'import Database from "better-sqlite3";'],
    ["server/main.ts", "listen(Number(process.env.PORT));"],
    ["server/engine/x.mjs", 'import { MemoryStore } from "../stores/memory-store.ts";'],
    ["app/page.tsx", 'import { runtime } from "@/server/runtime.ts";'],
    ["app/page.tsx", 'import { MemoryStore } from "../server/stores/memory-store.ts";'],
    ["app/page.tsx", 'import { appRouter } from "@/server/adapters/trpc/router.ts";'],
    ["app/api/x/route.ts", 'import { SQLiteStore } from "@/server/stores/sqlite-store.ts";'],
    ["components/x.tsx", 'import type { TaskManager } from "@/server/engine/task-manager.ts";'],
    ["components/x.tsx", 'import { readFile } from "node:fs/promises";'],
  ])("in %s: %s", (path, text) => {
    expect(violationsOf(path, text)).toHaveLength(1);
  });

  test.each([
    ["server/core/x.ts", 'import { z } from "zod"; import { Y } from "./y.ts";'],
    ["server/engine/x.ts", 'import { createHash } from "node:crypto";'],
    ["server/stores/x.ts", 'import { PrismaClient } from "@prisma/client";'],
    ["server/main.ts", 'import { SQLiteStore } from "./stores/sqlite-store.ts";'],
    ["server/env.ts", 'import { z } from "zod"; const port = process.env.PORT;'],
    ["app/page.tsx", 'import type { AppRouter } from "@/server/adapters/trpc/router.ts";'],
    ["app/page.tsx", 'import { type AppRouter } from "@/server/adapters/trpc/router.ts";'],
    ["app/api/x/route.ts", 'import { runtime } from "@/server/runtime.ts";'],
    ["components/x.tsx", 'import { isTerminal } from "@/server/core/task-status.ts";'],
    ["next.config.ts", "const x = process.env.PORT;"],
    ["server/start.mjs", 'process.env.NODE_ENV = "production";'],
  ])("nothing in %s: %s", (path, text) => {
    expect(violationsOf(path, text)).toEqual([]);
  });
});
