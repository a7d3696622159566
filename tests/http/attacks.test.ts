import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type IdentityServer,
  password,
  somebody,
  startIdentityServer,
} from "../support/identity-server.ts";
import { readStream } from "../support/read-stream.ts";

let server: IdentityServer;

beforeAll(async () => {
  server = await start();
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const start = () =>
  startIdentityServer({
    register(manager) {
      manager.registerTask("echo", (_ctx, params) => params);
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?", { choices: ["yes", "no"] }));
      manager.registerTask("approve", (ctx) =>
        ctx.askCustomer("Go?", { answerableBy: "operator" }),
      );
      manager.registerTask(
        { type: "payroll", access: { see: ["group:finance"], answer: ["group:finance"] } },
        (ctx) => ctx.askCustomer("Pay?"),
      );
    },
  });

type Headers = Record<string, string>;

async function json(path: string, headers: Headers, body?: unknown) {
  const answer = await server.send(path, headers, body);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body) };
}

async function startTask(headers: Headers, type = "ask"): Promise<string> {
  const { status, body } = await json("/api/v1/tasks", headers, { type });
  expect(status).toBe(201);
  return body.taskId;
}

async function questionOf(headers: Headers, taskId: string): Promise<string> {
  const { body } = await json(`/api/v1/tasks/${taskId}/poll?waitFor=input_or_result`, headers);
  return body.pendingQuestion.questionId;
}

