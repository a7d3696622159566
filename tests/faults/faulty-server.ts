import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { TaskManager } from "../../server/engine/task-manager.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { restClient } from "../support/rest-client.ts";

const rounds = 60;
const roundMillis = 25;

/** A server on a database that gets into trouble, and what its handlers did meanwhile. */
export class FaultyServer {
  /** Which steps ran, in order. */
  readonly ran: number[] = [];
  readonly rest: ReturnType<typeof restClient>;
  readonly server: ApiServer;
  readonly #store: SQLiteStore;

  private constructor(store: SQLiteStore, server: ApiServer, ran: number[]) {
    this.#store = store;
    this.server = server;
    this.ran = ran;
    this.rest = restClient(server.url);
  }

  static async start(databaseFile: string): Promise<FaultyServer> {
    const store = await SQLiteStore.open(databaseFile);
    const ran: number[] = [];
    const register = (manager: TaskManager) => {
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go on?", { timeout: 600 }));
      manager.registerTask({ type: "patient", park: true, parkAfter: 0.05 }, (ctx) =>
        ctx.askCustomer("Go on?", { timeout: 600 }),
      );
      manager.registerTask("work", async (ctx) => {
        for (let round = 1; round <= rounds; round += 1) {
          const kept = await ctx.step(
            "round",
            async () => {
              ran.push(round);
              await pause(roundMillis);
              return round;
            },
            { key: String(round) },
          );
          void ctx.update(`kept ${kept}`);
          void ctx.update(`and also ${kept}`);
        }
        return "worked";
      });
    };
    return new FaultyServer(store, await startApiServer({ store, register }), ran);
  }

  async startTask(type: string): Promise<string> {
    const { status, body } = await this.rest.post("/tasks", { type });
    expect(status).toBe(201);
    return body.taskId;
  }

  async health(): Promise<{ status: number; body: { status: string; reason?: string } }> {
    const response = await fetch(`${this.server.url}/api/health`);
    const body = (await response.json()) as { status: string };
    if (response.status === 503) expect(response.headers.get("retry-after")).toBe("2");
    return { status: response.status, body };
  }

  /** Waits until health says so. */
  async untilHealth(status: number, seconds = 15): Promise<{ status: string; reason?: string }> {
    for (const until = Date.now() + seconds * 1000; ; await pause(50)) {
      const health = await this.health();
      if (health.status === status) return health.body;
      expect(Date.now(), `health stays ${health.status}`).toBeLessThan(until);
    }
  }

  /** Waits for the question of a task. */
  async questionOf(taskId: string): Promise<string> {
    const { body } = await this.rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`);
    return body.pendingQuestion.questionId;
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.#store.close();
  }
}

export interface Fault {
  begin(server: FaultyServer): Promise<void> | void;
  end(): Promise<void> | void;
  /** What health says is wrong. */
  reason: RegExp;
}

/**
 * What must hold whatever is wrong with the database: what was acknowledged stays and is still
 * served, writes are refused with a hint when to try again, handlers wait, and it is over when the
 * fault is, without a restart.
 */
export async function expectToOutlast(server: FaultyServer, fault: Fault): Promise<void> {
  const { rest, ran } = server;
  const working = await server.startTask("work");
  const asking = await server.startTask("ask");
  const questionId = await server.questionOf(asking);
  const parked = await server.startTask("patient");
  const parkedQuestion = await server.questionOf(parked);
  await pause(300);
  const seen = (await rest.get(`/tasks/${working}/poll?timeout=5`)).body.updates as object[];
  expect(seen.length).toBeGreaterThan(0);

  await fault.begin(server);
  const { status, reason } = await server.untilHealth(503);
  expect(status).toBe("store_unavailable");
  expect(reason).toMatch(fault.reason);

  const writes = [
    rest.post("/tasks", { type: "ask", idempotencyKey: "once" }),
    rest.post(`/questions/${questionId}/answer`, { answer: "lost" }),
    rest.post(`/tasks/${asking}/cancel`),
  ];
  for (const refused of await Promise.all(writes)) {
    expect(refused).toMatchObject({ status: 503, body: { code: "store_unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(refused.body.detail).toMatch(fault.reason);
  }
  const batch = await fetch(`${server.server.url}/api/trpc/tasks.start?batch=1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ 0: { type: "ask" } }),
  });
  expect([batch.status, batch.headers.get("retry-after")]).toEqual([503, "2"]);
  const ranWhenRefused = ran.length;
  await pause(300);
  // The step that is being recorded waits; the handler does not run ahead of its journal.
  expect(ran.length).toBeLessThanOrEqual(ranWhenRefused + 1);
  const polled = await rest.get(`/tasks/${working}/poll?timeout=0`);
  expect(polled.status).toBe(200);
  expect(polled.body.updates.slice(0, seen.length)).toEqual(seen);
  expect((await rest.get("/tasks")).body.items).toHaveLength(3);
  expect((await rest.get(`/questions/${questionId}`)).body.outcome).toBeNull();
  expect((await rest.get(`/tasks/${asking}`)).body.task.status).toBe("waiting_for_input");

  await fault.end();
  await server.untilHealth(200);
  for (const id of [questionId, parkedQuestion]) {
    const answered = await rest.post(`/questions/${id}/answer`, { answer: "kept" });
    expect(answered).toMatchObject({ status: 200, body: { question: { answer: "kept" } } });
  }
  for (const taskId of [asking, parked]) {
    const { body } = await rest.get(`/tasks/${taskId}/poll?timeout=20`);
    const result = body.result ?? (await untilResult(server, taskId, body.cursor));
    expect(result).toMatchObject({ status: "completed", result: "kept" });
  }
  const done = await untilResult(server, working);
  expect(done).toMatchObject({ status: "completed", result: "worked" });
  const { body } = await rest.get(`/tasks/${working}/poll`);
  const messages = body.updates.map(({ message }: { message: string }) => message);
  const numbers = Array.from({ length: rounds }, (_, i) => i + 1);
  expect(messages).toEqual(numbers.flatMap((n) => [`kept ${n}`, `and also ${n}`]));
  expect(ran).toEqual(numbers);
  expect(body.result.result).toBe("worked");
  const { task } = (await rest.get(`/tasks/${working}`)).body;
  expect(task).toMatchObject({ attempt: 1, interrupts: 0 });
  // The start that was refused did nothing: its key is free.
  const again = await rest.post("/tasks", { type: "ask", idempotencyKey: "once" });
  expect(again).toMatchObject({ status: 201, body: { created: true } });
}

async function untilResult({ rest }: FaultyServer, taskId: string, since = "") {
  for (let cursor = since; ; ) {
    const query = cursor === "" ? "" : `&since=${cursor}`;
    const { body } = await rest.get(`/tasks/${taskId}/poll?timeout=20${query}`);
    if (body.result !== null) return body.result;
    cursor = body.cursor;
  }
}
