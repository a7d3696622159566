import { join } from "node:path";
import { expect, test } from "vitest";
import { readSource } from "../support/source-imports.ts";

const root = join(import.meta.dirname, "../..");

/** The packages and Node modules that a program loads with an entry point. */
function packagesOf(entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const follow = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { target, isOwnFile, isTypeOnly } of readSource(root, path).imports) {
      if (isTypeOnly) continue;
      if (isOwnFile) follow(target);
      else packages.add(target);
    }
  };
  follow(entry);
  return [...packages].sort();
}

test("the client runs wherever there is fetch: nothing of Node and no server is loaded with it", () => {
  expect(packagesOf("server/adapters/client/create-toolthread-client.ts")).toEqual([
    "@trpc/client",
  ]);
});

test("the agent tools need nothing but zod, and Node's own modules", () => {
  const others = packagesOf("server/agent-tools.ts").filter((name) => !name.startsWith("node:"));
  expect(others).toEqual(["zod"]);
});
