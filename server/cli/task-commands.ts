import type { Command } from "commander";
import type { WatchedEvent } from "../adapters/client/create-toolthread-client.ts";
import type { CliContext } from "./cli-context.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { jsonOf, jsonOrText, listOf, numberOf, pairOf } from "./option-values.ts";
import { oneLine, plainText, type Terminal } from "./terminal.ts";

type Run = <Args extends unknown[]>(
  action: (context: CliContext, ...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void>;

/** Commands on tasks that the server runs. */
export function addTaskCommands(program: Command, run: Run): void {
  program
    .command("types")
    .description("list what can be started")
    .action(
      run(async ({ client, terminal }) => {
        const types = await client.taskTypes();
        terminal.tell(types, () =>
          terminal.table([
            ["TYPE", "DESCRIPTION"],
            ...types.map(({ type, description }) => [type, oneLine(description, 90)]),
          ]),
        );
      }),
    );

  program
    .command("start <type> [params...]")
    .description("start a task; params are name=value or one JSON object")
    .option("--label <name=value...>", "short texts to find it by")
    .option("--key <key>", "idempotency key: the same key starts it once")
    .option("-w, --watch", "follow it to its end; exits 1 when it fails, 5 when it is cancelled")
    .action(
      run(
        async (
          context,
          type: string,
          params: string[],
          options: { label?: string[]; key?: string; watch?: boolean },
        ) => {
          const { client, terminal } = context;
          const started = await client.startTaskDetailed(type, readParams(params), {
            labels: pairsOf(options.label ?? []),
            idempotencyKey: options.key,
          });
          terminal.tell(started, () => started.taskId);
          if (options.watch) await follow(context, started.taskId);
        },
      ),
    );

  program
    .command("watch <taskId>")
    .description("follow a task to its end; exits 1 when it fails, 5 when it is cancelled")
    .action(run((context, taskId: string) => follow(context, taskId)));

  program
    .command("cancel <taskId>")
    .description("ask a task to end")
    .option("--reason <text>", "why")
    .option("--force", "end it at once, without its clean-up")
    .action(
      run(
        async (
          { client, terminal },
          taskId: string,
          options: { reason?: string; force?: boolean },
        ) => {
          const { reason, force } = options;
          const cancelled = await client.cancelTask(taskId, { reason, force });
          terminal.tell({ taskId, cancelled }, () =>
            cancelled ? `${taskId} is asked to end.` : `${taskId} had already ended.`,
          );
        },
      ),
    );

  program
    .command("tasks")
    .description("list tasks, newest first")
    .option("--status <status...>", "only these")
    .option("--type <type...>", "only these")
    .option("--limit <count>", "how many", "20")
    .action(
      run(
        async (
          { client, terminal },
          options: { status?: string[]; type?: string[]; limit: string },
        ) => {
          const { items } = await client.listTasks({
            statuses: options.status as never,
            types: options.type,
            limit: numberOf(options.limit),
          });
          terminal.tell(items, () =>
            terminal.table([
              ["TASK", "TYPE", "STATUS", "CREATED", ""],
              ...items.map(({ taskId, type, status, createdAt, errorSummary }) => [
                taskId,
                type,
                status,
                createdAt.slice(0, 19).replace("T", " "),
                oneLine(errorSummary ?? ""),
              ]),
            ]),
          );
        },
      ),
    );

  program
    .command("questions")
    .description("list open questions, the most pressing first")
    .option("--task <taskId>", "only of this task")
    .action(
      run(async ({ client, terminal }, options: { task?: string }) => {
        const { items } = await client.listQuestions({ taskId: options.task });
        terminal.tell(items, () =>
          terminal.table([
            ["QUESTION", "TASK TYPE", "DEADLINE", "PROMPT"],
            ...items.map(({ questionId, taskType, deadline, prompt }) => [
              questionId,
              taskType,
              deadline.slice(0, 19).replace("T", " "),
              oneLine(prompt),
            ]),
          ]),
        );
      }),
    );

  program
    .command("answer <questionId> [answer]")
    .description("answer a question, or decline it")
    .option("--decline [reason]", "refuse to answer")
    .action(
      run(
        async (
          { client, terminal },
          questionId: string,
          answer: string | undefined,
          { decline }: { decline?: string | true },
        ) => {
          if ((answer === undefined) === (decline === undefined)) {
            throw new CommandFailure("Give either an answer or --decline.", exitCodes.usage);
          }
          const { won, question } = decline
            ? await client.declineQuestion(questionId, {
                reason: decline === true ? null : decline,
              })
            : await client.answerQuestion(
                questionId,
                readAnswer(await client.getQuestion(questionId), answer as string),
              );
          if (!won) {
            throw new CommandFailure(
              `The question was closed before: ${question.outcome}, ${JSON.stringify(question.answer)}.`,
            );
          }
          terminal.tell(question, () => `${questionId}: ${question.outcome ?? "approved so far"}.`);
        },
      ),
    );
}

async function follow({ client, terminal }: CliContext, taskId: string): Promise<void> {
  for await (const event of client.watch(taskId)) {
    if (terminal.isJson) terminal.line(JSON.stringify(event));
    else for (const text of wordsOf(event, terminal)) terminal.line(text);
  }
  const { task, result, error } = await client.getTask(taskId);
  if (!terminal.isJson && task.status === "completed" && result !== null) {
    terminal.line(typeof result === "string" ? plainText(result) : JSON.stringify(result, null, 2));
  }
  if (task.status === "failed") throw new CommandFailure(plainText(error ?? "It failed."));
  if (task.status === "cancelled") {
    throw new CommandFailure(plainText(error ?? "It was cancelled."), exitCodes.cancelled);
  }
}

const levelStyles = { debug: "dim", info: "reset", warning: "yellow", error: "red" } as const;

function wordsOf(event: WatchedEvent, terminal: Terminal): string[] {
  switch (event.kind) {
    case "update": {
      const style = levelStyles[event.level];
      return [terminal.styled(style, plainText(event.message))];
    }
    case "question_opened":
      return [
        terminal.styled("bold", `? ${plainText(event.prompt)}`),
        terminal.styled("dim", `  toolthread answer ${event.questionId} …`),
      ];
    case "question_resolved":
      return [terminal.styled("dim", `  ${event.outcome} by ${event.actor?.name ?? "nobody"}`)];
    case "cancel_requested":
      return [terminal.styled("dim", `cancel requested by ${event.actor.name}`)];
    case "task_finished":
      return [terminal.styled("bold", event.status)];
    default:
      return [];
  }
}

/** name=value pairs, or one JSON object; a value that is JSON is read as that. */
function readParams(texts: readonly string[]): Record<string, unknown> {
  const [first = ""] = texts;
  if (texts.length === 1 && first.trim().startsWith("{")) {
    return jsonOf(first, "params object") as Record<string, unknown>;
  }
  return Object.fromEntries(
    Object.entries(pairsOf(texts)).map(([name, value]) => [name, jsonOrText(value)]),
  );
}

function pairsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map(pairOf));
}

/** An answer as the question takes it: JSON where it has a schema, a list where it has several choices. */
function readAnswer(
  question: { schema: unknown; approval: unknown; multiple: boolean },
  text: string,
): unknown {
  if (question.schema || question.approval) return jsonOrText(text);
  return question.multiple ? listOf(text) : text;
}
