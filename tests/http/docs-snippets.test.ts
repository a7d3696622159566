import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errorTable } from "../../server/adapters/error-table.ts";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { collect, runCli } from "../support/run-cli.ts";
import { runSnippet, snippetsOf } from "../support/run-snippet.ts";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({
    apiKey: "tt_...",
    register: (manager) => registerBuiltInTasks(manager, { filesRoot: "examples/logs" }),
  });
});

afterAll(() => server.close());

test("README: a key, a task, a question in the browser, and the report", async () => {
  const [, , start = "", poll = ""] = snippetsOf("README.md", "sh");
  const run = async (snippet: string, TASK: string) => {
    const given = `KEY=tt_...\n${snippet.replace(/^TASK=.*$/m, `TASK=${TASK}`)}`;
    const runnable = given.replaceAll("http://127.0.0.1:3000", server.url);
    const { code, out } = await collect(spawn("bash", ["-euo", "pipefail", "-c", runnable]));
    expect(code).toBe(0);
    return JSON.parse(out);
  };
  expect(start).toContain("$KEY");
  const { taskId } = await run(start, "");
  const { pendingQuestion, cursor } = await run(poll, taskId);
  expect(pendingQuestion.prompt).toMatch(/Found 133 errors.*Which groups go into the report/);
  expect(cursor).toMatch(/^c_/);
  const { choices, questionId } = pendingQuestion;
  await server.manager.respondToQuestion(taskId, questionId, [choices[0].value]);
  const { result } = await run(poll, taskId);
  expect(result).toMatchObject({ status: "completed", result: expect.any(Object) });
});

test("docs/client.md: a task is followed, answered and read to its end", async () => {
  const [first = "", second = ""] = snippetsOf("docs/client.md", "ts");
  const polled = await runSnippet("client-poll", first, server.url);
  expect(polled.at(-1)?.[0]).toBe("completed");
  const watched = await runSnippet("client-watch", second, server.url);
  expect(watched.at(-1)).toEqual(["It ended:", "completed"]);
});

test("docs/rest.md: from the start to the result with curl", async () => {
  const script = snippetsOf("docs/rest.md", "sh").join("\necho ---\n");
  const runnable = script.replaceAll("http://127.0.0.1:3000", server.url);
  const { code, out } = await collect(spawn("bash", ["-euo", "pipefail", "-c", runnable]));
  expect(code).toBe(0);
  const [task, , result, events] = out.split("---\n");
  expect(task).toMatch(/^task_\w+\n$/);
  expect(result).toContain('"status":"completed"');
  expect(events).toContain("id: 3\ndata: {");
  expect(events).toContain("task_finished");
});

test("docs/rest.md names every code", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/rest.md"), "utf8");
  for (const [code, { http }] of Object.entries(errorTable)) {
    expect(text).toContain(`\`${code}\``);
    expect(text).toContain(String(http));
  }
});

test("docs/shell.md: every command it shows is there", async () => {
  const shown = snippetsOf("docs/shell.md", "sh")
    .flatMap((snippet) => [...snippet.matchAll(/toolthread (\w+)([^\n|)]*)/g)])
    .map(([, command = "", rest = ""]) => ({ command, options: rest.match(/(?<= )--\w+/g) ?? [] }));
  expect(shown.length).toBeGreaterThan(10);
  const commands = [...new Set(shown.map(({ command }) => command))];
  const helps = new Map(
    await Promise.all(
      commands.map(async (name) => [name, (await runCli([name, "--help"], {})).out] as const),
    ),
  );
  for (const { command, options } of shown) {
    expect(helps.get(command)).toContain(`Usage: toolthread ${command}`);
    for (const option of options)
      expect([command, helps.get(command)]).toEqual([command, expect.stringContaining(option)]);
  }
});
