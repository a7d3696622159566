/**
 * `npm run test:conformance`: the conformance suite of the Model Context Protocol against a server of
 * this process. The suite wants a newer Node than this project, and comes from the registry, so it is
 * a command of its own and no part of `npm test`.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "../support/api-server.ts";
import { registerFixtures } from "./fixtures.ts";
import { notApplicable, scenarios, suite } from "./scenarios.ts";

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

const server = await startApiServer({ register: registerFixtures });
const folder = mkdtempSync(join(tmpdir(), "conformance-"));
const failures: string[] = [];
const unmet = new Set(Object.keys(notApplicable));
let passed = 0;
try {
  for (const scenario of scenarios) {
    const checks = await run(scenario);
    for (const { id, status, errorMessage } of checks) {
      if (status === "SUCCESS") passed += 1;
      if (status !== "FAILURE") continue;
      unmet.delete(id);
      if (!(id in notApplicable)) failures.push(`${scenario}: ${id}: ${errorMessage ?? ""}`);
    }
    const failed = checks.filter(({ status }) => status === "FAILURE").length;
    process.stdout.write(`${scenario}: ${checks.length} checks, ${failed} not met\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
}
for (const id of unmet) failures.push(`${id} is met now: take it from the list of exceptions.`);
for (const error of server.errors) failures.push(`The server logged ${JSON.stringify(error)}`);
process.stdout.write(
  `${passed} checks passed, ${Object.keys(notApplicable).length} do not apply.\n`,
);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);

/** @returns the scenario's checks; throws when it could not be run. */
function run(scenario: string): Promise<Check[]> {
  const output = join(folder, scenario);
  const command = ["conformance", "server", "--url", `${server.url}/api/mcp`];
  const options = ["--scenario", scenario, "--output-dir", output];
  const args = ["--yes", "-p", "node@24", "-p", suite, ...command, ...options];
  return new Promise((resolve, reject) => {
    execFile("npx", args, { timeout: 120_000 }, (error, _, stderr) => {
      try {
        const [results] = readdirSync(output);
        resolve(JSON.parse(readFileSync(join(output, results as string, "checks.json"), "utf8")));
      } catch {
        reject(new Error(`${scenario} could not be run: ${error?.message ?? ""} ${stderr}`));
      }
    });
  });
}
