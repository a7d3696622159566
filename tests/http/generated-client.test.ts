import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import createClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocument } from "../../server/adapters/rest/openapi-document.ts";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import type { paths } from "../support/rest-api.ts";

let server: ApiServer;
let client: ReturnType<typeof createClient<paths>>;

beforeAll(async () => {
  server = await startApiServer({
    register: (manager) => registerBuiltInTasks(manager, { filesRoot: "examples/logs" }),
  });
  client = createClient<paths>({ baseUrl: `${server.url}/api/v1` });
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const typesFile = join(import.meta.dirname, "../support/rest-api.ts");

const words = new Set(["summary", "description", "example", "examples", "title"]);

/** A document without the words for people, which make no difference to types. */
function withoutWords(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutWords(part));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => isNamed || !words.has(name));
  // Below these the names are of members, and one may well be called `title`.
  return Object.fromEntries(
    kept.map(([name, part]) => [name, withoutWords(part, !isNamed && name === "properties")]),
  );
}

// After a change of the API: WRITE_REST_TYPES=1 npx vitest run tests/http/generated-client.test.ts
test("the types below are made of the document by openapi-typescript", async () => {
  const document = withoutWords(openApiDocument("0.0.0"));
  const made = astToString(await openapiTS(JSON.stringify(document)));
  if (process.env.WRITE_REST_TYPES) writeFileSync(typesFile, made);
  const isSame = readFileSync(typesFile, "utf8") === made;
  expect(isSame, "tests/support/rest-api.ts is not of this API any more: see above").toBe(true);
});

async function pollTo(taskId: string, since?: string) {
  const query = { since, timeout: 30, waitFor: "input_or_result" as const };
  const { data, error } = await client.GET("/tasks/{taskId}/poll", {
    params: { path: { taskId }, query },
  });
  if (error) throw new Error(error.detail);
  return data;
}

test("a client made of the document starts, follows, answers and reads the result", async () => {
  const types = await client.GET("/task-types");
  expect(types.data?.map(({ type }) => type)).toContain("deploy");

  const started = await client.POST("/tasks", {
    params: { header: { "Idempotency-Key": "one" } },
    body: { type: "deploy", params: { env: "production", pace: 0 } },
  });
  expect(started.response.status).toBe(201);
  const taskId = started.data?.taskId as string;
  expect(started.response.headers.get("location")).toBe(`/api/v1/tasks/${taskId}`);

  const asked = await pollTo(taskId);
  expect(asked.updates.length).toBeGreaterThan(0);
  const questionId = asked.pendingQuestion?.questionId as string;
  const path = { questionId };
  const wrong = await client.POST("/questions/{questionId}/answer", {
    params: { path },
    body: { answer: "perhaps" },
  });
  expect(wrong.error?.code).toBe("invalid_answer");
  const answered = await client.POST("/questions/{questionId}/answer", {
    params: { path },
    body: { answer: "yes" },
  });
  expect(answered.data?.question.outcome).toBe("answered");

  const done = await pollTo(taskId, asked.cursor);
  expect(done.result).toMatchObject({ status: "completed", error: null });
  const detail = await client.GET("/tasks/{taskId}", { params: { path: { taskId } } });
  expect(detail.data?.task.status).toBe("completed");
  const listed = await client.GET("/tasks", { params: { query: { statuses: ["completed"] } } });
  expect(listed.data?.items.map((task) => task.taskId)).toContain(taskId);

  const again = await client.POST("/tasks/{taskId}/rerun", {
    params: { path: { taskId }, header: { "Idempotency-Key": '"again"' } },
  });
  const repeated = await client.POST("/tasks/{taskId}/rerun", {
    params: { path: { taskId }, header: { "Idempotency-Key": "again" } },
  });
  expect(repeated.data).toMatchObject({ taskId: again.data?.taskId, created: false });
  const cancelled = await client.POST("/tasks/{taskId}/cancel", {
    params: { path: { taskId: again.data?.taskId as string } },
    body: { reason: "enough" },
  });
  expect(cancelled.data?.cancelled).toBe(true);
  expect((await pollTo(again.data?.taskId as string)).status).not.toBe("completed");
});

test("a start that is repeated with its key in the header starts nothing twice", async () => {
  const start = (key: string, body: object) =>
    client.POST("/tasks", {
      params: { header: { "Idempotency-Key": key } },
      body: { type: "deploy", params: { pace: 0, issues: 0 }, ...body },
    });
  const first = await start("two", {});
  const again = await start("two", {});
  expect([first.response.status, again.response.status]).toEqual([201, 200]);
  expect(again.data).toMatchObject({ taskId: first.data?.taskId, created: false });
  const other = await start("two", { params: { pace: 0, issues: 1 } });
  expect(other.error).toMatchObject({ status: 409, code: "idempotency_conflict" });
  const clash = await start("two", { idempotencyKey: "three" });
  expect(clash.error).toMatchObject({ status: 400, code: "invalid_input" });
  const empty = await start("", {});
  expect(empty.error).toMatchObject({ status: 400, code: "invalid_input" });
});
