/**
 * `npm test`: builds if need be, runs Vitest and Playwright beside each other (much of what either does
 * is waiting), and ends with one line that sums both, `N passed, N failed`. Exits non-zero when anything
 * failed, when a stage broke before its tests, or when no test ran at all.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { builtStamp, sourceStamp } from "../server/build-stamp.mjs";
import { ensureChromium } from "./support/chromium.ts";

const root = join(import.meta.dirname, "..");
const reports = join(root, "node_modules/.cache/test-reports");
// A stop for what hangs. The tests take under five minutes on two idle cores; a shared machine that is
// busy with other things may take several times as long, and that is no failure.
const limitSeconds = 45 * 60;
const deadline = Date.now() + limitSeconds * 1000;
const outputSeconds = 5;

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

const oneFailure: Counts = { passed: 0, failed: 1, skipped: 0 };
const running = new Set<ChildProcess>();

/**
 * Runs a program in a process group of its own, so that a stop reaches what it started.
 *
 * @param name is put before each line it prints.
 */
function run(
  name: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => console.log(`${name} | ${line}`));
    }
    running.add(child);
    const timer = setTimeout(() => {
      console.error(`Stopped: the tests may take ${limitSeconds} s in all.`);
      stopRunning("SIGKILL");
    }, deadline - Date.now());
    const done = (ok: boolean) => {
      clearTimeout(timer);
      running.delete(child);
      resolve(ok);
    };
    child.on("error", (error) => {
      console.error(error);
      done(false);
    });
    // Its output is read to the end, but not for ever: what it left running may hold it open.
    child.on("exit", (code) => {
      const isOver = () => done(code === 0);
      child.once("close", isOver);
      setTimeout(isOver, outputSeconds * 1000).unref();
    });
  });
}

function stopRunning(signal: NodeJS.Signals): void {
  for (const { pid } of running) if (pid) process.kill(-pid, signal);
}

async function vitest(): Promise<Counts> {
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const ok = await run("vitest", "npx", ["vitest", "run", ...reporters]);
  const report = readReport<VitestReport>(file);
  if (!report) return oneFailure;
  // A file that does not load has no tests to count; it is a failure all the same.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !(ok && report.success) ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

async function playwright(): Promise<Counts> {
  const file = join(reports, "playwright.json");
  const ok = await run("browser", "npx", ["playwright", "test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    CHROMIUM_PATH: ensureChromium(),
  });
  const report = readReport<PlaywrightReport>(file);
  if (!report) return oneFailure;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failed = unexpected === 0 && !ok ? 1 : unexpected;
  return { passed: expected + flaky, failed, skipped };
}

function readReport<Report>(file: string): Report | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : null;
}

async function runAll(): Promise<Counts> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const isBuilt = builtStamp() === sourceStamp();
  if (!isBuilt && !(await run("build", "npm", ["run", "build"]))) return oneFailure;
  const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
  const stages = [vitest, playwright].map((stage) =>
    stage().catch((error: unknown) => {
      console.error(error);
      return oneFailure;
    }),
  );
  for (const counts of await Promise.all(stages)) {
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.skipped += counts.skipped;
  }
  return sum;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopRunning(signal);
    process.exit(1);
  });
}

const { passed, failed, skipped } = await runAll();
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
