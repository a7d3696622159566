import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const main = join(root, "server/cli/main.ts");

/** The command line, run from its sources. */
export const cliCommand = [process.execPath, "--import", import.meta.resolve("tsx"), main] as const;

export interface CliRun {
  code: number | null;
  out: string;
  err: string;
}

export interface CliProcess extends Promise<CliRun> {
  child: ChildProcess;
}

/** Runs the command line from its sources. */
export function runCli(
  args: string[],
  env: Record<string, string>,
  cwd: string = root,
): CliProcess {
  const [program, ...before] = cliCommand;
  return collect(
    spawn(program, [...before, ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

/** What a process writes and exits with. */
export function collect(child: ChildProcess): CliProcess {
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  const ended = new Promise<CliRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
  return Object.assign(ended, { child });
}
