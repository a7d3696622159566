import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createAgentTools } from "../../server/adapters/agent-tools/agent-tools.ts";
import {
  createToolthreadClient,
  hasErrorCode,
  type WatchedEvent,
} from "../../server/adapters/client/create-toolthread-client.ts";
import type { TaskManager } from "../../server/engine/task-manager.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { closedPort } from "../support/closed-port.ts";

const ann = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;
let folder: string;
let store: SQLiteStore;
let server: ApiServer;
let port = 0;

const register = (manager: TaskManager) => {
  manager.registerTask("echo", (_ctx, params) => params);
  manager.registerTask("ask", async (ctx) => {
    ctx.update("one");
    ctx.progress(1, 2);
    const answer = await ctx.askCustomer("Go?", { choices: ["yes", "no"] });
    ctx.update(`two ${answer}`);
    return answer;
  });
};

async function start() {
  store = await SQLiteStore.open(join(folder, "tasks.db"));
  server = await startApiServer({ store, register, port, apiKey: "a-key" });
  port = server.port;
}

async function stop() {
  server.http.closeAllConnections();
  await server.close();
  await store.close();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  await start();
});

afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const clientOf = (options: Partial<Parameters<typeof createToolthreadClient>[0]> = {}) =>
  createToolthreadClient({ url: `${server.url}/`, apiKey: "a-key", ...options });

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return "no error";
}

test("the methods of a manager, on a server", async () => {
  const client = clientOf();
  expect((await client.taskTypes()).map(({ type }) => type)).toEqual(["echo", "ask"]);
  const taskId = await client.startTask("ask", {}, { labels: { team: "core" } });
  const asked = await client.pollTask(taskId, { waitFor: "input_or_result" });
  const questionId = asked.pendingQuestion?.questionId as string;
  expect((await client.listQuestions({ taskId })).items).toHaveLength(1);
  expect(await codeOf(client.respondToQuestion(taskId, questionId, "maybe"))).toBe(
    "invalid_answer",
  );
  expect(await codeOf(client.respondToQuestion("task_x", questionId, "yes"))).toBe(
    "task_not_found",
  );
  expect(await client.respondToQuestion(taskId, questionId, "yes")).toBe(true);
  expect(await client.respondToQuestion(taskId, questionId, "yes")).toBe(true);
  expect(await client.respondToQuestion(taskId, questionId, "no")).toBe(false);
  const declined = await client.declineQuestion(questionId, { reason: "late" });
  expect(declined).toMatchObject({ won: false, question: { outcome: "answered" } });
  const done = await client.pollTask(taskId, { since: asked.cursor, waitFor: "input_or_result" });
  expect(done.result).toMatchObject({ status: "completed", result: "yes" });
  expect(await client.cancelTask(taskId)).toBe(false);
  const again = await client.rerunTask(taskId);
  expect(await client.cancelTask(again, { reason: "enough" })).toBe(true);
  expect((await client.getTask(again)).task.rerunOf).toBe(taskId);
  expect((await client.listTasks({ labels: { team: "core" } })).items).toHaveLength(2);
});

test("errors are toolthread's own, with the words and details of the server", async () => {
  const client = clientOf();
  const error = await client.startTask("ehco").catch((thrown: unknown) => thrown);
  expect(hasErrorCode(error, "unknown_task_type")).toBe(true);
  expect(error).toMatchObject({ name: "UnknownTaskType", details: { known: ["echo", "ask"] } });
  expect((error as Error).message).toContain("echo, ask");
  expect(await codeOf(client.getTask("task_none"))).toBe("task_not_found");
  expect(await codeOf(clientOf({ apiKey: "wrong" }).taskTypes())).toBe("unauthorized");
  expect(await codeOf(clientOf({ apiKey: "wrong" }).watch("task_none").next())).toBe(
    "unauthorized",
  );
  expect(await codeOf(client.watch("task_none").next())).toBe("task_not_found");
  const nobody = clientOf({ url: `http://127.0.0.1:${await closedPort()}`, retrySeconds: 0.3 });
  expect(await codeOf(nobody.taskTypes())).toBe("server_unreachable");
  expect(await codeOf(nobody.watch("x").next())).toBe("server_unreachable");
});

