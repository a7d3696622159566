import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { projectDir } from "./build-stamp.mjs";

/**
 * Writes each script and style sheet of the build once more as Brotli, and as gzip for browsers that
 * came without TLS: compressed once, as well as can be, and not for each browser. The server sends
 * these files.
 */
export function compressStatic() {
  const folder = join(projectDir, ".next", "static");
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css)$/.test(name)) continue;
    const path = join(folder, name);
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
