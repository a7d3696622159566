import { type ChildProcessByStdio, spawn } from "node:child_process";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { Command } from "commander";
import { hasErrorCode } from "../adapters/client/create-toolthread-client.ts";
import type { CliContext } from "./cli-context.ts";
import { childEnvironment } from "./cli-settings.ts";
import { CommandFailure } from "./exit-codes.ts";
import { LinePoster } from "./line-poster.ts";

const heartbeatSeconds = 15;
const graceSeconds = 10;

type Run = <Args extends unknown[]>(
  action: (context: CliContext, ...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void>;

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export function addRunCommand(program: Command, run: Run): void {
  program
    .command("run <command> [args...]")
    .description("run a command as a task: its output are the updates, its exit code the result")
    .option("--type <name>", "the type of the task; made of the command's name when left out")
    .option("--label <name=value...>", "short texts to find it by")
    .passThroughOptions()
    .addHelpText(
      "after",
      "\nExits as the command does. Write `--` before it: toolthread run -- ./deploy.sh production",
    )
    .action(
      run((context, command: string, args: string[], options: RunOptions) =>
        runAsTask(context, command, args, options),
      ),
    );
}

interface RunOptions {
  type?: string;
  label?: string[];
}

async function runAsTask(
  { client, patientClient, settings, terminal }: CliContext,
  command: string,
  args: string[],
  { type, label = [] }: RunOptions,
): Promise<void> {
  const { taskId, driverId } = await client.drive.start({
    type:
      type ??
      `run/${basename(command)
        .replace(/[^\w.:-]/g, "-")
        .slice(0, 90)}`,
    params: { command: [command, ...args] },
    labels: Object.fromEntries(label.map((text) => splitLabel(text))),
  });
  terminal.note(`Task ${taskId}: ${settings.url}/tasks/${taskId}`);
  const call = { taskId, driverId };
  const child = spawn(command, args, {
    stdio: ["inherit", "pipe", "pipe"],
    env: childEnvironment(settings, call),
    // A group of its own, so that a stop reaches whatever it started.
    detached: true,
  });
  const group = new ProcessGroup(child);
  const poster = new LinePoster(async (lines, sequence) => {
    await patientClient.drive.update({ ...call, ...lines, sequence });
  });
  const outputs = [
    passOn(child.stdout, process.stdout, (line) => poster.add(line, "info")),
    passOn(child.stderr, process.stderr, (line) => poster.add(line, "warning")),
  ];
  const watching = new AbortController();
  const cancels = watchForCancel(patientClient, call, group, watching.signal);
  const stopSignals = passSignals(group);
  try {
    const ended = await exitOf(child, command);
    await Promise.all(outputs);
    await finish(patientClient, call, poster, ended, group);
    process.exitCode = exitCodeOf(ended);
  } finally {
    stopSignals();
    watching.abort();
    await cancels;
  }
}

/** Hears of a cancel at once, and keeps the lease up. A task that was ended takes its command along. */
async function watchForCancel(
  client: CliContext["client"],
  call: { taskId: string; driverId: string },
  group: ProcessGroup,
  signal: AbortSignal,
): Promise<void> {
  const beat = async (): Promise<void> => {
    while (!signal.aborted) {
      const { cancelRequested } = await client.drive.heartbeat({ ...call, signal });
      if (cancelRequested) group.cancel();
      await pause(heartbeatSeconds, signal);
    }
  };
  const watch = async (): Promise<void> => {
    for await (const event of client.watch(call.taskId, { signal })) {
      if (event.kind === "cancel_requested") group.cancel();
      if (event.kind === "task_finished") group.cancel();
    }
  };
  const ended = (error: unknown) => {
    if (signal.aborted) return;
    // The task is somebody else's now, or over: what the command does counts no more.
    if (hasErrorCode(error, "conflict") || hasErrorCode(error, "lease_lost")) group.cancel();
  };
  await Promise.all([beat().catch(ended), watch().catch(ended)]);
}

async function finish(
  client: CliContext["client"],
  call: { taskId: string; driverId: string },
  poster: LinePoster,
  { code, signal }: Ended,
  group: ProcessGroup,
): Promise<void> {
  try {
    await poster.flush();
    if (code === 0) {
      await client.drive.finish({ ...call, status: "completed", result: { exitCode: 0 } });
    } else if (group.isStopped) {
      await client.drive.finish({ ...call, status: "cancelled" });
    } else {
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      await client.drive.finish({
        ...call,
        status: "failed",
        result: { exitCode: code, signal },
        error: `CommandFailed: the command ended with ${how}`,
      });
    }
  } catch (error) {
    // It was ended from elsewhere meanwhile; the command's own exit code still stands.
    if (!hasErrorCode(error, "conflict") && !hasErrorCode(error, "lease_lost")) throw error;
    process.stderr.write(`toolthread: ${error.message}\n`);
  }
}

/** A command with everything it started. */
class ProcessGroup {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #isStopped = false;

  constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    this.#child = child;
  }

  /** Whether it was asked to end, and did not do so by itself. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  signal(signal: NodeJS.Signals): void {
    this.#isStopped ||= signal !== "SIGHUP";
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It has just ended.
    }
  }

  /** Asks it to end, and ends it when it does not. */
  cancel(): void {
    if (this.#isStopped) return;
    this.signal("SIGTERM");
    setTimeout(() => this.signal("SIGKILL"), graceSeconds * 1000).unref();
  }
}

function passSignals(group: ProcessGroup): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const pass = (signal: NodeJS.Signals) => group.signal(signal);
  for (const signal of signals) process.on(signal, pass);
  return () => {
    for (const signal of signals) process.off(signal, pass);
  };
}

// A line that never ends is not to fill the memory.
const maxOpenLineChars = 64 * 1024;

/** Shows output as it is, and reads it line by line. */
async function passOn(
  output: Readable,
  shown: NodeJS.WriteStream,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let open = "";
  // What a progress bar writes over itself is one line, of which the last state counts.
  const tell = (line: string) => onLine(line.split("\r").findLast((part) => part !== "") ?? "");
  for await (const chunk of output as AsyncIterable<Buffer>) {
    shown.write(chunk);
    const lines = (open + decoder.decode(chunk, { stream: true })).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) tell(line);
    if (open.length <= maxOpenLineChars) continue;
    tell(open);
    open = "";
  }
  tell(open + decoder.decode());
}

async function exitOf(
  child: ChildProcessByStdio<null, Readable, Readable>,
  command: string,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "ENOENT";
      if (isMissing) process.stderr.write(`toolthread: ${command}: command not found\n`);
      // As shells have it: 127 for a command that is not there, 126 for one that cannot be run.
      if (error.syscall?.startsWith("spawn"))
        resolve({ code: isMissing ? 127 : 126, signal: null });
      else reject(error);
    });
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
}

function exitCodeOf({ code, signal }: Ended): number {
  if (code !== null) return code;
  const numbers: Partial<Record<NodeJS.Signals, number>> = {
    SIGHUP: 1,
    SIGINT: 2,
    SIGKILL: 9,
    SIGTERM: 15,
  };
  return 128 + (numbers[signal ?? "SIGTERM"] ?? 15);
}

function splitLabel(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CommandFailure(`The label "${text}" is not written as name=value.`, 2);
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, seconds * 1000);
    signal.addEventListener("abort", end, { once: true });
  });
}
