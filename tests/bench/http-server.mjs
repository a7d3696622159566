/**
 * The server of the HTTP benchmark, in a process of its own: `bare` is Node's HTTP server and
 * nothing else, `toolthread` the compiled one on SQLite, without pages.
 */
import { createServer } from "node:http";

const [mode, dataDir] = process.argv.slice(2);
const dist = new URL("../../dist/server/", import.meta.url);
const { http, paths, close } = mode === "bare" ? await bare() : await toolthread();

process.on("message", async (message) => {
  if (message === "memory") {
    for (let i = 0; i < 4; i++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    process.send(process.memoryUsage().rss);
  }
  if (message === "cpu") {
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  }
  if (message === "close") await close();
});
process.send({ port: http.address().port, paths });

/** Answers `/`, and holds everything else. */
async function bare() {
  const held = new Set();
  const http = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/") response.end('{"ok":true}');
    else held.add(response);
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const close = () => {
    for (const response of held) response.end('{"ok":true}');
  };
  return { http, paths: { quick: "/", waiting: "/held" }, close };
}

async function toolthread() {
  const { createRuntime } = await import(new URL("runtime.js", dist).href);
  const { readSettings } = await import(new URL("env.js", dist).href);
  const { createNodeServer } = await import(new URL("node-server.js", dist).href);
  const settings = readSettings({
    TOOLTHREAD_AUTH: "none",
    TOOLTHREAD_DATA_DIR: dataDir,
    TOOLTHREAD_FILES_ROOT: dataDir,
  });
  const runtime = await createRuntime(settings);
  const { manager } = runtime;
  const server = createNodeServer({ ...runtime, handlePage: (_, response) => response.end() });
  await server.listen(0, "127.0.0.1");

  const done = await manager.startTask("deploy", { pace: 0, issues: 0 });
  await manager.pollTask(done, { waitFor: "input_or_result" });
  const asking = await manager.startTask("deploy", { pace: 0 });
  const { cursor } = await manager.pollTask(asking, { waitFor: "input_or_result" });
  const trpc = (procedure, input) =>
    `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const paths = {
    get: trpc("tasks.get", { taskId: done }),
    poll: trpc("tasks.poll", { taskId: done, timeout: 1 }),
    restGet: `/api/v1/tasks/${done}`,
    waiting: trpc("tasks.poll", { taskId: asking, since: cursor, timeout: 60 }),
  };
  const close = () => Promise.all([server.close(5), runtime.drain()]);
  return { http: server.http, paths, close };
}
