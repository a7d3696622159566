import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { restClient } from "../support/rest-client.ts";

let server: ApiServer;
let rest: ReturnType<typeof restClient>;
let finishedId: string;
let waiting: { taskId: string; questionId: string };

beforeAll(async () => {
  server = await startApiServer({
    register(manager) {
      manager.registerTask("echo", (_ctx, params) => params);
      manager.registerTask("wait", (ctx) => ctx.askCustomer("Go?", { choices: ["yes", "no"] }));
      const params = z.strictObject({ env: z.string(), count: z.int().min(1) });
      manager.registerTask({ type: "strict", params }, (_ctx, given) => given);
      manager.registerTask("throws", () => {
        // biome-ignore lint/style/useThrowOnlyError: that is what this handler does wrong
        throw "just text";
      });
      manager.registerTask("nothing", () => undefined);
      manager.registerTask("cycle", () => {
        const cycle: Record<string, unknown> = {};
        cycle.self = cycle;
        return cycle;
      });
      manager.registerTask("big", () => 10n);
      manager.registerTask("function", () => ({ run: () => 1 }));
    },
  });
  rest = restClient(server.url);
  finishedId = (await rest.post("/tasks", { type: "echo", params: {} })).body.taskId;
  await rest.get(`/tasks/${finishedId}/poll`);
  const { taskId } = (await rest.post("/tasks", { type: "wait" })).body;
  const poll = (await rest.get(`/tasks/${taskId}/poll`)).body;
  waiting = { taskId, questionId: poll.pendingQuestion.questionId };
});

afterEach(() => expect(server.errors).toEqual([]));
afterAll(() => server.close());

const json = { "content-type": "application/json" };

describe("starting a task", () => {
  test("an unknown type says which exist", async () => {
    const { status, body } = await rest.post("/tasks", { type: "ehco" });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "unknown_task_type", status: 400 });
    for (const type of ["echo", "wait", "strict"]) expect(body.detail).toContain(type);
  });

  test("params against the schema say which field and why", async () => {
    const params = { env: 5, count: 0, more: 1 };
    const { status, body } = await rest.post("/tasks", { type: "strict", params });
    expect(status).toBe(400);
    expect(body.code).toBe("invalid_params");
    expect(body.detail).toMatch(/env/);
    expect(body.detail).toMatch(/count/);
    expect(body.detail).toMatch(/more/);
  });

  test.each([
    ["no type", {}],
    ["a type that is no text", { type: 5 }],
    ["an unknown member", { type: "echo", priorty: 1 }],
    ["a fractional priority", { type: "echo", priority: 1.5 }],
    ["labels that are no texts", { type: "echo", labels: { a: 1 } }],
    ["a list", []],
    ["null", null],
    ["a text", "echo"],
  ])("a body with %s is refused", async (_, body) => {
    const answer = await rest.post("/tasks", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  });

  test("no body is refused, and says what is missing", async () => {
    const answer = await rest.post("/tasks");
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    expect(answer.body.detail).toContain("type");
  });

  test("params named like parts of every object are just params", async () => {
    const body = '{"type":"echo","params":{"__proto__":{"a":1},"constructor":2}}';
    const { status, body: started } = await rest.raw("/tasks", {
      method: "POST",
      headers: json,
      body,
    });
    expect(status).toBe(201);
    await rest.get(`/tasks/${started.taskId}/poll`);
    const response = await fetch(`${server.url}/api/v1/tasks/${started.taskId}`);
    expect(await response.text()).toContain('"params":{"__proto__":{"a":1},"constructor":2}');
  });
});

describe("ids", () => {
  test.each([
    ["GET", "/tasks/task_none"],
    ["GET", "/tasks/task_none/poll?timeout=0"],
    ["POST", "/tasks/task_none/cancel"],
    ["GET", "/questions/q_none"],
    ["POST", "/questions/q_none/decline"],
    ["GET", "/tasks/%00%ff"],
    ["GET", "/tasks/%E0%A4%A"],
    ["GET", `/tasks/${"x".repeat(200)}`],
  ])("%s %s is not found", async (method, path) => {
    const { status, body } = await rest.raw(path, { method });
    expect(status).toBe(404);
    expect(body.code).toBe("task_not_found");
  });

  test("an id in the path must not stand in the body as well", async () => {
    const answer = await rest.post(`/tasks/${finishedId}/cancel`, { taskId: "another" });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  });
});

