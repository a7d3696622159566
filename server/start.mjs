// `npm start`: builds when there is no build of the present sources, then serves it. The server
// runs in this very process, so that signals reach it.
process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtStamp, projectDir, sourceStamp } from "./build-stamp.mjs";

if (builtStamp() !== sourceStamp()) {
  const { build } = await import("./build.mjs");
  process.stdout.write("Building toolthread; this takes about a minute, once.\n");
  if (!build()) {
    process.stderr.write("toolthread could not be built; the messages above say why.\n");
    process.exit(1);
  }
}
await import(pathToFileURL(join(projectDir, "dist", "server", "main.js")).href);