describe("brute force", () => {
  test("wrong keys from an address are limited, told, and logged; a repeated one is no attack", async () => {
    const fresh = await start();
    const { headers } = await fresh.agent();
    const wrong = (i: number) => ({ authorization: `Bearer wrong-${i}` });
    for (let i = 0; i < 40; i++)
      expect((await fresh.send("/api/v1/tasks", wrong(0))).status).toBe(401);
    expect((await fresh.send("/api/v1/tasks", headers)).status).toBe(200);
    const statuses: number[] = [];
    for (let i = 1; i < 30; i++)
      statuses.push((await fresh.send("/api/v1/tasks", wrong(i))).status);
    expect(statuses.indexOf(429)).toBeGreaterThan(5);
    const blocked = await fresh.send("/api/v1/tasks", wrong(99));
    expect([blocked.status, JSON.parse(blocked.body).code]).toEqual([429, "too_many_attempts"]);
    expect(Number(blocked.headers["retry-after"])).toBeGreaterThan(0);
    // A right guess is told no better than a wrong one meanwhile.
    expect((await fresh.send("/api/v1/tasks", headers)).status).toBe(429);
    const kinds = fresh.events.map(({ kind }) => kind);
    // The repeated one is noted once: nobody without a key fills the log.
    expect(kinds.filter((kind) => kind === "key_refused")).toHaveLength(20);
    expect(kinds.filter((kind) => kind === "attempts_blocked")).toHaveLength(1);
    await fresh.close();
  });

  test("passwords are limited by address, also when sent all at once, whoever they are for", async () => {
    const fresh = await start();
    const page = { origin: `http://localhost:${fresh.port}` };
    const { email } = await fresh.person("operator");
    const attempt = (secret: string, i = 0) =>
      fresh.send("/api/auth/sign-in", page, {
        email: i % 2 ? email : `nobody${i}@example.com`,
        password: secret,
      });
    const all = await Promise.all(Array.from({ length: 30 }, (_, i) => attempt(`wrong ${i}`, i)));
    expect(all.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(20);
    const right = await attempt(password, 1);
    expect([right.status, right.headers["set-cookie"]]).toEqual([429, undefined]);
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(60);
    // The address is the connection's: a header does not make another one of it.
    const forged = { ...page, "x-forwarded-for": "203.0.113.9", "x-toolthread-address": "::2" };
    const again = { email, password };
    expect((await fresh.send("/api/auth/sign-in", forged, again)).status).toBe(429);
    expect(fresh.events.filter(({ kind }) => kind === "sign_in_failed")).toHaveLength(10);
    expect(JSON.stringify(fresh.events)).not.toContain("wrong");
    await fresh.close();
  });

  test("tokens of links are limited", async () => {
    const fresh = await start();
    const page = { origin: `http://localhost:${fresh.port}` };
    const statuses: number[] = [];
    for (let i = 0; i < 25; i++) {
      statuses.push((await fresh.send("/api/auth/link", page, { token: `t${i}` })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    await fresh.close();
  });
});

describe("keys", () => {
  test("a key is in no list, no database and no log; another with its prefix is refused", async () => {
    const { key, keyId } = await server.agent();
    // What is after the second underscore: it is base64url and may hold more of them.
    const secret = /^tt_[0-9a-z]+_(.{43})$/.exec(key)?.[1] as string;
    const admin = await server.person("admin");
    const { body } = await json("/api/trpc/keys.list", admin.headers);
    const stored = await (await server.store.identity()).listKeys();
    const everything = JSON.stringify([body, stored, server.events]);
    expect(everything).toContain(keyId);
    expect(everything).not.toContain(secret);
    expect(JSON.stringify(body)).not.toContain("keyHash");
    const forged = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
    const answer = await json("/api/v1/tasks", { authorization: `Bearer ${forged}` });
    expect(answer.status).toBe(401);
    const none = await json("/api/v1/tasks", { authorization: "Bearer tt_0000000000_x" });
    expect(answer.body).toEqual(none.body);
  });

  test("its last use is noted, and written at most once a minute", async () => {
    const { headers, keyId } = await server.agent();
    const identities = await server.store.identity();
    const change = identities.changeKey.bind(identities);
    let writes = 0;
    identities.changeKey = (...args) => {
      writes += 1;
      return change(...args);
    };
    for (let i = 0; i < 5; i++) await server.send("/api/v1/tasks", headers);
    identities.changeKey = change;
    expect(writes).toBe(1);
    const view = server.identity.keys.list().find((item) => item.keyId === keyId);
    expect(view?.lastUsedAt).not.toBeNull();
  });

  test("it starts only the types it is for, and cannot find out about others", async () => {
    const { headers } = await server.agent({ start: ["echo"] });
    expect((await json("/api/v1/tasks", headers, { type: "echo" })).status).toBe(201);
    const known = await json("/api/v1/tasks", headers, { type: "ask" });
    const unknown = await json("/api/v1/tasks", headers, { type: "asks" });
    expect([known.status, unknown.status]).toEqual([403, 403]);
    expect(known.body.detail.replace('"ask"', '"asks"')).toBe(unknown.body.detail);
    const types = await json("/api/v1/task-types", headers);
    expect(types.body.map(({ type }: { type: string }) => type)).toEqual(["echo"]);
  });

  test("the key in the settings may do all a key can, and manages nothing", async () => {
    const fresh = await startIdentityServer({ apiKey: "a-key-of-a-container" });
    const headers = { authorization: "Bearer a-key-of-a-container" };
    expect((await fresh.send("/api/v1/tasks", headers)).status).toBe(200);
    expect((await fresh.send("/api/trpc/keys.list", headers)).status).toBe(403);
    expect((await fresh.send("/api/trpc/people.list", headers)).status).toBe(403);
    await fresh.close();
  });
});

describe("revocation", () => {
  test("ends an open poll and an open stream at once", async () => {
    const { headers, keyId } = await server.agent({ read: "all" });
    const taskId = await startTask(headers);
    const { body } = await json(`/api/v1/tasks/${taskId}/poll?waitFor=input_or_result`, headers);
    const poll = json(`/api/v1/tasks/${taskId}/poll?timeout=50&since=${body.cursor}`, headers);
    const stream = await readStream(`${server.url}/api/trpc/live.feed`, headers);
    await stream.events.next();
    const ofTask = `?input=${encodeURIComponent(JSON.stringify({ taskId }))}`;
    const second = await readStream(`${server.url}/api/trpc/live.task${ofTask}`, headers);
    await second.events.next();
    await new Promise((resolve) => setTimeout(resolve, 100));

    const began = performance.now();
    await server.identity.keys.revoke(keyId, somebody);
    const ended = await poll;
    expect([ended.status, ended.body.code]).toEqual([401, "unauthorized"]);
    for (const { events } of [stream, second]) {
      const rest: string[] = [];
      for await (const { event, data } of events) rest.push(`${event} ${data}`);
      expect(rest.join()).toContain("unauthorized");
    }
    expect(performance.now() - began).toBeLessThan(15_000);
    expect((await json("/api/v1/tasks", headers)).status).toBe(401);
  });

  test("of a session, by signing out or being shut out, ends its streams", async () => {
    for (const end of ["sign-out", "shut-out"]) {
      const { headers, userId } = await server.person("operator");
      const stream = await readStream(`${server.url}/api/trpc/live.feed`, headersOfGet(headers));
      await stream.events.next();
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (end === "sign-out") await server.send("/api/auth/sign-out", headers, {});
      else await server.identity.changePerson(userId, { isDisabled: true }, somebody);
      let last = "";
      for await (const { data } of stream.events) last = data;
      expect([end, last]).toEqual([end, expect.stringContaining("unauthorized")]);
    }
  });

  test("an expiry ends what is open when it comes", async () => {
    const { headers } = await server.agent({}, new Date(Date.now() + 1500).toISOString());
    const taskId = await startTask(headers);
    await questionOf(headers, taskId);
    const { body } = await json(`/api/v1/tasks/${taskId}/poll`, headers);
    const poll = await json(
      `/api/v1/tasks/${taskId}/poll?timeout=50&since=${body.cursor}`,
      headers,
    );
    expect([poll.status, poll.body.code]).toEqual([401, "unauthorized"]);
  });

  test("leaves nothing behind for calls that are over", async () => {
    const fresh = await start();
    const { headers } = await fresh.agent();
    const started = await fresh.send("/api/v1/tasks", headers, { type: "echo" });
    const { taskId } = JSON.parse(started.body);
    await fresh.send(`/api/v1/tasks/${taskId}/poll?waitFor=input_or_result`, headers);
    const stream = await readStream(`${fresh.url}/api/trpc/live.feed`, headers);
    await stream.events.next();
    stream.close();
    await expect.poll(() => fresh.identity.openCalls.size).toBe(0);
    await fresh.close();
  });
});

describe("another's tasks do not exist", () => {
  test("by id, on every route: the same status, words and headers as an id that never was", async () => {
    const [mine, other] = [await server.agent(), await server.agent()];
    const taskId = await startTask(other.headers);
    const questionId = await questionOf(other.headers, taskId);
    const paths: [path: (id: string) => string, body?: object, kind?: "question"][] = [
      [(id) => `/api/v1/tasks/${id}`],
      [(id) => `/api/v1/tasks/${id}/poll?timeout=0`],
      [(id) => `/api/v1/tasks/${id}/cancel`, {}],
      [(id) => `/api/v1/tasks/${id}/rerun`, {}],
      [(id) => `/api/v1/tasks/${id}/timeline`],
      [(id) => `/api/trpc/tasks.searchEvents?input=${input({ taskId: id })}`],
      [(id) => `/api/trpc/tasks.events?input=${input({ taskId: id })}`],
      [(id) => `/api/trpc/live.task?input=${input({ taskId: id })}`],
      [(id) => `/api/v1/questions/${id}`, undefined, "question"],
      [(id) => `/api/v1/questions/${id}/answer`, { answer: "yes" }, "question"],
      [(id) => `/api/v1/questions/${id}/decline`, {}, "question"],
      [
        (id) => `/api/trpc/questions.previousApproval?input=${input({ questionId: id })}`,
        undefined,
        "question",
      ],
    ];
    for (const [path, body, kind] of paths) {
      const [real, made] = kind
        ? [questionId, "q_00000000000000000000"]
        : [taskId, "task_00000000000000000000"];
      const [theirs, nobodys] = await Promise.all([
        server.send(path(real), mine.headers, body),
        server.send(path(made), mine.headers, body),
      ]);
      const told = (answer: typeof theirs, id: string) => [
        path(""),
        answer.status,
        answer.body.replaceAll(id, "ID"),
        Object.keys(answer.headers).sort(),
      ];
      expect(told(theirs, real)).toEqual(told(nobodys, made));
      expect(theirs.body).toMatch(/not_found/);
    }
    const { body } = await json(`/api/v1/tasks/${taskId}`, other.headers);
    expect(body.task.status).toBe("waiting_for_input");
  });

  test("in lists, counts, questions and streams, unless the key reads all", async () => {
    const [mine, other, reader] = [
      await server.agent(),
      await server.agent(),
      await server.agent({ read: "all" }),
    ];
    const stream = await readStream(`${server.url}/api/trpc/live.feed`, mine.headers);
    await stream.events.next();
    await stream.events.next();
    const theirs = await startTask(other.headers);
    const questionId = await questionOf(other.headers, theirs);
    const own = await startTask(mine.headers, "echo");

    const ids = async (headers: Headers) =>
      (await json("/api/v1/tasks?limit=500", headers)).body.items.map(
        ({ taskId }: { taskId: string }) => taskId,
      );
    expect(await ids(mine.headers)).toEqual([own]);
    expect(await ids(reader.headers)).toEqual(expect.arrayContaining([own, theirs]));
    for (const query of [`text=${theirs}`, "types=ask", "statuses=waiting_for_input"]) {
      expect((await json(`/api/v1/tasks?${query}`, mine.headers)).body.items).toEqual([]);
    }
    const questions = await json("/api/v1/questions", mine.headers);
    expect(questions.body.items).toEqual([]);
    const all = await json("/api/v1/questions", reader.headers);
    expect(JSON.stringify(all.body)).toContain(questionId);
    const stats = await json("/api/trpc/tasks.stats", mine.headers);
    expect(stats.body.result.data).toMatchObject({
      openQuestions: 0,
      tasks: { waiting_for_input: 0 },
    });

    const seen = new Set<string>();
    for await (const { data } of stream.events) {
      const { task } = JSON.parse(data).data ?? JSON.parse(data);
      if (task) seen.add(task.taskId);
      if (task?.status === "completed") break;
    }
    stream.close();
    expect([...seen]).toEqual([own]);
  });

  test("a type for one group only is nobody else's business, on any surface", async () => {
    const [insider, outsider] = [
      await server.person("operator", ["finance"]),
      await server.person("operator"),
    ];
    const taskId = await startTask(insider.headers, "payroll");
    const questionId = await questionOf(insider.headers, taskId);
    const get = async (path: string) => (await json(path, outsider.headers)).status;
    expect(await get(`/api/v1/tasks/${taskId}`)).toBe(404);
    expect(await get(`/api/v1/questions/${questionId}`)).toBe(404);
    const list = await server.send("/api/v1/tasks?limit=500", outsider.headers);
    const inbox = await server.send("/api/v1/questions?limit=500", outsider.headers);
    const types = await server.send("/api/v1/task-types", outsider.headers);
    expect(list.body + inbox.body + types.body).not.toContain("payroll");
    expect((await json("/api/v1/tasks", outsider.headers, { type: "payroll" })).status).toBe(400);

    // An admin opens it in the settings, for seeing alone.
    const { identity } = server;
    await identity.setTypeRule("payroll", { answer: ["group:finance"] }, somebody);
    expect(await get(`/api/v1/tasks/${taskId}`)).toBe(200);
    const path = `/api/v1/questions/${questionId}/answer`;
    expect((await json(path, outsider.headers, { answer: "yes" })).status).toBe(403);
    await identity.setTypeRule("payroll", null, somebody);
    expect(await get(`/api/v1/tasks/${taskId}`)).toBe(404);
    expect((await json(path, insider.headers, { answer: "yes" })).status).toBe(200);
  });
});

describe("foreign pages", () => {
  test("change nothing with somebody's session", async () => {
    const { headers } = await server.person("admin");
    const cookie = headers.cookie as string;
    const foreign: Headers[] = [
      { cookie, origin: "http://evil.example" },
      { cookie, origin: `http://localhost:1` },
      { cookie, origin: "null" },
      { cookie, "sec-fetch-site": "cross-site" },
      { cookie, "sec-fetch-site": "same-site" },
      { cookie, "sec-fetch-site": "none" },
      { cookie },
    ];
    const before = server.identity.keys.list().length;
    for (const each of foreign) {
      for (const path of [
        "/api/v1/tasks",
        "/api/trpc/keys.make",
        "/api/trpc/people.change",
        "/api/trpc/settings.setRule",
        "/api/auth/sign-out",
        "/api/auth/change-password",
        "/api/session",
      ]) {
        const answer = await server.send(path, each, { type: "echo" });
        expect([path, each, answer.status]).toEqual([path, each, 403]);
      }
    }
    expect(server.identity.keys.list()).toHaveLength(before);
    expect((await server.send("/api/trpc/system.info", headers)).status).toBe(200);
  });

  test("cannot sign somebody in as somebody else", async () => {
    const { email } = await server.person("viewer");
    const answer = await server.send(
      "/api/auth/sign-in",
      { origin: "http://evil.example" },
      { email, password },
    );
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  });

  test("a form cannot stand in for JSON", async () => {
    const status = await new Promise((resolve) => {
      const sent = request(
        {
          port: server.port,
          path: "/api/auth/sign-in",
          method: "POST",
          headers: { "content-type": "text/plain", host: `localhost:${server.port}` },
        },
        (response) => resolve(response.resume().statusCode),
      );
      sent.end(JSON.stringify({ email: "a@example.com", password }));
    });
    expect(status).toBe(415);
  });
});

describe("agents and questions for people", () => {
  test("no key answers or declines one, over either surface", async () => {
    const { headers } = await server.agent({ read: "all", answer: true });
    const taskId = await startTask(headers, "approve");
    const questionId = await questionOf(headers, taskId);
    for (const [path, body] of [
      [`/api/v1/questions/${questionId}/answer`, { answer: "yes" }],
      [`/api/v1/questions/${questionId}/decline`, {}],
      ["/api/trpc/questions.answer", { questionId, answer: "yes" }],
      ["/api/trpc/questions.decline", { questionId }],
    ] as const) {
      const answer = await server.send(path, headers, body);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const person = await server.person("operator");
    const path = `/api/v1/questions/${questionId}/answer`;
    const answered = await json(path, person.headers, { answer: "yes" });
    expect(answered.body.question.resolvedBy).toMatchObject({
      kind: "operator",
      id: person.userId,
    });
  });
});

function input(value: object): string {
  return encodeURIComponent(JSON.stringify(value));
}

function headersOfGet({ cookie = "" }: Headers): Headers {
  return { cookie };
}
