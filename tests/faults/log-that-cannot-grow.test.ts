import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readFinalState } from "../crash/final-state.ts";
import { freePort, ServerProcess } from "../crash/server-process.ts";
import { restClient } from "../support/rest-client.ts";

const obstacle = (() => {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "pipe" });
    return null;
  } catch {
    return "there is no prlimit here";
  }
})();

const params = { start: 1, size: 9, millis: 20, timeout: 120, tenant: "red" };

test.skipIf(obstacle)(
  `a write-ahead log that cannot grow${obstacle ? ` (skipped: ${obstacle})` : ""}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolthread-fault-"));
    const port = await freePort();
    const server = new ServerProcess({ folder, port, ledgerFile: join(folder, "ledger") });
    onTestFinished(async () => {
      await server.kill();
      rmSync(folder, { recursive: true });
    });
    expect(await server.ready).toBe(true);
    const url = `http://127.0.0.1:${port}`;
    const rest = restClient(url);
    const health = async () => (await fetch(`${url}/api/health`)).status;
    /** No file of that process can become longer than this; what is written beyond fails. */
    const limitFiles = (bytes: number | "unlimited") =>
      execFileSync("prlimit", [`--pid=${server.pid}`, `--fsize=${bytes}:`]);

    const { body: worker } = await rest.post("/tasks", { type: "steps", params });
    await rest.get(`/tasks/${worker.taskId}/poll`);
    limitFiles(statSync(join(folder, "toolthread.db-wal")).size);
    while ((await health()) !== 503) await pause(50);
    const refused = await rest.post("/tasks", { type: "steps", params, idempotencyKey: "k" });
    expect(refused).toMatchObject({ status: 503, body: { code: "store_unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await rest.get(`/tasks/${worker.taskId}`)).body.task.status).toBe("running");

    limitFiles("unlimited");
    while ((await health()) !== 200) await pause(50);
    const repeated = await rest.post("/tasks", { type: "steps", params, idempotencyKey: "k" });
    expect(repeated).toMatchObject({ status: 201, body: { created: true } });
    for (const { taskId } of [worker, repeated.body]) {
      let result = null;
      for (let since = ""; result === null; ) {
        const { body } = await rest.get(`/tasks/${taskId}/poll?timeout=20${since}`);
        result = body.result;
        since = `&since=${body.cursor}`;
      }
      expect(result).toMatchObject({ status: "completed" });
    }
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    const { tasks, damage } = readFinalState(join(folder, "toolthread.db"));
    expect(damage).toEqual([]);
    expect(tasks).toHaveLength(2);
    for (const { events } of tasks) {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
      expect(events.filter(({ kind }) => kind === "attempt_started")).toHaveLength(1);
    }
  },
);
