import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { runCli } from "../support/run-cli.ts";

const ann = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;
let server: ApiServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  server = await startApiServer({
    apiKey: "a-key",
    register(manager) {
      manager.registerTask({ type: "echo", description: "Gives back." }, (ctx, params) => {
        ctx.update("a \u001b[31mred\u001b[0m line", "warning");
        return params;
      });
      manager.registerTask("fails", () => {
        throw new RangeError("no");
      });
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?", { choices: ["yes", "no"] }));
    },
  });
});
afterEach(() => expect(server.errors).toEqual([]));
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const cli = (...args: string[]) =>
  runCli(args, { TOOLTHREAD_URL: server.url, TOOLTHREAD_API_KEY: "a-key" });
const tasksOf = async (type: string) =>
  (await server.manager.listTasks({ types: [type], limit: 10 })).items;

async function questionOf(type: string) {
  let found: { taskId: string; questionId: string } | undefined;
  await expect
    .poll(
      async () => {
        const { items } = await server.manager.listQuestions({ state: "open", limit: 50 });
        const mine = await tasksOf(type);
        found = items.find(({ taskId }) => mine.some((task) => task.taskId === taskId));
        return found;
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
  return found as { taskId: string; questionId: string };
}

describe("commands on tasks", () => {
  test("start and watch, for people and as JSON", async () => {
    const [types, people, json] = await Promise.all([
      cli("types"),
      cli("start", "echo", "count=3", "name=Ann", "--watch", "--label", "team=core"),
      cli("--json", "start", "echo", '{"deep":{"a":1}}', "--watch"),
    ]);
    expect(types.out).toMatch(/^TYPE +DESCRIPTION\necho +Gives back\./);
    // A busy machine may have it say that it waits.
    expect([people.code, people.err]).toEqual([0, expect.stringMatching(/^(Waiting .*\n)?$/)]);
    expect(people.out).toMatch(
      /^task_\w+\na red line\ncompleted\n\{\n {2}"count": 3,\n {2}"name": "Ann"\n\}\n$/,
    );
    const lines = json.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ created: true });
    expect(lines.at(-1)).toMatchObject({ kind: "task_finished", status: "completed" });
  });

  test("exit codes tell a failure, a wrong call, an unknown task and no server apart", async () => {
    const [failed, unknown, usage, nobody, both] = await Promise.all([
      cli("start", "fails", "--watch"),
      cli("watch", "task_none"),
      cli("strat"),
      runCli(["--url", "nonsense", "types"], {}),
      cli("answer", "q_none"),
    ]);
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("RangeError: no\n")]);
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining("toolthread: There is no task task_none.\n"),
    ]);
    expect([usage.code, nobody.code, both.code]).toEqual([2, 2, 2]);
    expect(usage.err).toContain("Did you mean start?");
  });

  test("questions, answer, tasks and cancel", async () => {
    const first = await server.manager.startTask("ask");
    const { questionId } = await questionOf("ask");
    const questions = await cli("questions", "--task", first);
    expect(questions.out).toContain(questionId);
    const wrong = await cli("answer", questionId, "maybe");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("Choose from: yes, no")]);
    expect((await cli("answer", questionId, "yes")).out).toBe(`${questionId}: answered.\n`);
    expect((await cli("answer", questionId, "no")).code).toBe(1);
    // Over which surface an answer came is told as it was.
    expect((await server.manager.getQuestion(questionId)).resolvedBy?.surface).toBe("cli");
    const second = await server.manager.startTask("ask");
    expect((await cli("cancel", second, "--reason", "enough")).code).toBe(0);
    const tasks = await cli("--json", "tasks", "--type", "ask");
    expect(JSON.parse(tasks.out)).toHaveLength(2);
  });

  test("the server, the key and JSON are given before the command or after it", async () => {
    const taskId = await server.manager.startTask("ask");
    const nowhere = { TOOLTHREAD_URL: "http://127.0.0.1:9", TOOLTHREAD_API_KEY: "another" };
    const given = ["--url", server.url, "--api-key", "a-key"];
    const [after, before, nearer, cancelled, ran] = await Promise.all([
      runCli(["types", "--json", ...given], nowhere),
      runCli([...given, "--json", "types"], nowhere),
      runCli(["--api-key", "wrong", "types", ...given, "--json"], nowhere),
      runCli(["cancel", taskId, "--force", "--json", ...given], nowhere),
      runCli(["run", ...given, "--type", "after", "--", "echo", "--json"], nowhere),
    ]);
    for (const types of [after, before, nearer]) {
      expect(JSON.parse(types.out)).toContainEqual(expect.objectContaining({ type: "echo" }));
    }
    expect(JSON.parse(cancelled.out)).toEqual({ taskId, cancelled: true });
    // What stands after the command to run is that command's.
    expect([ran.code, ran.out]).toEqual([0, "--json\n"]);
  });
});

