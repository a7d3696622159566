import { type Command, Option } from "commander";
import { updateLevels } from "../core/task-update.ts";
import type { CliContext } from "./cli-context.ts";
import { numberOf } from "./option-values.ts";
import { taskAround } from "./task-around.ts";

type Run = <Args extends unknown[]>(
  action: (context: CliContext, ...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void>;

/** Commands that belong to the task of `toolthread run`, inside of it. */
export function addDriveCommands(program: Command, run: Run): void {
  program
    .command("update <message>")
    .description("post an update of the task around (inside `toolthread run`)")
    .addOption(new Option("--level <level>", "what kind").choices(updateLevels).default("info"))
    .option("--key <key>", "the same key again posts nothing: for scripts that repeat themselves")
    .action(
      run(async (context, message: string, options: { level: "info"; key?: string }) => {
        await context.client.drive.update({
          ...taskAround(context),
          message,
          level: options.level,
          key: options.key,
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
