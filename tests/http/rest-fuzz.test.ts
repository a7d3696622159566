import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiDocument } from "../../server/adapters/rest/openapi-document.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { restClient } from "../support/rest-client.ts";
import { arbitraryOf, hostile, type Schema, spoiled } from "../support/schema-arbitrary.ts";

// Every route with what its own description asks for, and with that spoiled. A longer look:
// npm run test:fuzz
const runs = Number(process.env.FUZZ_RUNS ?? 12);

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  schema: Schema;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

const document = openApiDocument("0.0.0") as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

let server: ApiServer;
const ids: string[] = ["task_none", "q_none"];

beforeAll(async () => {
  server = await startApiServer({
    register(manager) {
      manager.registerTask("echo", (_ctx, params) => params);
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?", { timeout: 3600 }));
    },
  });
  const rest = restClient(server.url);
  for (const type of ["echo", "ask", "ask"]) {
    const { taskId } = (await rest.post("/tasks", { type })).body;
    const { pendingQuestion } = (await rest.get(`/tasks/${taskId}/poll`)).body;
    ids.push(taskId, ...(pendingQuestion ? [pendingQuestion.questionId] : []));
  }
});

afterAll(async () => {
  const { status } = await fetch(`${server.url}/api/health`);
  expect(status).toBe(200);
  expect(server.errors).toEqual([]);
  await server.close();
});

const idArbitrary = fc.oneof(
  fc.constantFrom(...["task_none", "q_none"]),
  fc.nat({ max: 5 }).map((i) => ids[i] ?? "none"),
  fc.string({ minLength: 1, maxLength: 30 }),
);

/** What a request of an operation says: path, query and body. */
function requestOf({ path, operation }: (typeof operations)[number]) {
  const parameters = operation.parameters ?? [];
  const query = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name, schema }) => [
        name,
        fc.option(arbitraryOf(schema, document), { nil: undefined }),
      ]),
  );
  const schema = operation.requestBody?.content["application/json"].schema;
  return fc.record({
    path: fc.tuple(
      ...path.split("/").map((part) => (part.startsWith("{") ? idArbitrary : fc.constant(part))),
    ),
    query: fc
      .record(query)
      .chain((fits) => fc.oneof(fc.constant(fits as Record<string, unknown>), spoiled(fits))),
    body: schema
      ? arbitraryOf(schema, document).chain((fits) =>
          fc.oneof(fc.constant(fits), spoiled(fits as Record<string, unknown>), hostile),
        )
      : fc.constant(undefined),
  });
}

/**
 * Of a driver's call: that of a driver of a task of its own, as far as it names one at all. What it
 * says is then judged, and not who it is.
 */
async function asDriver(path: string[], body: unknown): Promise<string[]> {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (path[1] !== "drive" || path.length < 4 || !isObject) return path;
  const sent = body as Record<string, unknown>;
  if (typeof sent.driverId === "string" && sent.driverId !== "") sent.driverId = "fuzz";
  if (typeof sent.wait === "number" && sent.wait > 0 && sent.wait <= 60) sent.wait = 0.01;
  const rest = restClient(server.url);
  const { taskId } = (await rest.post("/drive", { type: "fuzz", driverId: "fuzz" })).body;
  return ["", "drive", taskId, path[3] as string];
}

function urlOf(path: string[], query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of [value].flat().slice(0, 10)) {
      const text = typeof one === "string" ? one : (JSON.stringify(one) ?? "");
      search.append(name, text.slice(0, 500));
    }
  }
  // No poll is to wait here; one that would is cut off, which is looked at below.
  if (path.at(-1) === "poll") search.set("timeout", "0");
  return `${server.url}/api/v1${path.map((part) => encodeURIComponent(wellFormed(part))).join("/")}?${search}`;
}

function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, "?") || "-";
}