describe("ask", () => {
  const asking = (type: string, ...more: string[]) =>
    cli("ask", "Deploy?", "--choices", "yes,no", "--type", type, ...more);

  test("prints the answer of a person", async () => {
    const run = asking("ask/answered");
    const { questionId, taskId } = await questionOf("ask/answered");
    await server.manager.answerQuestion(questionId, "yes", { actor: ann });
    expect(await run).toMatchObject({
      code: 0,
      out: "yes\n",
      err: expect.stringContaining(taskId),
    });
    const { task, result } = await server.manager.getTask(taskId);
    expect([task.status, result]).toEqual(["completed", "yes"]);
  });

  test("has its own exit codes: declined 3, timed out 4, cancelled 5", async () => {
    const declined = asking("ask/declined");
    const cancelled = asking("ask/cancelled");
    const timedOut = asking("ask/timeout", "--timeout", "1");
    const preset = asking("ask/preset", "--timeout", "1", "--default", "no");
    const { questionId } = await questionOf("ask/declined");
    await server.manager.declineQuestion(questionId, { actor: ann, reason: "Friday" });
    await server.manager.cancelTask((await questionOf("ask/cancelled")).taskId, { actor: ann });
    expect(await declined).toMatchObject({ code: 3, out: "" });
    expect((await declined).err).toContain("Declined by Ann: Friday");
    expect(await cancelled).toMatchObject({ code: 5, out: "" });
    expect(await timedOut).toMatchObject({ code: 4, out: "" });
    expect(await preset).toMatchObject({ code: 0, out: "no\n" });
    for (const [type, status] of Object.entries({
      "ask/declined": "failed",
      "ask/cancelled": "cancelled",
      "ask/timeout": "failed",
      "ask/preset": "completed",
    })) {
      expect([type, (await tasksOf(type))[0]?.status]).toEqual([type, status]);
    }
  });
});

describe("run", () => {
  async function script(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return file;
  }
  const messages = async (taskId: string) =>
    (await server.manager.pollTask(taskId, { timeout: 0 })).updates;

  test("output lines are updates, in order and by level, and the exit code is the result", async () => {
    const file = await script(
      "build.sh",
      'echo "one $TOOLTHREAD_TASK"; sleep 0.1; echo oops >&2; sleep 0.1; printf "10%%\\r90%%\\rdone\\n"; ' +
        `printf '\\033[32mgreen\\033[0m\\n'; head -c 5000 /dev/zero | tr '\\0' x; exit 3`,
    );
    const { code, out, err } = await cli("run", "--type", "build", "--", file, "--flag");
    expect(code).toBe(3);
    expect(out).toContain("10%\r90%\rdone");
    const taskId = /task_\w+/.exec(err)?.[0] as string;
    expect(out).toContain(`one ${taskId}`);
    const { task, error, result, params } = await server.manager.getTask(taskId);
    expect([task.status, error]).toEqual([
      "failed",
      "CommandFailed: the command ended with exit code 3",
    ]);
    expect(result).toEqual({ exitCode: 3, signal: null });
    expect(params).toEqual({ command: [file, "--flag"] });
    const posted = await messages(taskId);
    const lines = posted.flatMap(({ message, level }) =>
      message.split("\n").map((line) => [level, line.slice(0, 40)]),
    );
    expect(lines.slice(0, 4)).toEqual([
      ["info", `one ${taskId}`.slice(0, 40)],
      ["warning", "oops"],
      ["info", "done"],
      ["info", "green"],
    ]);
    expect(posted.at(-1)?.message.length).toBeLessThan(2100);
  });

  test("inside of it, update, progress and ask belong to its task", async () => {
    const me = `${process.execPath} --import ${import.meta.resolve("tsx")} ${join(import.meta.dirname, "../../server/cli/main.ts")}`;
    const file = await script(
      "inside.sh",
      `${me} update "from inside" --level warning && ${me} progress 1 2 --message half && ` +
        `answer=$(${me} ask "Go on?" --choices yes,no) && echo "it is $answer"`,
    );
    const run = cli("run", "--type", "inside", "--", file);
    const { taskId, questionId } = await questionOf("inside");
    await server.manager.answerQuestion(questionId, "yes", { actor: ann });
    expect((await run).code).toBe(0);
    const { task, result } = await server.manager.getTask(taskId);
    expect([task.status, result]).toEqual(["completed", { exitCode: 0 }]);
    expect(task.progress).toMatchObject({ done: 1, total: 2 });
    const posted = (await messages(taskId)).map(({ message, level }) => [level, message]);
    expect(posted).toEqual([
      ["warning", "from inside"],
      ["info", "half"],
      ["info", "it is yes"],
    ]);
    expect((await cli("update", "outside")).code).toBe(2);
  });

  test("a cancel ends the command with everything it started", async () => {
    const file = await script("slow.sh", "sleep 300 & echo $!; wait");
    const run = cli("run", "--type", "slow", "--", file);
    let pid = 0;
    await expect
      .poll(
        async () => {
          const [task] = await tasksOf("slow");
          if (task) pid = Number((await messages(task.taskId))[0]?.message);
          return pid;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
    const [task] = await tasksOf("slow");
    await server.manager.cancelTask(task?.taskId as string, { actor: ann, reason: "enough" });
    expect((await run).code).toBe(143);
    const ended = await server.manager.getTask(task?.taskId as string);
    expect([ended.task.status, ended.error]).toEqual(["cancelled", "TaskCancelled: enough"]);
    // Gone, or dead and not yet cleared away by the machine's first process.
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    expect(stdout.trim()).toMatch(/^(Z.*)?$/);
  });

  test("a signal is passed on, and a command that is not there is told as shells do", async () => {
    const file = await script(
      "trap.sh",
      'trap "echo bye; exit 7" INT; echo ready; while :; do sleep 0.1; done',
    );
    const run = cli("run", "--type", "trap", "--", file);
    await expect
      .poll(
        async () => {
          const [task] = await tasksOf("trap");
          return task ? (await messages(task.taskId)).length : 0;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
    run.child.kill("SIGINT");
    expect(await run).toMatchObject({ code: 7, out: "ready\nbye\n" });
    expect((await tasksOf("trap"))[0]?.status).toBe("cancelled");
    const missing = await cli("run", "--type", "missing", "--", "no-such-command");
    expect([missing.code, missing.err]).toEqual([
      127,
      expect.stringContaining("command not found"),
    ]);
    expect((await tasksOf("missing"))[0]?.status).toBe("failed");
  });
});