test("what cannot be sent is refused at once, by its name, and nothing is sent", async () => {
  const sent = vi.fn(fetch);
  // Whoever sends it again all the same does so until the test has run out of time.
  const client = clientOf({ fetch: sent, retrySeconds: Infinity });
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const call = { taskId: "task_x", driverId: "w_x" };
  const refused: [words: string, call: () => Promise<unknown>][] = [
    ["params.self refers back", () => client.startTask("echo", circle)],
    ["params.pace is a BigInt", () => client.startTask("echo", { pace: 1n })],
    ["params.at is NaN", () => client.startTaskDetailed("echo", { at: Number.NaN })],
    ["params is a Map", () => client.rerunTask("task_x", { params: new Map() })],
    ["answer is a BigInt", () => client.answerQuestion("q_x", 1n)],
    ["answer is a BigInt", () => client.respondToQuestion("task_x", "q_x", 1n)],
    ["timeout is NaN", () => client.pollTask("task_x", { timeout: Number.NaN })],
    ["limit is Infinity", () => client.pollTask("task_x", { limit: Infinity })],
    ["limit is NaN", () => client.listTasks({ limit: Number.NaN })],
    ["limit is NaN", () => client.listQuestions({ limit: Number.NaN })],
    ["afterSeq is NaN", () => client.watch("task_x", { afterSeq: Number.NaN }).next()],
    ["afterSeq is -1", () => client.watch("task_x", { afterSeq: -1 }).next()],
    ["done is NaN", () => client.drive.progress({ ...call, done: Number.NaN })],
    ["wait is NaN", () => client.drive.ask({ ...call, key: "k", prompt: "Go?", wait: Number.NaN })],
  ];
  for (const [words, run] of refused) {
    await expect(run()).rejects.toMatchObject({
      name: "InvalidInput",
      code: "invalid_input",
      message: expect.stringContaining(words),
    });
  }
  expect(sent).not.toHaveBeenCalled();
  // These can be sent, and the server has the word.
  expect(await codeOf(client.pollTask("task_x", { timeout: -1 }))).toBe("invalid_input");
  expect(await codeOf(client.pollTask("task_x", { timeout: -1000 }))).toBe("invalid_input");
  const ask = { ...call, key: "k", prompt: "Go?", wait: 1e300 };
  expect(await codeOf(client.drive.ask(ask))).toBe("invalid_input");
});

test("a key, headers and an address that nothing can be sent with are no passing failures", async () => {
  for (const apiKey of ["tt_…", "tt_one\ntwo", "tt_one two", "tt_\u0000"]) {
    expect(() => clientOf({ apiKey })).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        message: expect.stringContaining("characters that a key cannot have"),
      }),
    );
  }
  expect(() => clientOf({ headers: { "x-team": "…" } })).toThrow(/headers cannot be sent/);
  expect(() => clientOf({ retrySeconds: Number.NaN })).toThrow(/retrySeconds is NaN/);
  // As it is read from a file.
  expect(await clientOf({ apiKey: "a-key\n" }).taskTypes()).toHaveLength(2);
  for (const url of [
    "http://127.0.0.1:1",
    "127.0.0.1",
    "ftp://127.0.0.1",
    "http://u:p@127.0.0.1",
  ]) {
    const client = clientOf({ url, retrySeconds: Infinity });
    const words = expect.stringContaining(`Nothing can be sent to ${url}`);
    const refusal = { code: "invalid_input", message: words };
    await expect(client.taskTypes()).rejects.toMatchObject(refusal);
    await expect(client.watch("task_x").next()).rejects.toMatchObject(refusal);
  }
});

test("what was lost on its way back is done once", async () => {
  let lost = 0;
  const lossy: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method !== "POST" || lost++ % 2 === 1) return response;
    throw new TypeError("fetch failed");
  };
  const client = clientOf({ fetch: lossy });
  const { taskId, created } = await client.startTaskDetailed("echo", { once: true });
  expect(created).toBe(false);
  const { items } = await client.listTasks({ types: ["echo"] });
  expect(items.map((task) => task.taskId)).toEqual([taskId]);
  const driven = await client.drive.start({ type: "ci" });
  const call = { taskId: driven.taskId, driverId: driven.driverId };
  await client.drive.update({ ...call, message: "one", sequence: 1 });
  await client.drive.update({ ...call, message: "two" });
  await client.drive.update({ ...call, message: "two" });
  await client.drive.progress({ ...call, done: 1, message: "half" });
  await client.drive.finish({ ...call, status: "completed", result: 1 });
  const { updates, result } = await client.pollTask(driven.taskId);
  expect(updates.map(({ message }) => message)).toEqual(["one", "two", "two", "half"]);
  expect(result?.status).toBe("completed");
});

