import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Vitest's global set-up for tests of the built program: builds it when a source has changed. */
export default function setup(): void {
  const build = fileURLToPath(new URL("../../server/build.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [build, "--if-stale"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The build failed.\n${stdout}\n${stderr}`);
}
