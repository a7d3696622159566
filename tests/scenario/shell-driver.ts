import { createInterface } from "node:readline";
import { type CliProcess, runCli } from "../support/run-cli.ts";
import type { Driver, Halt } from "./scenario.ts";

/** Somebody at a terminal: one command starts and follows the task, others answer or cancel it. */
export async function shellDriver(url: string): Promise<Driver> {
  const env = { TOOLTHREAD_URL: url };
  let watching: CliProcess;
  let lines: AsyncIterator<string>;
  let taskId = "";
  let questionId = "";

  /** Reads what the command writes, to a question or to its end. */
  const follow = async (): Promise<Halt> => {
    let prompt: string | null = null;
    for (;;) {
      const { value: line, done } = await lines.next();
      if (done) return ended(await watching);
      if (taskId === "") taskId = line;
      if (line.startsWith("? ")) prompt = line.slice(2);
      const asked = /^ {2}toolthread answer (\S+)/.exec(line)?.[1];
      if (prompt === null || asked === undefined) continue;
      questionId = asked;
      return { kind: "question", prompt };
    }
  };
  const command = async (...args: string[]) => {
    const { code, err } = await runCli(args, env);
    if (code !== 0) throw new Error(err);
  };
  return {
    begin(params) {
      watching = runCli(["start", "release", JSON.stringify(params), "--watch"], env);
      const output = watching.child.stdout as NonNullable<typeof watching.child.stdout>;
      lines = createInterface({ input: output })[Symbol.asyncIterator]();
      return follow();
    },
    async answer(answer) {
      await command("answer", questionId, answer);
      return follow();
    },
    async cancel() {
      await command("cancel", taskId);
      return follow();
    },
    wait: follow,
  };
}

/** The exit code tells how the task ended, and the output with what. */
function ended({ code, out, err }: Awaited<CliProcess>): Halt {
  if (code === 0) {
    const result = JSON.parse(out.slice(out.indexOf("completed\n") + "completed\n".length));
    return { kind: "end", status: "completed", result, error: null };
  }
  return {
    kind: "end",
    status: code === 5 ? "cancelled" : "failed",
    result: null,
    error: err.trim(),
  };
}
