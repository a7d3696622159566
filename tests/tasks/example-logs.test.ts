import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { analyzeFile } from "../../server/tasks/analyze-logs/analyze-file.ts";
import { findLogFiles } from "../../server/tasks/analyze-logs/log-file.ts";

const root = join(import.meta.dirname, "../../examples/logs");

// Not what lies in the folder: whoever tries toolthread puts logs of their own there.
const examples = [
  ["app.log", "log4j"],
  ["db.log", "plain"],
  ["packages.log", "dpkg"],
  ["syslog", "syslog"],
  ["web-error.log", "web-error"],
  ["web.log", "access"],
  ["worker-2026-11-29.jsonl.gz", "json"],
  ["worker.jsonl", "json"],
] as const;
const names = examples.map(([name]) => name);

test("every example is named in the README, and small", () => {
  const readme = readFileSync(join(root, "../README.md"), "utf8");
  for (const name of names) expect(readme).toContain(`\`${name}\``);
  const bytes = names.reduce((sum, name) => sum + statSync(join(root, name)).size, 0);
  expect(bytes).toBeLessThan(300_000);
});

test.each(examples)("%s is read whole as %s and has errors to ask about", async (name, format) => {
  const [file] = await findLogFiles(root, [name]);
  const analysis = await analyzeFile(file!, new AbortController().signal, () => {});
  expect(analysis).toMatchObject({
    formats: [{ name: format, lines: expect.any(Number) }],
    unrecognizedLines: 0,
    problem: null,
  });
  expect(analysis.countsByLevel.error).toBeGreaterThan(0);
  expect(analysis.firstAt).not.toBeNull();
});

test("they name no real host or address", () => {
  // RFC 5737, and the names that RFC 2606 sets aside.
  const allowed = /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/;
  for (const name of names) {
    const bytes = readFileSync(join(root, name));
    const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
    const addresses = text.match(/(?<![\w./])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/g) ?? [];
    expect(addresses.filter((address) => !allowed.test(address))).toEqual([]);
    const hosts = text.match(/(?<=https?:\/\/|@)[a-z][\w.-]+/g) ?? [];
    expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
  }
});