describe("answers", () => {
  test.each([["maybe"], [5], [null], [["yes"]], [{ answer: "yes" }]])(
    "%j fits no choice, and the question stays open",
    async (answer) => {
      const refused = await rest.post(`/questions/${waiting.questionId}/answer`, { answer });
      expect(refused).toMatchObject({ status: 400, body: { code: "invalid_answer" } });
      expect((await rest.get(`/questions/${waiting.questionId}`)).body.outcome).toBeNull();
    },
  );

  test("a missing answer is not null", async () => {
    const refused = await rest.post(`/questions/${waiting.questionId}/answer`, {});
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    expect(refused.body.detail).toContain("answer");
  });
});

describe("polling", () => {
  test.each([
    ["since=yesterday", "invalid_cursor"],
    ["since=c_zz", "invalid_cursor"],
    ["since=2026-02-31T00:00:00Z", "invalid_cursor"],
    ["timeout=-1", "invalid_input"],
    ["timeout=NaN", "invalid_input"],
    ["timeout=Infinity", "invalid_input"],
    ["timeout=soon", "invalid_input"],
    ["timeout=", "invalid_input"],
    ["timeout=1&timeout=2", "invalid_input"],
    ["waitFor=godot", "invalid_input"],
    ["limit=0", "invalid_input"],
    ["limit=501", "invalid_input"],
    ["limit=1.5", "invalid_input"],
    ["tiemout=1", "invalid_input"],
  ])("%s is refused", async (query, code) => {
    const { status, body } = await rest.get(`/tasks/${finishedId}/poll?${query}`);
    expect([status, body.code]).toEqual([400, code]);
  });

  test("another task's cursor is refused", async () => {
    const { cursor } = (await rest.get(`/tasks/${waiting.taskId}/poll?timeout=0`)).body;
    const { status, body } = await rest.get(`/tasks/${finishedId}/poll?since=${cursor}`);
    expect([status, body.code]).toEqual([400, "invalid_cursor"]);
  });

  test("a timeout of more than 60 s is clamped, and the response says so", async () => {
    const { status, body } = await rest.get(`/tasks/${finishedId}/poll?timeout=600`);
    expect(status).toBe(200);
    expect(body.notice).toContain("60 s");
    expect((await rest.get(`/tasks/${finishedId}/poll?timeout=60`)).body.notice).toBeNull();
  });

  test("a plus sign that a URL turned into a space is still an offset", async () => {
    const since = "2020-01-01T00:00:00.000000+00:00";
    const { status } = await rest.get(`/tasks/${finishedId}/poll?since=${since}`);
    expect(status).toBe(200);
  });
});

describe("lists", () => {
  test("repeated names are lists, and values are read as what the schema asks for", async () => {
    const query = "statuses=completed&statuses=running&limit=1&order=oldest";
    const { status, body } = await rest.get(`/tasks?${query}`);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([{ taskId: finishedId, status: "completed" }]);
    expect(body.nextCursor).toEqual(expect.any(String));
    const one = await rest.get("/tasks?statuses=waiting_for_input");
    expect(one.body.items).toMatchObject([{ taskId: waiting.taskId }]);
  });

  test("labels are given as an object", async () => {
    const labels = { team: "core", "a.b": "1" };
    const { taskId } = (await rest.post("/tasks", { type: "echo", params: {}, labels })).body;
    const found = await rest.get("/tasks?labels[team]=core&labels[a.b]=1");
    expect(found.body.items).toMatchObject([{ taskId, labels }]);
    expect((await rest.get("/tasks?labels[team]=other")).body.items).toEqual([]);
  });

  test.each(["statuses=done", "limit=many", "limit=-1", "after=nonsense", "order=random", "x=1"])(
    "%s is refused",
    async (query) => {
      const { status, body } = await rest.get(`/tasks?${query}`);
      expect([status, body.code]).toEqual([400, "invalid_input"]);
    },
  );
});

