import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "../../server/env.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "node_modules/.cache/docs-examples");

// The package's own names, as its users import them.
const compilerOptions = {
  incremental: false,
  tsBuildInfoFile: null,
  plugins: [],
  moduleDetection: "force",
  paths: {
    toolthread: ["../../../server/index.ts"],
    "toolthread/sqlite": ["../../../server/stores/sqlite-store.ts"],
    "toolthread/client": ["../../../server/adapters/client/create-toolthread-client.ts"],
    "toolthread/agent-tools": ["../../../server/agent-tools.ts"],
    "toolthread/adk": ["../../../server/adapters/adk/create-adk-tools.ts"],
    "toolthread/ai-sdk": ["../../../server/adapters/ai-sdk/create-ai-sdk-tools.ts"],
  },
};

function examplesOf(document: string): string[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
}

const documents = [
  "README.md",
  "docs/guide.md",
  "docs/agents.md",
  "docs/client.md",
  "docs/handlers.md",
  "docs/durability.md",
  "docs/identity.md",
  "docs/secrets.md",
];

test("every TypeScript example of the documentation type-checks", () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const document of documents) {
    for (const [i, example] of examplesOf(document).entries()) {
      const name = `${document.replace(/\W/g, "-")}-${i + 1}.ts`;
      writeFileSync(join(folder, name), example);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(10);
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions,
    include: ["*.ts"],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = spawnSync("npx", ["tsc", "-p", folder], { cwd: root, encoding: "utf8" });
  expect(tsc.stdout + tsc.stderr).toBe("");
  expect(tsc.status).toBe(0);
}, 60_000);

test("the README lists every setting", () => {
  // The refusal of an unknown setting names those there are.
  let refusal = "";
  try {
    readSettings({ TOOLTHREAD_NO_SUCH_SETTING: "1" });
  } catch (error) {
    refusal = String(error);
  }
  const known = refusal.slice(refusal.indexOf("There are")).match(/\b[A-Z][A-Z_]+\b/g) ?? [];
  expect(known.length).toBeGreaterThan(8);
  const table = readFileSync(join(root, "README.md"), "utf8");
  expect(known.filter((name) => !table.includes(`| \`${name}\` `))).toEqual([]);
});