test("fetch is called as browsers want it, which is as nobody's method", async () => {
  function picky(this: unknown, ...args: Parameters<typeof fetch>) {
    if (this !== undefined) throw new TypeError("Illegal invocation");
    return fetch(...args);
  }
  const client = clientOf({ fetch: picky, retrySeconds: 0 });
  const taskId = await client.startTask("echo", {});
  const kinds: string[] = [];
  for await (const { kind } of client.watch(taskId)) kinds.push(kind);
  expect(kinds.at(-1)).toBe("task_finished");
});

test("Retry-After is kept to", async () => {
  const calls: number[] = [];
  const busy: typeof fetch = async (url, init) => {
    calls.push(Date.now());
    if (calls.length > 2) return fetch(url, init);
    const error = { message: "busy", code: -32603, data: { code: "shutting_down", details: {} } };
    return Response.json({ error }, { status: 503, headers: { "retry-after": "1" } });
  };
  await clientOf({ fetch: busy }).taskTypes();
  expect(calls).toHaveLength(3);
  expect((calls[2] as number) - (calls[0] as number)).toBeGreaterThan(1900);
});

test("a signal ends a poll, a retry and a watch at once", async () => {
  const client = clientOf();
  const taskId = await client.startTask("ask");
  const { cursor } = await client.pollTask(taskId, { waitFor: "input_or_result" });
  const away = await closedPort();
  const ends = new AbortController();
  const { signal } = ends;
  const poll = client.pollTask(taskId, { since: cursor, timeout: 300, signal });
  const nobody = clientOf({ url: `http://127.0.0.1:${away}` }).taskTypes({ signal });
  const watched = client.watch(taskId, { signal });
  const watching = (async () => {
    for await (const _ of watched);
  })();
  setTimeout(() => ends.abort(new Error("enough")), 50);
  for (const call of [poll, nobody, watching]) {
    await expect(call).rejects.toThrow("enough");
  }
});

describe("a server that restarts in between", () => {
  test("a poll and a watch go on, and nothing comes twice", async () => {
    const client = clientOf();
    const taskId = await client.startTask("ask");
    const asked = await client.pollTask(taskId, { waitFor: "input_or_result" });
    const seen: WatchedEvent[] = [];
    const watching = (async () => {
      for await (const event of client.watch(taskId)) seen.push(event);
    })();
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(5);
    const polling = client.pollTask(taskId, { since: asked.cursor, timeout: 120 });
    await stop();
    const starting = client.startTask("echo", { while: "away" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await start();
    const questionId = asked.pendingQuestion?.questionId as string;
    await server.manager.answerQuestion(questionId, "yes", { actor: ann });
    expect((await polling).status).not.toBe("waiting_for_input");
    await watching;
    const ids = seen.flatMap((event) => ("seq" in event ? [event.seq] : []));
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    expect(seen.at(-1)).toMatchObject({ kind: "task_finished", status: "completed" });
    expect(seen.some(({ kind }) => kind === "progress")).toBe(true);
    expect((await client.pollTask(await starting)).result?.status).toBe("completed");
  });
});

test("the tools for agents take it in place of a manager", async () => {
  const tools = createAgentTools(clientOf());
  const run = (name: string, args: object) => tools.find((tool) => tool.name === name)?.run(args);
  const started = (await run("start_task", { task_type: "ask" })) as { task_id: string };
  const polled = (await run("poll_task", {
    task_id: started.task_id,
    wait_for: "input_or_result",
  })) as { pending_question: { question_id: string } };
  const answer = await run("respond_to_question", {
    task_id: started.task_id,
    question_id: polled.pending_question.question_id,
    answer: "yes",
  });
  expect(answer).toMatchObject({ answered: true });
});
