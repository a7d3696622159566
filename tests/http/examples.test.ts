import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { collect } from "../support/run-cli.ts";

const ann = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;
const examples = join(import.meta.dirname, "../../examples");
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ apiKey: "a-key" });
});
afterEach(() => expect(server.errors).toEqual([]));
afterAll(() => server.close());

const run = (command: string, file: string) =>
  collect(
    spawn(command, [join(examples, file)], {
      env: { ...process.env, TOOLTHREAD_URL: server.url, TOOLTHREAD_API_KEY: "a-key" },
    }),
  );

async function asked(type: string) {
  const find = async () => {
    const { items } = await server.manager.listQuestions({ state: "open", limit: 10 });
    const tasks = await Promise.all(items.map(({ taskId }) => server.manager.getTask(taskId)));
    return items[tasks.findIndex(({ task }) => task.type === type)];
  };
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return (await find()) as { taskId: string; questionId: string };
}

test.each([
  ["python3", "drive.py", "examples/import", { imported: 3 }, "Imported 3"],
  ["bash", "drive.sh", "examples/backup", { deleted: "yes" }, "Finished: yes"],
])("%s %s asks, and goes on with the answer", async (command, file, type, wanted, said) => {
  const running = run(command, file);
  const { taskId, questionId } = await asked(type);
  await server.manager.answerQuestion(questionId, "yes", { actor: ann });
  const { code, out, err } = await running;
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(said);
  const { task, result } = await server.manager.getTask(taskId);
  expect([task.status, result]).toEqual(["completed", wanted]);
});

test.each([
  ["python3", "drive.py", "examples/import"],
  ["bash", "drive.sh", "examples/backup"],
])("%s %s stops when it is cancelled", async (command, file, type) => {
  const running = run(command, file);
  const { taskId } = await asked(type);
  await server.manager.cancelTask(taskId, { actor: ann, reason: "enough" });
  expect((await running).code).toBe(5);
  expect((await server.manager.getTask(taskId)).task.status).toBe("cancelled");
});