const leak = /\.tsx?:\d|node_modules|\bat [\w.]+ \(|prisma|sqlite|\/work\//i;

async function expectsSense(url: string, init: RequestInit): Promise<void> {
  const signal = AbortSignal.timeout(20_000);
  const response = await fetch(url, { ...init, signal });
  const { status } = response;
  if (response.headers.get("content-type") === "text/event-stream") {
    await response.body?.cancel();
    expect(status).toBe(200);
    return;
  }
  const text = await response.text();
  expect([url, status < 500, text.slice(0, 300)]).toEqual([url, true, text.slice(0, 300)]);
  if (status < 400) return;
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(JSON.parse(text)).toMatchObject({ status, code: expect.stringMatching(/^[a-z_]+$/) });
  expect(JSON.parse(text).detail).not.toMatch(leak);
  expect(text.length).toBeLessThan(30_000);
}

describe("every route makes sense of whatever it is sent", () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))(
    "%s",
    async (_, operation) => {
      await fc.assert(
        fc.asyncProperty(requestOf(operation), async ({ path, query, body }) => {
          const own = await asDriver(path, body);
          const init =
            operation.method === "POST"
              ? {
                  method: "POST",
                  headers: { "content-type": "application/json" },
                  body: JSON.stringify(body) ?? "",
                }
              : {};
          await expectsSense(urlOf(own, query), init);
        }),
        { numRuns: runs, interruptAfterTimeLimit: runs > 100 ? 600_000 : 20_000 },
      );
    },
    runs > 100 ? 900_000 : 60_000,
  );
});

test("bytes that are anything at all are no more than refused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      await expectsSense(`${server.url}/api/v1/tasks`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: bytes as BodyInit,
      });
    }),
    { numRuns: runs * 2 },
  );
});

test("unknown members are said, on every route that takes a body", async () => {
  for (const { path, method, operation } of operations) {
    if (!operation.requestBody) continue;
    const url = `${server.url}/api/v1${path.replace(/\{\w+\}/g, ids[2] as string)}`;
    const response = await fetch(url, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ nobodyKnows: 1 }),
    });
    // What is for people only is refused to a program before anybody looks at what it sent.
    if (response.status === 403) continue;
    expect([path, response.status]).toEqual([path, 400]);
    expect([path, (await response.json()).detail]).toEqual([
      path,
      expect.stringContaining("nobodyKnows"),
    ]);
  }
});

test("an answer and a decline at once: one of them wins, and both are told which", async () => {
  const rest = restClient(server.url);
  for (let round = 0; round < 6; round += 1) {
    const { taskId } = (await rest.post("/tasks", { type: "ask" })).body;
    const { questionId } = (await rest.get(`/tasks/${taskId}/poll`)).body.pendingQuestion;
    const answers = await Promise.all([
      rest.post(`/questions/${questionId}/answer`, { answer: "yes" }),
      rest.post(`/questions/${questionId}/decline`, { reason: "no" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { outcome } = (await rest.get(`/questions/${questionId}`)).body;
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body.details.outcome).toBe(outcome);
  }
});

test("clients that vanish in the middle of a poll or an ask leave nothing behind", async () => {
  const rest = restClient(server.url);
  const { taskId } = (await rest.post("/tasks", { type: "ask" })).body;
  const { cursor } = (await rest.get(`/tasks/${taskId}/poll`)).body;
  const driven = (await rest.post("/drive", { type: "fuzz" })).body;
  const body = JSON.stringify({ driverId: driven.driverId, key: "k", prompt: "?", wait: 60 });
  const requests = [
    `GET /api/v1/tasks/${taskId}/poll?since=${cursor}&timeout=60 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `POST /api/v1/drive/${driven.taskId}/ask HTTP/1.1\r\nHost: localhost\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ];
  const waiting = async () => (await server.manager.stats()).waitingPolls;
  const sockets = Array.from({ length: 20 }, (_, i) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(requests[i % 2] as string);
    return socket;
  });
  await expect.poll(waiting).toBe(20);
  for (const socket of sockets) socket.destroy();
  await expect.poll(waiting).toBe(0);
});
