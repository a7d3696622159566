import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { builtStamp, sourceStamp } from "../../server/build-stamp.mjs";

/** The tests are about what `npm run build` makes of the present sources. */
export default function buildWhenStale(): void {
  if (builtStamp() === sourceStamp()) return;
  execFileSync("npm", ["run", "build"], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: "inherit",
  });
}
