import { type ChildProcessByStdio, spawn } from "node:child_process";
import { constants } from "node:os";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { Command } from "commander";
import { hasErrorCode, isToolthreadError, ServerUnreachable } from "../core/errors.ts";
import type { CliContext } from "./cli-context.ts";
import { childEnvironment } from "./cli-settings.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { LinePoster } from "./line-poster.ts";
import { pairOf } from "./option-values.ts";
import { passOutput } from "./pass-output.ts";
import { patienceSeconds } from "./patience.ts";
import { ProcessGroup } from "./process-group.ts";
import { oneLine, type Terminal } from "./terminal.ts";

const heartbeatSeconds = 15;

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
  { client, clientWith, settings, terminal }: CliContext,
  command: string,
  args: string[],
  { type, label = [] }: RunOptions,
): Promise<void> {
  if (command === "") throw new CommandFailure("The command is empty.", exitCodes.usage);
  const { taskId, driverId } = await client.drive.start({
    type:
      type ??
      `run/${basename(command)
        .replace(/[^\w.:-]/g, "-")
        .slice(0, 90)}`,
    params: { command: [command, ...args] },
    labels: Object.fromEntries(label.map(pairOf)),
  });
  // The task goes on when nobody reads its output any more, as after `| head`.
  terminal.outliveReaders();
  terminal.note(`Task ${taskId}: ${settings.url}/tasks/${taskId}`);
  const call = { taskId, driverId };
  // However long the server is away, the command goes on, and the server is told of it afterwards.
  const patientClient = clientWith({ retrySeconds: Infinity });
  const givenUp = new AbortController();
  const { signal } = givenUp;
  const poster = new LinePoster(async (lines, sequence) => {
    await patientClient.drive.update({ ...call, ...lines, sequence, signal });
  });
  const end = (ended: Ended, isStopped: boolean) => {
    const why = `The server did not answer for ${patienceSeconds} s: it was not told how it ended.`;
    setTimeout(() => givenUp.abort(new ServerUnreachable(why)), patienceSeconds * 1000).unref();
    return finish(patientClient, { ...call, signal }, poster, ended, isStopped, terminal);
  };
  const child = launch(command, args, childEnvironment(settings, call));
  if (child instanceof Error) {
    const ended = { code: tellWhyNot(child, command, terminal), signal: null };
    process.exitCode = ended.code;
    await end(ended, false);
    return;
  }
  const group = new ProcessGroup(child, () => {
    child.stdout.destroy();
    child.stderr.destroy();
  });
  const outputs = [
    passOutput(child.stdout, process.stdout, (line) => poster.add(line, "info")),
    passOutput(child.stderr, process.stderr, (line) => poster.add(line, "warning")),
  ];
  const watching = new AbortController();
  const cancels = watchForCancel(patientClient, call, group, watching.signal);
  const stopSignals = passSignals(group, terminal);
  try {
    const ended = await exitOf(child, command, terminal);
    process.exitCode = exitCodeOf(ended);
    await Promise.all(outputs);
    group.isOver();
    await end(ended, group.isStopped);
  } finally {
    group.isOver();
    stopSignals();
    watching.abort();
    await cancels;
  }
}

/** @returns what is wrong, where it cannot even be tried. */
function launch(command: string, args: string[], env: NodeJS.ProcessEnv) {
  try {
    // A group of its own, so that a stop reaches whatever it started.
    return spawn(command, args, { stdio: ["inherit", "pipe", "pipe"], env, detached: true });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** As shells have it: 127 for a command that is not there, 126 for one that cannot be run. */
function tellWhyNot({ code, message }: NodeJS.ErrnoException, command: string, terminal: Terminal) {
  const isMissing = code === "ENOENT";
  const why = isMissing ? "command not found" : `cannot be run: ${message}`;
  terminal.note(`toolthread: ${oneLine(command, 200)}: ${why}`);
  return isMissing ? 127 : 126;
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
  call: { taskId: string; driverId: string; signal: AbortSignal },
  poster: LinePoster,
  { code, signal }: Ended,
  isStopped: boolean,
  terminal: Terminal,
): Promise<void> {
  try {
    await poster.flush();
    if (code === 0) {
      await client.drive.finish({ ...call, status: "completed", result: { exitCode: 0 } });
    } else if (isStopped) {
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
    // It was ended from elsewhere, say; the command's own exit code stands.
    if (!isToolthreadError(error)) throw error;
    terminal.note(`toolthread: ${error.message}`);
  }
}

const passedSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Signals are the command's. Once that has ended, the first one is told what still goes on. */
function passSignals(group: ProcessGroup, terminal: Terminal): () => void {
  let isTold = false;
  const pass = (signal: NodeJS.Signals) => {
    if (group.signal(signal)) return;
    if (isTold) process.exit();
    isTold = true;
    terminal.note("The server is being told how it ended. Once more to give that up.");
  };
  for (const signal of passedSignals) process.on(signal, pass);
  return () => {
    for (const signal of passedSignals) process.off(signal, pass);
  };
}

async function exitOf(
  child: ChildProcessByStdio<null, Readable, Readable>,
  command: string,
  terminal: Terminal,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (!error.syscall?.startsWith("spawn")) reject(error);
      else resolve({ code: tellWhyNot(error, command, terminal), signal: null });
    });
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
}

function exitCodeOf({ code, signal }: Ended): number {
  return code ?? 128 + constants.signals[signal ?? "SIGTERM"];
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
