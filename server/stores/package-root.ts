import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of this package, found from this file, wherever it runs from: the sources, `dist`, or
 * a bundle. A bundle may have lost its place on disk; then the working folder is asked.
 */
export function packageRoot(): string {
  for (const start of [dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      if (isToolthread(folder)) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  throw new Error("toolthread's own package.json was not found: the installation is not complete.");
}

function isToolthread(folder: string): boolean {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return false;
  return (JSON.parse(readFileSync(file, "utf8")) as { name?: string }).name === "toolthread";
}
