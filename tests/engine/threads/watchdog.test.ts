import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("./block-the-loop.mts", import.meta.url));

test("a handler that blocks the event loop is reported while it does, and again after", async () => {
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  let sawItWhileBlocked = false;
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
    if (/blocked for .* running: hog /.test(stderr)) sawItWhileBlocked ||= child.exitCode === null;
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const [code] = await once(child, "exit");
  expect(code, stderr).toBe(0);
  expect(sawItWhileBlocked).toBe(true);
  expect(stdout).toContain('"the event loop was blocked"');
  expect(stdout).toContain('"completed"');
});
