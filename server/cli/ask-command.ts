import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { type Command, Option } from "commander";
import { hasErrorCode, isToolthreadError } from "../core/errors.ts";
import { describeIssues } from "../core/issues.ts";
import type { JsonValue } from "../core/json.ts";
import type { CliContext } from "./cli-context.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { jsonOf, jsonOrText, listOf, numberOf } from "./option-values.ts";
import { patienceSeconds } from "./patience.ts";
import { type DriverCall, taskAround } from "./task-around.ts";
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

type Told = Awaited<ReturnType<CliContext["client"]["drive"]["ask"]>>;

const waitSeconds = 30;
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function addAskCommand(program: Command, run: Run): void {
  program
    .command("ask <prompt>")
    .description("ask people, wait, and print the answer")
    .option("--choices <a,b>", "what to choose from")
    .option("--multiple", "several of the choices may be chosen")
    .option("--schema <json>", "JSON Schema the answer must fit")
    .option("--timeout <seconds>", "how long somebody has to answer", "300")
    .option("--default <value>", "what counts when nobody answers in time")
    .option(
      "--key <key>",
      "inside `toolthread run`: the same key again is the same question, and has its answer",
    )
    .addOption(
      new Option("--urgency <how>", "how much it presses").choices(["low", "normal", "high"]),
    )
    .option("--secret", "the answer is shown to nobody else")
    .option("--anyone", "agents may answer as well")
    .option("--type <name>", "the type of the task, outside of `toolthread run`", "ask")
    .addHelpText(
      "after",
      "\nExits 0 with an answer, 2 for a question that is none, 3 when declined, 4 after the timeout, " +
        "5 when cancelled.",
    )
    .action(
      run((context, prompt: string, options: AskOptions) => askPeople(context, prompt, options)),
    );
}

async function askPeople(context: CliContext, prompt: string, options: AskOptions): Promise<void> {
  const { settings, terminal } = context;
  const client = context.clientWith({ retrySeconds: patienceSeconds });
  const asked = await checked(askedOf(prompt, options));
  const inside = settings.taskId !== null;
  const call = inside ? taskAround(context) : await startAsking(context, prompt, options.type);
  const ask = { ...asked, ...call, key: options.key ?? randomUUID() };
  const stop = onStop(() => (inside ? undefined : client.cancelTask(call.taskId, { force: true })));
  let told: Told;
  try {
    // The first call tells at once whether the question is taken: only then it is people who are waited for.
    told = await client.drive.ask({ ...ask, wait: 0 });
    while (told.outcome === null) told = await client.drive.ask({ ...ask, wait: waitSeconds });
  } catch (error) {
    if (!inside) await endRefused(context, call, error);
    throw error;
  } finally {
    stop();
  }
  const answer = told.defaultUsed ? told.defaultValue : told.answer;
  const has = told.outcome === "answered" || told.defaultUsed;
  if (!inside) await endAsking(client, call, told, options.secret ? "•••" : answer);
  if (terminal.isJson) terminal.line(JSON.stringify(told));
  else if (has) terminal.line(typeof answer === "string" ? answer : JSON.stringify(answer));
  if (has) return;
  const by = told.by === null ? "" : ` by ${told.by}`;
  if (told.outcome === "declined") {
    const why = told.declineReason === null ? "" : `: ${told.declineReason}`;
    throw new CommandFailure(`Declined${by}${why}`, exitCodes.declined);
  }
  if (told.outcome === "timed_out") {
    throw new CommandFailure(`Nobody answered within ${ask.timeout} s.`, exitCodes.timedOut);
  }
  throw new CommandFailure(`Cancelled${by}.`, exitCodes.cancelled);
}

type Ask = Parameters<CliContext["client"]["drive"]["ask"]>[0];
type Asked = Omit<Ask, "taskId" | "driverId" | "key" | "wait">;

function askedOf(prompt: string, options: AskOptions): Asked {
  const { choices, multiple, schema, timeout, default: preset, urgency, secret, anyone } = options;
  return {
    prompt,
    timeout: numberOf(timeout),
    ...(choices === undefined ? {} : { choices: listOf(choices) }),
    ...(multiple ? { multiple: true } : {}),
    ...(schema === undefined ? {} : { schema: jsonOf(schema, "schema") as Asked["schema"] }),
    ...(preset === undefined ? {} : { default: presetOf(preset, options) }),
    ...(urgency === undefined ? {} : { urgency }),
    ...(secret ? { secret: true } : {}),
    answerableBy: anyone ? "anyone" : "operator",
  };
}

function presetOf(text: string, { multiple, schema }: AskOptions): JsonValue {
  if (multiple) return listOf(text);
  return schema === undefined ? text : jsonOrText(text);
}

/**
 * The question, if a server would take it: what is wrong is said before there is a task.
 *
 * @throws CommandFailure
 */
async function checked(asked: Asked): Promise<Asked> {
  // Loaded here, because no other command has a use for them.
  const [{ driveAskInput }, { checkRequest }] = await Promise.all([
    import("../adapters/trpc/drive-inputs.ts"),
    import("../engine/question-request.ts"),
  ]);
  try {
    checkRequest(asked as Parameters<typeof checkRequest>[0]);
  } catch (error) {
    if (!hasErrorCode(error, "invalid_input")) throw error;
    throw new CommandFailure(error.message, exitCodes.usage);
  }
  const about = { taskId: true, driverId: true, key: true, wait: true } as const;
  const parsed = driveAskInput.omit(about).safeParse(asked);
  if (!parsed.success) {
    throw new CommandFailure(describeIssues(parsed.error.issues).text, exitCodes.usage);
  }
  return asked;
}

/** A task that does nothing but ask. */
async function startAsking(
  { client, terminal, settings }: CliContext,
  prompt: string,
  type: string,
): Promise<DriverCall> {
  const params = { prompt: oneLine(prompt, 500) };
  const { taskId, driverId } = await client.drive.start({ type, params });
  if (!terminal.isJson) terminal.note(`Asked: ${settings.url}/tasks/${taskId}`);
  return { taskId, driverId };
}

async function endAsking(
  client: CliContext["client"],
  call: DriverCall,
  told: Told,
  answer: JsonValue,
): Promise<void> {
  if (told.outcome === "cancelled") {
    await client.drive.finish({ ...call, status: "cancelled" }).catch(() => {});
  } else if (told.outcome === "answered" || told.defaultUsed) {
    await client.drive.finish({ ...call, status: "completed", result: answer });
  } else {
    const error =
      told.outcome === "declined"
        ? `QuestionDeclined: ${told.declineReason ?? "nobody said why"}`
        : "TaskTimeout: nobody answered in time";
    await client.drive.finish({ ...call, status: "failed", error });
  }
}

/** Ends a task whose question the server did not take, so that it does not wait for its lease to end. */
async function endRefused(
  { client }: CliContext,
  call: DriverCall,
  refused: unknown,
): Promise<void> {
  if (!isToolthreadError(refused) || refused.code === "server_unreachable") return;
  const error = `${refused.name}: ${refused.message}`.slice(0, 20_000);
  // It may have ended already, which is what was refused.
  await client.drive.finish({ ...call, status: "failed", error }).catch(() => {});
}

/** @returns what ends the watch for signals. */
function onStop(action: () => unknown): () => void {
  const stop = (signal: NodeJS.Signals) => {
    void Promise.resolve(action())
      .catch(() => {})
      .finally(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of stopSignals) process.once(signal, stop);
  return () => {
    for (const signal of stopSignals) process.off(signal, stop);
  };
}
