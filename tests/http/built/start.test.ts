import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restClient } from "../../support/rest-client.ts";
import { freePort, runServer, startServer, withDataDir } from "../../support/server-process.ts";

const kind = "the project's server";
const start = ["server/start.mjs"];

async function failedStart(env: Record<string, string>): Promise<string> {
  const { ended, output } = runServer(start, { PORT: String(await freePort()), ...env });
  expect(await ended).toBe(1);
  expect(output()).not.toMatch(/\n\s+at /);
  return output();
}

test("it says where it is", () =>
  withDataDir(async (dataDir) => {
    const server = await startServer(kind, { TOOLTHREAD_DATA_DIR: dataDir });
    expect(server.output()).toMatch(`is ready at http://127.0.0.1:${server.port}`);
    expect((await stat(join(dataDir, "secret"))).mode & 0o777).toBe(0o600);
    await server.stop("SIGKILL");
  }));

test("a session outlives a restart", () =>
  withDataDir(async (dataDir) => {
    const env = { TOOLTHREAD_DATA_DIR: dataDir, PORT: String(await freePort()) };
    const first = await startServer(kind, env);
    const opened = await fetch(`${first.url}/api/session`, {
      method: "POST",
      headers: { origin: first.url },
    });
    const cookie = String(opened.headers.get("set-cookie")).split(";")[0] as string;
    expect(await first.stop()).toBe(0);
    const second = await startServer(kind, env);
    const info = await fetch(`${second.url}/api/trpc/system.info`, { headers: { cookie } });
    expect((await info.json()).result.data.actor).toMatchObject({ kind: "operator" });
    await second.stop("SIGKILL");
  }));

test("a port in use is told", () =>
  withDataDir(async (dataDir) => {
    const server = await startServer(kind, { TOOLTHREAD_DATA_DIR: join(dataDir, "a") });
    const port = String(server.port);
    const told = await failedStart({ PORT: port, TOOLTHREAD_DATA_DIR: join(dataDir, "b") });
    expect(told).toContain(`PORT ${port} is in use`);
    await server.stop("SIGKILL");
  }));

test("a second start on the same data is told, and harms nothing", () =>
  withDataDir(async (dataDir) => {
    const server = await startServer(kind, { TOOLTHREAD_DATA_DIR: dataDir });
    expect(await failedStart({ TOOLTHREAD_DATA_DIR: dataDir })).toContain("already open");
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    await server.stop("SIGKILL");
  }));

test("wrong settings are told", () =>
  withDataDir(async (dataDir) => {
    const env = { TOOLTHREAD_DATA_DIR: dataDir };
    expect(await failedStart({ ...env, PORT: "many" })).toContain("PORT must be a number");
    const missing = await failedStart({ ...env, TOOLTHREAD_TASKS: join(dataDir, "none.js") });
    expect(missing).toContain("TOOLTHREAD_TASKS");
    expect(missing).toContain("cannot be loaded");
  }));

test("task types of one's own are loaded", () =>
  withDataDir(async (dataDir) => {
    const server = await startServer(kind, {
      TOOLTHREAD_DATA_DIR: dataDir,
      TOOLTHREAD_TASKS: "examples/tasks.js",
    });
    const types = await (await fetch(`${server.url}/api/v1/task-types`)).json();
    const names = types.map(({ type }: { type: string }) => type);
    expect(names).toEqual(expect.arrayContaining(["greet", "analyze_logs"]));
    await server.stop("SIGKILL");
  }));

test("a promise that a handler forgot ends neither the server nor its task", () =>
  withDataDir(async (dataDir) => {
    const tasks = join(dataDir, "tasks.mjs");
    await writeFile(
      tasks,
      `export default (manager) => manager.registerTask("forgets", async (ctx) => {
        void Promise.reject(new RangeError("forgotten"));
        await ctx.sleep(0.2);
        return "done";
      });`,
    );
    const env = { TOOLTHREAD_DATA_DIR: dataDir, TOOLTHREAD_TASKS: tasks };
    const server = await startServer(kind, env);
    const rest = restClient(server.url);
    const { taskId } = (await rest.post("/tasks", { type: "forgets" })).body;
    const polled = await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`);
    expect(polled.body).toMatchObject({ status: "completed", result: { result: "done" } });
    expect(server.output()).toMatch(
      /"level":"error".*RangeError: forgotten.*A promise was rejected/,
    );
    await server.stop("SIGKILL");
  }));

test("a second signal ends it at once", () =>
  withDataDir(async (dataDir) => {
    const tasks = join(dataDir, "tasks.mjs");
    const handler = "() => new Promise((resolve) => setTimeout(resolve, 60_000))";
    await writeFile(tasks, `export default (m) => m.registerTask("stubborn", ${handler});`);
    const env = { TOOLTHREAD_DATA_DIR: dataDir, TOOLTHREAD_TASKS: tasks };
    const server = await startServer(kind, env);
    expect((await restClient(server.url).post("/tasks", { type: "stubborn" })).status).toBe(201);
    const stopped = server.stop("SIGINT");
    await expect.poll(() => server.output(), { timeout: 8000 }).toContain("is closing");
    const began = performance.now();
    server.child.kill("SIGINT");
    expect(await stopped).toBe(1);
    expect(performance.now() - began).toBeLessThan(8000);
  }));

test("a SIGTERM that npm takes for itself ends the server too, in order", () =>
  withDataDir(async (dataDir) => {
    const env = { TOOLTHREAD_DATA_DIR: dataDir, PORT: String(await freePort()) };
    const npm = runServer(["start"], env, "npm");
    // The server has npm's output too, so it closes only when both have ended.
    const bothEnded = once(npm.child, "close");
    await expect.poll(npm.output, { timeout: 20_000 }).toContain("is ready at");
    await npm.stop("SIGTERM");
    await bothEnded;
    expect(npm.output()).toContain("toolthread is closing");
  }));
