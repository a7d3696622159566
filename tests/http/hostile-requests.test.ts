import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { restClient } from "../support/rest-client.ts";

let server: ApiServer;
let rest: ReturnType<typeof restClient>;

beforeAll(async () => {
  server = await startApiServer({
    register(manager) {
      manager.registerTask("echo", (_ctx, params) => params);
      manager.registerTask("list", (ctx) =>
        ctx.askCustomer("Which?", {
          timeout: 600,
          schema: { type: "array", items: { type: "string", minLength: 3 } },
        }),
      );
      manager.registerTask("choose", (ctx) => ctx.askCustomer("Which?", { choices: ["a", "b"] }));
      manager.registerTask("burst", (ctx, { count }: { count: number }) => {
        for (let i = 0; i < count; i++) void ctx.update(`update ${i}`);
      });
    },
  });
  rest = restClient(server.url);
});

afterEach(() => expect(server.errors).toEqual([]));
afterAll(() => server.close());

const json = { "content-type": "application/json" };
const post = (path: string, body: BodyInit, headers: Record<string, string> = json) =>
  fetch(`${server.url}${path}`, { method: "POST", headers, body, duplex: "half" } as RequestInit);

/** Sends these very bytes and reads until the server closes, or for the given time. */
function sendBytes(bytes: string, milliseconds = 5000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, "127.0.0.1");
    let received = "";
    socket.setTimeout(milliseconds, () => socket.destroy());
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

async function askedBy(type: string): Promise<string> {
  const { taskId } = (await rest.post("/tasks", { type })).body;
  return (await rest.get(`/tasks/${taskId}/poll`)).body.pendingQuestion.questionId;
}

describe("what is wrong in very many places is told in few words", () => {
  const many = (text: string, count = 49_000) => Array(count).fill(text).join(",");
  const members = (value: string) =>
    Array.from({ length: 49_000 }, (_, i) => `"${i.toString(36)}":${value}`).join(",");

  test.each([
    ["items of an answer", "list", `{"answer":[${many("1")}]}`],
    ["a choice nobody offered", "choose", `{"answer":"${"y".repeat(900_000)}"}`],
    ["a list where a choice belongs", "choose", `{"answer":[${many('"a"')}]}`],
  ])("%s", async (_, type, body) => {
    const path = `/questions/${await askedBy(type)}/answer`;
    const response = await post(`/api/v1${path}`, body);
    const text = await response.text();
    expect([response.status, JSON.parse(text).code]).toEqual([400, "invalid_answer"]);
    expect(text.length).toBeLessThan(20_000);
  });

  test.each([
    ["labels that are no texts", `{"type":"echo","labels":{${members("1")}}}`, "invalid_input"],
    ["members nobody knows", `{"type":"echo",${members("1")}}`, "invalid_input"],
    ["a member with a long name", `{"type":"echo","${"n".repeat(900_000)}":1}`, "invalid_input"],
  ])("%s", async (_, body, code) => {
    for (const path of [
      "/api/v1/tasks",
      "/api/trpc/tasks.start",
      "/api/trpc/tasks.start?batch=1",
    ]) {
      const response = await post(path, path.endsWith("batch=1") ? `{"0":${body}}` : body);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 400]);
      expect(text).toContain(`"${code}"`);
      expect(text.length).toBeLessThan(20_000);
    }
  });
});

describe("more values than can be checked in a moment are not checked at all", () => {
  const ones = (count: number) => Array(count).fill("1").join(",");

  test.each([
    ["one long list", `[${ones(400_000)}]`],
    [
      "very many lists",
      `[${Array(1000)
        .fill(`[${ones(100)}]`)
        .join(",")}]`,
    ],
    ["very many members", `{${Array.from({ length: 60_000 }, (_, i) => `"${i}":1`).join(",")}}`],
  ])("%s", async (_, params) => {
    const body = `{"type":"echo","params":${params}}`;
    for (const path of ["/api/v1/tasks", "/api/trpc/tasks.start"]) {
      const response = await post(path, body);
      expect([path, response.status]).toEqual([path, 413]);
      expect(await response.text()).toContain("50000 values");
    }
  });
});

describe("a member named __proto__, which a schema would drop in silence, is refused", () => {
  test.each([
    ["a label", `{"type":"echo","labels":{"__proto__":"x"}}`, "labels.__proto__"],
    ["a member beside the known ones", `{"type":"echo","__proto__":{"x":1}}`, "__proto__"],
  ])("%s", async (_, body, name) => {
    for (const path of [
      "/api/v1/tasks",
      "/api/trpc/tasks.start",
      "/api/trpc/tasks.start?batch=1",
    ]) {
      const response = await post(path, path.endsWith("batch=1") ? `{"0":${body}}` : body);
      expect([path, response.status]).toEqual([path, 400]);
      expect(await response.text()).toContain(`${name} cannot be used`);
    }
  });

  test("in a query", async () => {
    const response = await fetch(`${server.url}/api/v1/tasks?labels[__proto__]=x`);
    expect(response.status).toBe(400);
    expect((await response.json()).detail).toContain("labels.__proto__");
  });
});

