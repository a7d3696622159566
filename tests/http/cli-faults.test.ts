import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { Forbidden, InvalidInput } from "../../server/core/errors.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { closedPort } from "../support/closed-port.ts";
import { cliCommand, collect, runCli } from "../support/run-cli.ts";

// What goes wrong around a command: wrong words, readers that leave, signals, and a violent end.

const ann = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;
let server: ApiServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  server = await startApiServer({ apiKey: "a-key" });
});
afterEach(() => expect(server.errors).toEqual([]));
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const cli = (...args: string[]) =>
  runCli(args, { TOOLTHREAD_URL: server.url, TOOLTHREAD_API_KEY: "a-key" });
const taskOf = async (type: string) =>
  (await server.manager.listTasks({ types: [type], limit: 1 })).items[0];

async function script(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

async function linesOf(type: string): Promise<string[]> {
  const task = await taskOf(type);
  if (!task) return [];
  const { updates } = await server.manager.pollTask(task.taskId, { timeout: 0 });
  return updates.flatMap(({ message }) => message.split("\n"));
}

/** Waits for a line that fits, and gives what it has in brackets. */
async function lineOf(type: string, pattern: RegExp): Promise<string> {
  let found: RegExpExecArray | null = null;
  await expect
    .poll(
      async () => {
        found = pattern.exec((await linesOf(type)).join("\n"));
        return found;
      },
      { timeout: 20_000 },
    )
    .not.toBeNull();
  return (found as RegExpExecArray | null)?.[1] ?? "";
}

/** Gone, or dead and not yet cleared away by the machine's first process. */
function isGone(pid: string): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  return /^(Z.*)?$/.test(stdout.trim());
}

test("a question that is none is refused before there is a task, with exit code 2", async () => {
  const wrong: Record<string, string[]> = {
    "A question needs a prompt": [""],
    "Two choices have the same value: a, a.": ["Go?", "--choices", "a,a"],
    "timeout is in seconds and above 0": ["Go?", "--timeout", "-1"],
    '"soon" is not a number.': ["Go?", "--timeout", "soon"],
    "The schema is not JSON": ["Go?", "--schema", "{type: number}"],
    "The default is no valid answer": ["Go?", "--schema", '{"type":"number"}', "--default", "many"],
    "needs choices": ["Go?", "--multiple"],
  };
  const runs = await Promise.all(
    Object.values(wrong).map((args) => cli("ask", "--type", "ask/wrong", ...args)),
  );
  for (const [i, words] of Object.keys(wrong).entries()) {
    expect([runs[i]?.code, runs[i]?.err]).toEqual([2, expect.stringContaining(words)]);
    expect(runs[i]?.err.trim().split("\n")).toHaveLength(1);
  }
  expect(await taskOf("ask/wrong")).toBeUndefined();
});

test("a question that only the server refuses ends the task that was begun for it", async () => {
  // As a server of another version may.
  const ask = vi.spyOn(server.manager.driving, "ask");
  ask.mockRejectedValueOnce(new InvalidInput("This is not asked here."));
  const { code, err } = await cli("ask", "Go?", "--type", "ask/refused");
  expect([code, err]).toEqual([2, expect.stringContaining("This is not asked here.")]);
  expect(await taskOf("ask/refused")).toMatchObject({
    status: "failed",
    errorSummary: "InvalidInput: This is not asked here.",
  });
});

test("a reader that leaves, such as `head`, stops neither the command nor its task", async () => {
  const file = await script(
    "many.sh",
    'i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo "line $i"; echo "warn $i" >&2; sleep 0.002; done; exit 3',
  );
  const run = cli("run", "--type", "many", "--", file);
  run.child.stdout?.once("data", () => run.child.stdout?.destroy());
  run.child.stderr?.once("data", () => run.child.stderr?.destroy());
  expect((await run).code).toBe(3);
  const lines = await linesOf("many");
  expect(lines.filter((line) => line.startsWith("line"))).toHaveLength(300);
  expect(lines.filter((line) => line.startsWith("warn"))).toHaveLength(300);
  expect((await taskOf("many"))?.errorSummary).toContain("exit code 3");
});

test("the command's exit code stands, whatever the server makes of its end", async () => {
  const finish = vi.spyOn(server.manager.driving, "finish");
  finish.mockRejectedValueOnce(new Forbidden("Not any more."));
  const file = await script("ends.sh", "exit 3");
  const { code, err } = await cli("run", "--type", "ends", "--", file);
  expect([code, err]).toEqual([3, expect.stringContaining("toolthread: Not any more.")]);
});

