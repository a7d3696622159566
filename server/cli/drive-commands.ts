import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import { updateLevels } from "../core/task-update.ts";
import type { CliContext } from "./cli-context.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { oneLine } from "./terminal.ts";

type Run = <Args extends unknown[]>(
  action: (context: CliContext, ...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void>;

interface AskOptions {
  choices?: string;
  multiple?: boolean;
  schema?: string;
  timeout: string;
  default?: string;
  key?: string;
  urgency?: "low" | "normal" | "high";
  secret?: boolean;
  anyone?: boolean;
  type: string;
}

const waitSeconds = 30;

/** Commands of programs that drive a task of their own. */
export function addDriveCommands(program: Command, run: Run): void {
  program
    .command("ask <prompt>")
    .description("ask people, wait, and print the answer")
    .option("--choices <a,b>", "what to choose from")
    .option("--multiple", "several of the choices may be chosen")
    .option("--schema <json>", "JSON Schema the answer must fit")
    .option("--timeout <seconds>", "how long somebody has to answer", "300")
    .option("--default <value>", "what counts when nobody answers")
    .option("--key <key>", "one question each: a script that runs again gets the same answer")
    .addOption(
      new Option("--urgency <how>", "how much it presses").choices(["low", "normal", "high"]),
    )
    .option("--secret", "the answer is shown to nobody else")
    .option("--anyone", "agents may answer as well")
    .option("--type <name>", "the type of the task, outside of `toolthread run`", "ask")
    .addHelpText(
      "after",
      "\nExits 0 with an answer, 3 when declined, 4 after the timeout, 5 when cancelled.",
    )
    .action(
      run((context, prompt: string, options: AskOptions) => askPeople(context, prompt, options)),
    );

  program
    .command("update <message>")
    .description("post an update of the task around (inside `toolthread run`)")
    .addOption(new Option("--level <level>", "what kind").choices(updateLevels).default("info"))
    .action(
      run(async (context, message: string, options: { level: "info" }) => {
        await context.client.drive.update({
          ...taskAround(context),
          message,
          level: options.level,
        });
      }),
    );

  program
    .command("progress <done> [total]")
    .description("say how far the task around is (inside `toolthread run`)")
    .option("--message <text>", "what is done now")
    .action(
      run(
        async (context, done: string, total: string | undefined, options: { message?: string }) => {
          await context.client.drive.progress({
            ...taskAround(context),
            done: numberOf(done),
            total: total === undefined ? null : numberOf(total),
            message: options.message ?? null,
          });
        },
      ),
    );
}

async function askPeople(context: CliContext, prompt: string, options: AskOptions): Promise<void> {
  const { patientClient: client, settings, terminal } = context;
  const timeout = numberOf(options.timeout);
  const inside = settings.taskId !== null;
  const call = inside ? taskAround(context) : await startAsking(context, prompt, options);
  const ask = {
    ...call,
    key: options.key ?? randomUUID(),
    prompt,
    timeout,
    ...(options.choices === undefined ? {} : { choices: listOf(options.choices) }),
    ...(options.multiple ? { multiple: true } : {}),
    ...(options.schema === undefined ? {} : { schema: schemaOf(options.schema) }),
    ...(options.default === undefined ? {} : { default: defaultOf(options) }),
    ...(options.urgency === undefined ? {} : { urgency: options.urgency }),
    ...(options.secret ? { secret: true } : {}),
    answerableBy: options.anyone ? ("anyone" as const) : ("operator" as const),
    wait: waitSeconds,
  };
  const stop = onStop(() => (inside ? undefined : client.cancelTask(call.taskId, { force: true })));
  let told: Awaited<ReturnType<typeof client.drive.ask>>;
  try {
    do told = await client.drive.ask(ask);
    while (told.outcome === null);
  } finally {
    stop();
  }
  const answer = told.defaultUsed ? told.defaultValue : told.answer;
  const has = told.outcome === "answered" || told.defaultUsed;
  if (!inside) await endAsking(context, call, told, options.secret ? "•••" : answer);
  if (terminal.isJson) terminal.line(JSON.stringify(told));
  else if (has) terminal.line(typeof answer === "string" ? answer : JSON.stringify(answer));
  if (has) return;
  const by = told.by === null ? "" : ` by ${told.by}`;
  if (told.outcome === "declined") {
    const why = told.declineReason === null ? "" : `: ${told.declineReason}`;
    throw new CommandFailure(`Declined${by}${why}`, exitCodes.declined);
  }
  if (told.outcome === "timed_out") {
    throw new CommandFailure(`Nobody answered within ${timeout} s.`, exitCodes.timedOut);
  }
  throw new CommandFailure(`Cancelled${by}.`, exitCodes.cancelled);
}

interface DriverCall {
  taskId: string;
  driverId: string;
  leaseSeconds?: number;
}

/** A task that does nothing but ask. */
async function startAsking(
  { client, terminal, settings }: CliContext,
  prompt: string,
  { type, key }: AskOptions,
): Promise<DriverCall> {
  // A script that runs again with the same key has its own task, and is told the same answer only
  // while that one is open; the key of the task would refuse a second driver.
  const { taskId, driverId } = await client.drive.start({
    type,
    params: { prompt: oneLine(prompt, 500), ...(key === undefined ? {} : { key }) },
  });
  if (!terminal.isJson) terminal.note(`Asked: ${settings.url}/tasks/${taskId}`);
  return { taskId, driverId };
}

async function endAsking(
  { client }: CliContext,
  call: DriverCall,
  told: {
    status: string;
    outcome: string | null;
    defaultUsed: boolean;
    declineReason: string | null;
  },
  answer: unknown,
): Promise<void> {
  if (told.outcome === "cancelled") {
    await client.drive.finish({ ...call, status: "cancelled" }).catch(() => {});
  } else if (told.outcome === "answered" || told.defaultUsed) {
    await client.drive.finish({ ...call, status: "completed", result: answer as never });
  } else {
    const error =
      told.outcome === "declined"
        ? `QuestionDeclined: ${told.declineReason ?? "nobody said why"}`
        : "TaskTimeout: nobody answered in time";
    await client.drive.finish({ ...call, status: "failed", error });
  }
}

function taskAround({ settings }: CliContext): DriverCall {
  const { taskId, driverId } = settings;
  if (taskId !== null && driverId !== null) return { taskId, driverId };
  throw new CommandFailure(
    "There is no task around: use this inside of `toolthread run`, which sets TOOLTHREAD_TASK.",
    exitCodes.usage,
  );
}

/** @returns what ends the watch for signals. */
function onStop(action: () => unknown): () => void {
  const stop = (signal: NodeJS.Signals) => {
    void Promise.resolve(action())
      .catch(() => {})
      .finally(() => process.exit(signal === "SIGINT" ? 130 : 143));
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return () => {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  };
}

function listOf(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

function defaultOf({ default: text = "", multiple, schema }: AskOptions): never {
  if (multiple) return listOf(text) as never;
  return (schema === undefined ? text : JSON.parse(text)) as never;
}

function schemaOf(text: string): never {
  try {
    return JSON.parse(text) as never;
  } catch (error) {
    throw new CommandFailure(
      `The schema is not JSON: ${(error as Error).message}`,
      exitCodes.usage,
    );
  }
}

function numberOf(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new CommandFailure(`"${text}" is not a number.`, exitCodes.usage);
}