describe("bodies that are no UTF-8 are refused instead of being changed", () => {
  const bad = [0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80];
  const body = Buffer.concat([
    Buffer.from('{"type":"echo","params":{"text":"'),
    Buffer.from(bad),
    Buffer.from('"}}'),
  ]);

  test.each(["/api/v1/tasks", "/api/trpc/tasks.start", "/api/trpc/tasks.start?batch=1"])(
    "%s",
    async (path) => {
      for (const sent of [body, new Blob([body]).stream()]) {
        const response = await post(path, sent);
        expect(response.status).toBe(400);
        expect(await response.text()).toContain('"not_json"');
      }
    },
  );

  test("a character that comes in two chunks is one, and a byte order mark is none", async () => {
    const bytes = Buffer.from('\ufeff{"type":"echo","params":{"text":"€"}}');
    const middle = bytes.indexOf(Buffer.from("€")) + 1;
    const stream = new ReadableStream({
      async start(controller) {
        controller.enqueue(bytes.subarray(0, middle));
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.enqueue(bytes.subarray(middle));
        controller.close();
      },
    });
    const response = await post("/api/v1/tasks", stream);
    expect(response.status).toBe(201);
    const { taskId } = await response.json();
    expect((await rest.get(`/tasks/${taskId}`)).body.params).toEqual({ text: "€" });
  });
});

describe("targets that are no path", () => {
  const head = (method: string, target: string) =>
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

  test.each([
    ["GET", "http://localhost/api/v1/task-types", 200],
    ["GET", "HTTP://evil.example/api/v1/task-types", 200],
    ["GET", "http://localhost", 200],
    ["GET", "/tasks/%E0%A4%A", 404],
    ["GET", "/%ff", 404],
    ["GET", "/tasks/%00", 200],
    ["OPTIONS", "*", 400],
  ])("%s %s gives %i", async (method, target, status) => {
    expect(await sendBytes(head(method, target))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("the origin in a target is no way around the check of Host", async () => {
    const request = head("GET", "http://localhost/api/v1/task-types");
    const response = await sendBytes(request.replace("Host: localhost", "Host: evil.example"));
    expect(response).toMatch(/^HTTP\/1.1 421 /);
  });
});

test.each([
  "live.feed?connectionParams=%7B%22a%22%3A1%7D",
  "tasks.types?batch=1&connectionParams=%5B1%5D",
  "live.feed?connectionParams=5",
])("what tRPC itself refuses is the caller's mistake: %s", async (path) => {
  const response = await fetch(`${server.url}/api/trpc/${path}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('"not_json"');
});

test.each(["labels=abc&labels[x]=1", "labels[x]=1&labels=abc"])(
  "a text beside members is no object: %s",
  async (query) => {
    expect(await rest.get(`/tasks?${query}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_input" },
    });
  },
);

test.each(["", "  ", "tomorrow", "1969-12-31T23:59:59Z", "9999-12-31T00:00:00Z"])(
  "startAfter %j is refused",
  async (startAfter) => {
    expect(await rest.post("/tasks", { type: "echo", startAfter })).toMatchObject({
      status: 400,
      body: { code: "invalid_input" },
    });
  },
);

test.each(["/api/v1/tasks", "/api/trpc/tasks.stats", "/api/trpc/tasks.stats?batch=1"])(
  "a fault of the database is told without its path: %s",
  async (path) => {
    const folder = await mkdtemp(join(tmpdir(), "toolthread-"));
    const store = await SQLiteStore.open(join(folder, "tasks.db"));
    const faulty = await startApiServer({ store });
    try {
      await store.close();
      const response = await fetch(faulty.url + path);
      const text = await response.text();
      expect([response.status, text.includes("store_unavailable")]).toEqual([503, true]);
      expect(text).toContain("The database ");
      expect(text).not.toContain(basename(folder));
      expect(text).not.toContain("tasks.db");
    } finally {
      await faulty.close();
      await rm(folder, { recursive: true });
    }
  },
);

test("a burst to many streams leaves turns to other requests", async () => {
  const leaving = new AbortController();
  const readers = Array.from({ length: 20 }, async () => {
    const response = await fetch(`${server.url}/api/trpc/live.feed`, { signal: leaving.signal });
    let end = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      end = (end + Buffer.from(chunk).toString()).slice(-5000);
      if (end.includes('"update 1999"')) return;
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  await rest.post("/tasks", { type: "burst", params: { count: 2000 } });
  setImmediate(turn);
  await Promise.all(readers);
  isOver = true;
  leaving.abort();
  // 40,000 messages are written meanwhile: about 250 turns, and without care two.
  expect(turns).toBeGreaterThan(100);
});