test("a command that cannot even be tried is told as shells do", async () => {
  const folderItself = cli("run", "--type", "folder", "--", folder);
  const empty = await cli("run", "--type", "empty", "--", "");
  expect([empty.code, empty.err]).toEqual([2, "The command is empty.\n"]);
  expect(await taskOf("empty")).toBeUndefined();
  expect((await folderItself).code).toBe(126);
  expect(await taskOf("folder")).toMatchObject({ status: "failed" });
});

test("a cancel reaches what the command left behind when it ended", async () => {
  const file = await script("leaves.sh", "sleep 300 & echo pid $!; exit 0");
  const run = cli("run", "--type", "leaves", "--", file);
  const pid = await lineOf("leaves", /pid (\d+)/);
  await server.manager.cancelTask((await taskOf("leaves"))?.taskId as string, { actor: ann });
  // The command itself had ended well.
  expect((await run).code).toBe(0);
  expect(isGone(pid)).toBe(true);
});

test("a command that outlives a Ctrl-C is still ended by a cancel", async () => {
  const file = await script(
    "stubborn.sh",
    'trap "echo heard" INT; echo pid $$; while :; do sleep 0.1; done',
  );
  const run = cli("run", "--type", "stubborn", "--", file);
  const pid = await lineOf("stubborn", /pid (\d+)/);
  run.child.kill("SIGINT");
  await lineOf("stubborn", /(heard)/);
  await server.manager.cancelTask((await taskOf("stubborn"))?.taskId as string, { actor: ann });
  expect((await run).code).toBe(143);
  expect(isGone(pid)).toBe(true);
  expect((await taskOf("stubborn"))?.status).toBe("cancelled");
});

test("a driver that is killed takes its command along", async () => {
  const file = await script("orphan.sh", "sleep 300 & echo pid $!; wait");
  const run = cli("run", "--type", "orphan", "--", file);
  const pid = await lineOf("orphan", /pid (\d+)/);
  run.child.kill("SIGKILL");
  await run;
  await expect.poll(() => isGone(pid), { timeout: 10_000 }).toBe(true);
});

test("output that cannot be written is told, with exit code 1, and a reader that left is not", async () => {
  const shell = (line: string) =>
    collect(
      spawn("bash", ["-o", "pipefail", "-c", line, ...cliCommand], {
        env: { ...process.env, TOOLTHREAD_URL: server.url, TOOLTHREAD_API_KEY: "a-key" },
      }),
    );
  const file = await script("speaks.sh", "echo one; echo two; exit 3");
  const ask = shell('"$0" "$@" ask "Lost?" --anyone --type ask/lost >/dev/full');
  const [full, help, ran, left] = await Promise.all([
    shell('"$0" "$@" types >/dev/full'),
    shell('"$0" "$@" --help >/dev/full'),
    shell(`"$0" "$@" run --type full -- ${file} >/dev/full`),
    shell('"$0" "$@" types | true'),
  ]);
  for (const { code, err } of [full, help]) {
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("the output cannot be written: ENOSPC"),
    ]);
  }
  // The command goes on, and its exit code is the one that counts.
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("cannot be written: ENOSPC")]);
  expect(await linesOf("full")).toEqual(expect.arrayContaining(["one", "two"]));
  expect([left.code, left.err]).toEqual([0, expect.not.stringContaining("cannot be written")]);
  await expect.poll(() => taskOf("ask/lost"), { timeout: 20_000 }).toBeDefined();
  const { taskId } = (await taskOf("ask/lost")) as { taskId: string };
  const { pendingQuestion } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  await server.manager.answerQuestion(pendingQuestion?.questionId as string, "x", { actor: ann });
  expect([(await ask).code, (await ask).err]).toEqual([
    1,
    expect.stringContaining("the output cannot be written"),
  ]);
});

test("a key or an address that cannot be used is told at once, with exit code 2", async () => {
  const [key, address] = await Promise.all([
    cli("types", "--api-key", "tt_…"),
    cli("types", "--url", "http://127.0.0.1:1"),
  ]);
  expect([key.code, key.err]).toEqual([2, expect.stringContaining("that a key cannot have")]);
  expect([address.code, address.err]).toEqual([2, expect.stringContaining("bad port")]);
});

test("whoever waits for a server is told so, whether it is away or silent", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const ports = [(silent.address() as AddressInfo).port, await closedPort()];
  for (const port of ports) {
    const url = `http://127.0.0.1:${port}`;
    const run = cli("types", "--json", "--url", url);
    let err = "";
    run.child.stderr?.on("data", (text) => {
      err += text;
    });
    await expect
      .poll(() => err, { timeout: 20_000 })
      .toBe(`Waiting for the server at ${url} to answer.\n`);
    run.child.kill();
    expect((await run).out).toBe("");
  }
  silent.close();
});
