import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { ServerMetrics } from "../../server/metrics/server-metrics.ts";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";

let server: IdentityServer | null = null;

afterEach(async () => {
  expect(server?.errors ?? []).toEqual([]);
  await server?.close();
  server = null;
});

/** The samples of a text in Prometheus' format, by name and labels. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

test("what runs, waits, ended and was answered is counted, by type", async () => {
  server = await startIdentityServer({
    register(manager) {
      manager.registerTask("echo", (_ctx, params) => params);
      manager.registerTask("fail", () => Promise.reject(new Error("broken")));
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?"));
    },
  });
  const { headers } = await server.agent({ metrics: true });
  const read = async () => {
    const answer = await server?.send("/api/metrics", headers);
    expect([answer?.status, answer?.headers["content-type"]]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    return samplesOf(answer?.body ?? "");
  };
  const start = async (type: string): Promise<string> => {
    const answer = await server?.send("/api/v1/tasks", headers, { type });
    return JSON.parse(answer?.body ?? "").taskId;
  };
  const settled = async (taskId: string) => {
    const path = `/api/v1/tasks/${taskId}/poll?waitFor=input_or_result`;
    return JSON.parse((await server?.send(path, headers))?.body ?? "");
  };
  for (const type of ["echo", "echo", "fail"]) await settled(await start(type));
  const answered = await start("ask");
  const { pendingQuestion } = await settled(answered);
  await settled(await start("ask"));
  const answer = { answer: "yes" };
  const path = `/api/v1/questions/${pendingQuestion.questionId}/answer`;
  expect((await server.send(path, headers, answer)).status).toBe(200);
  await settled(answered);

  const found = await read();
  const expected = {
    'toolthread_info{version="0.0.0-test"}': 1,
    'toolthread_tasks_started_total{type="echo"}': 2,
    'toolthread_tasks_started_total{type="ask"}': 2,
    'toolthread_tasks_finished_total{type="echo",status="completed"}': 2,
    'toolthread_tasks_finished_total{type="fail",status="failed"}': 1,
    'toolthread_tasks_finished_total{type="ask",status="completed"}': 1,
    'toolthread_tasks{type="ask",status="waiting_for_input"}': 1,
    toolthread_questions_open: 1,
    'toolthread_question_seconds_count{type="ask",outcome="answered"}': 1,
    toolthread_polls_waiting: 0,
  };
  expect(Object.fromEntries([...found].filter(([name]) => name in expected))).toEqual(expected);
  expect(found.get("toolthread_question_open_age_seconds")).toBeGreaterThan(0);
  expect(found.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  // What does not wait any more is not shown as it was.
  const waiting = { statuses: ["waiting_for_input" as const], limit: 10 };
  for (const { taskId } of (await server.manager.listTasks(waiting)).items) {
    await server.manager.cancelTask(taskId);
  }
  const after = await read();
  expect(after.get('toolthread_tasks{type="ask",status="waiting_for_input"}')).toBeUndefined();
  expect(after.get("toolthread_questions_open")).toBe(0);
  expect(after.get("toolthread_question_open_age_seconds")).toBe(0);
});

test("each transaction of the store is measured, with what shared it", async () => {
  const metrics = new ServerMetrics("0");
  server = await startIdentityServer({
    onWrite: metrics.countWrite,
    register: (manager) => manager.registerTask("echo", (_ctx, params) => params),
  });
  const { manager } = server;
  const ids = await Promise.all(Array.from({ length: 20 }, () => manager.startTask("echo")));
  for (const id of ids) await manager.pollTask(id, { waitFor: "input_or_result" });
  const found = samplesOf((await metrics.read(manager, "2030-01-01T00:00:00.000000Z")).text);
  const transactions = found.get("toolthread_write_seconds_count") as number;
  expect(transactions).toBeGreaterThan(0);
  expect(found.get("toolthread_write_commands_count")).toBe(transactions);
  // They share commits: there are fewer of these than commands.
  expect(found.get("toolthread_write_commands_sum")).toBeGreaterThan(transactions);
  expect(found.get("toolthread_write_seconds_sum")).toBeGreaterThan(0);
});

test("metrics are for admins and for keys with the scope, and only to be read", async () => {
  server = await startIdentityServer();
  const status = async (headers: Record<string, string>) =>
    (await server?.send("/api/metrics", headers))?.status;
  expect(await status((await server.agent({ metrics: true })).headers)).toBe(200);
  expect(await status((await server.agent({ metrics: false })).headers)).toBe(403);
  expect(await status((await server.person("admin")).headers)).toBe(200);
  expect(await status((await server.person("operator")).headers)).toBe(403);
  expect(await status({})).toBe(401);
  const { headers } = await server.agent({ metrics: true });
  expect((await server.send("/api/metrics", headers, {})).status).toBe(405);
});

test("the dashboard for Grafana asks for metrics there are", async () => {
  server = await startIdentityServer();
  const { headers } = await server.agent({ metrics: true });
  const { body } = await server.send("/api/metrics", headers);
  const known = new Set([...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(namesOf));
  const text = await readFile("examples/grafana/toolthread.json", "utf8");
  const asked = new Set(text.match(/\b(?:toolthread|nodejs|process)_\w+/g));
  expect(asked.size).toBeGreaterThan(8);
  expect([...asked].filter((name) => !known.has(name))).toEqual([]);
});

function namesOf([, name = "", kind]: RegExpMatchArray): string[] {
  return kind === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
