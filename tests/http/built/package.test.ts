import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { snippetsOf } from "../../support/run-snippet.ts";

// The package as a program that installed it sees it.

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const { exports: entries, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
};
const names = Object.keys(entries)
  .filter((entry) => entry !== "./package.json")
  .map((entry) => entry.replace(/^\./, "toolthread"));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/toolthread"));
  for (const name of ["@google", "ai", "@modelcontextprotocol", "@types"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

test("whatever it says it has is in it", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
  });
  const [packed] = Object.values(JSON.parse(stdout)) as [{ files: { path: string }[] }];
  const files = packed.files.map(({ path }) => path);
  const promised = Object.values(entries).flatMap((entry) =>
    typeof entry === "string" ? [entry] : [entry.types, entry.default],
  );
  for (const path of [...promised, ...Object.values(bin)]) {
    expect(files).toContain(path.replace(/^\.\//, ""));
  }
  expect(files.filter((path) => /\.(tsx?|test\.\w+|db)$/.test(path))).toEqual(
    files.filter((path) => path.endsWith(".d.ts")),
  );
});

test("every entry point can be imported by its name", async () => {
  const script = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0);`;
  writeFileSync(join(folder, "import.js"), script);
  const { stdout } = await run(process.execPath, ["import.js"], { cwd: folder });
  expect(stdout.trim().split("\n")).toEqual(names.map((name) => `${name} true`));
});

test("its command can be run where it was built", async () => {
  const { stdout } = await run("npx", ["toolthread", "--version"], { cwd: root });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(["nodenext", "bundler"])("what the documents show compiles, with %s", async (way) => {
  const shown = ["docs/client.md", "docs/agents.md"].flatMap((page) => snippetsOf(page, "ts"));
  expect(shown.length).toBeGreaterThan(4);
  const files = shown.map((snippet, i) => {
    writeFileSync(join(folder, `shown-${i}.ts`), snippet);
    return `shown-${i}.ts`;
  });
  // Every name that is there, and that none of them has lost its type.
  const wrong = [
    'import { createToolthreadClient } from "toolthread/client";',
    'const client = createToolthreadClient({ url: "" });',
    "// @ts-expect-error",
    'await client.pollTask("t", { since: 1 });',
    "// @ts-expect-error",
    'const text: string = await client.getTask("t");',
    "console.log(text);",
    ...names.map((name, i) => `import * as entry${i} from "${name}"; console.log(entry${i});`),
  ];
  writeFileSync(join(folder, "names.ts"), wrong.join("\n"));
  const module = way === "nodenext" ? "nodenext" : "esnext";
  const compilerOptions = {
    module,
    moduleResolution: way,
    target: "es2022",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  };
  const config = `tsconfig.${way}.json`;
  writeFileSync(
    join(folder, config),
    JSON.stringify({ compilerOptions, files: [...files, "names.ts"] }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const compiled = await run(process.execPath, [tsc, "-p", config], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe("");
});
