/**
 * `npm test`: builds if need be, runs Vitest and then Playwright, and ends with one line that sums both,
 * `N passed, N failed`. Exits non-zero when anything failed, when a stage broke before its tests,
 * or when no test ran at all.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtStamp, sourceStamp } from "../server/build-stamp.mjs";
import { ensureChromium } from "./support/chromium.ts";

const root = join(import.meta.dirname, "..");
const reports = join(root, "node_modules/.cache/test-reports");
// A stop for what hangs. The tests take under five minutes on two idle cores; a shared machine that is
// busy with other things may take several times as long, and that is no failure.
const limitSeconds = 45 * 60;
const deadline = Date.now() + limitSeconds * 1000;

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
let running: ChildProcess | null = null;

/** Runs a program in a process group of its own, so that a stop reaches what it started. */
function run(command: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
      detached: true,
    });
    running = child;
    const timer = setTimeout(() => {
      console.error(`Stopped: the tests may take ${limitSeconds} s in all.`);
      stopRunning("SIGKILL");
    }, deadline - Date.now());
    const done = (ok: boolean) => {
      clearTimeout(timer);
      running = null;
      resolve(ok);
    };
    child.on("error", (error) => {
      console.error(error);
      done(false);
    });
    child.on("exit", (code) => done(code === 0));
  });
}

function stopRunning(signal: NodeJS.Signals): void {
  if (running?.pid) process.kill(-running.pid, signal);
}

async function vitest(): Promise<Counts> {
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const ok = await run("npx", ["vitest", "run", ...reporters]);
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
  const ok = await run("npx", ["playwright", "test", "--reporter=list,json"], {
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
  if (!isBuilt && !(await run("npm", ["run", "build"]))) return oneFailure;
  const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const stage of [vitest, playwright]) {
    const counts = await stage().catch((error: unknown) => {
      console.error(error);
      return oneFailure;
    });
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