describe("bodies", () => {
  const post = (path: string, init: RequestInit) =>
    fetch(`${server.url}${path}`, { method: "POST", duplex: "half", ...init } as RequestInit);

  describe.each([
    ["REST", "/api/v1/tasks"],
    ["tRPC", "/api/trpc/tasks.start"],
    ["tRPC batched", "/api/trpc/tasks.start?batch=1"],
  ])("over %s", (_, path) => {
    const codeOf = async (response: Response) => {
      const body = await response.json();
      const error = Array.isArray(body) ? body[0].error : (body.error ?? body);
      return error.data?.code ?? error.code;
    };

    test.each(["{", "", "undefined", "{'a':1}", "\u0000"])("%j is not JSON", async (body) => {
      const response = await post(path, { headers: json, body });
      expect(response.status).toBe(400);
      expect(["not_json", "invalid_input"]).toContain(await codeOf(response));
    });

    test("more than 1 MB is refused, whether its length is told or not", async () => {
      const body = JSON.stringify({ type: "echo", params: "x".repeat(1024 * 1024) });
      const told = await post(path, { headers: json, body });
      expect([told.status, await codeOf(told)]).toEqual([413, "too_large"]);
      const chunked = await post(path, { headers: json, body: new Blob([body]).stream() });
      expect([chunked.status, await codeOf(chunked)]).toEqual([413, "too_large"]);
    });

    test("deep nesting is refused", async () => {
      const body = `{"type":"echo","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
      const response = await post(path, { headers: json, body });
      expect([response.status, await codeOf(response)]).toEqual([400, "not_json"]);
    });

    test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
      "%s is refused",
      async (type) => {
        const response = await post(path, { headers: { "content-type": type }, body: "{}" });
        expect([response.status, await codeOf(response)]).toEqual([415, "unsupported_media_type"]);
      },
    );
  });

  test("a chunked body below the limit is read whole", async () => {
    const body = JSON.stringify({ type: "echo", params: { text: "ä".repeat(300_000) } });
    const response = await post("/api/v1/tasks", {
      headers: json,
      body: new Blob([body]).stream(),
    });
    expect(response.status).toBe(201);
  });

  test("a body that ends early ends its request and nothing else", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      "POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
        'Content-Length: 100\r\n\r\n{"type":',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await rest.get("/task-types")).status).toBe(200);
  });
});

describe("routes", () => {
  test.each(["/api/v1/nope", "/api/v1/tasks/a/b/c", "/api/nope", "/api/v1/"])(
    "%s does not exist",
    async (path) => {
      const response = await fetch(server.url + path);
      expect(response.status).toBe(404);
      expect((await response.json()).code).toBe("unknown_route");
    },
  );

  test.each([
    ["DELETE", "/api/v1/tasks", "POST, GET"],
    ["PUT", "/api/v1/task-types", "GET"],
    ["POST", "/api/health", "GET, HEAD"],
    ["GET", "/api/session", "POST"],
  ])("%s %s is not allowed", async (method, path, allow) => {
    const response = await fetch(server.url + path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect((await response.json()).code).toBe("method_not_allowed");
  });

  test("HEAD is GET without the body", async () => {
    const response = await fetch(`${server.url}/api/v1/task-types`, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test.each([
    ["tasks.nope", "GET", 404, "unknown_route"],
    ["tasks", "GET", 404, "unknown_route"],
    ["constructor", "GET", 404, "unknown_route"],
    ["tasks.start", "GET", 405, "method_not_allowed"],
    ["tasks.get", "POST", 405, "method_not_allowed"],
    ["tasks.get?input=%7B", "GET", 400, "not_json"],
    ["tasks.get?input=5", "GET", 400, "invalid_input"],
    ["tasks.get", "GET", 400, "invalid_input"],
    ["tasks.get?batch=1&input=%7B", "GET", 400, "not_json"],
    ["tasks.get?input=%7B%22taskId%22%3A%22a%22%2C%22x%22%3A1%7D", "GET", 400, "invalid_input"],
  ])("tRPC %s by %s gives %i", async (path, method, status, code) => {
    const response = await fetch(`${server.url}/api/trpc/${path}`, { method });
    const body = await response.json();
    expect([response.status, body.error.data.code]).toEqual([status, code]);
    expect(JSON.stringify(body)).not.toMatch(/stack|node_modules|\.ts:/);
  });
});

describe("handlers that misbehave", () => {
  test.each([
    ["throws", "failed", /^Error: just text$/],
    ["nothing", "completed", null],
    ["cycle", "failed", /cycle/],
    ["big", "failed", /BigInt/],
    ["function", "failed", /function/],
  ])("%s ends %s", async (type, status, error) => {
    const { taskId } = (await rest.post("/tasks", { type })).body;
    const { body } = await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`);
    expect(body.status).toBe(status);
    if (error === null) expect(body.result).toMatchObject({ result: null, error: null });
    else expect(body.result.error).toMatch(error);
  });
});

test("an error nobody expected is logged, and its words stay here", async () => {
  const broken = await startApiServer();
  broken.manager.stats = () => Promise.reject(new Error("secret words"));
  try {
    const response = await fetch(`${broken.url}/api/trpc/tasks.stats`);
    const text = await response.text();
    expect([response.status, JSON.parse(text).error.data.code]).toEqual([500, "internal"]);
    expect(text).not.toMatch(/secret words|stack|\.ts/);
    expect(JSON.stringify(broken.errors)).toContain("secret words");
  } finally {
    await broken.close();
  }
});
