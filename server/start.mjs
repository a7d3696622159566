// `npm start`: builds when there is no build of the present sources, then serves it. The server
// runs in this very process, so that signals reach it. Only npm keeps them from it: its shell
// stands between, takes a SIGTERM for itself, and would leave the server behind.
process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtStamp, projectDir, sourceStamp } from "./build-stamp.mjs";

const parent = process.ppid;

if (builtStamp() !== sourceStamp()) {
  const { build } = await import("./build.mjs");
  process.stdout.write("Building toolthread; this takes about a minute, once.\n");
  if (!build()) {
    process.stderr.write("toolthread could not be built; the messages above say why.\n");
    process.exit(1);
  }
}
await import(pathToFileURL(join(projectDir, "dist", "server", "main.js")).href);

if (process.env.npm_lifecycle_event === "start") {
  let isClosing = false;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      isClosing = true;
    });
  }
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (!isClosing) process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}
