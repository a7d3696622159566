import { spawnSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtStamp, projectDir, sourceStamp, stampFile } from "./build-stamp.mjs";
import { compressStatic } from "./compress-static.mjs";

const steps = [
  ["prisma", "generate"],
  ["next", "build"],
  ["tsc", "-p", "tsconfig.server.json"],
];

/**
 * Builds the pages (`.next`) and the server (`dist`).
 *
 * @returns whether all of it succeeded.
 */
export function build() {
  const stamp = sourceStamp();
  rmSync(join(projectDir, "dist"), { recursive: true, force: true });
  if (!steps.every(([tool, ...args]) => run(tool, args))) return false;
  // What `npx toolthread` runs here; npm sees to it where the package is installed.
  chmodSync(join(projectDir, "dist/server/cli/main.js"), 0o755);
  compressStatic();
  writeFileSync(stampFile, stamp);
  return true;
}

function run(tool, args) {
  const bin = join(projectDir, "node_modules", ".bin", tool);
  const { status, error } = spawnSync(bin, args, {
    cwd: projectDir,
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (error) process.stderr.write(`${tool} could not be run: ${error.message}\n`);
  return status === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const isFresh = process.argv.includes("--if-stale") && builtStamp() === sourceStamp();
  process.exit(isFresh || build() ? 0 : 1);
}
