import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  cancelledManyResponse,
  rerunManyResponse,
} from "../../server/adapters/rest/many-routes.ts";
import { overviewResponse, statsResponse } from "../../server/adapters/rest/overview-routes.ts";
import {
  cancelledResponse,
  pollResponse,
  problem,
  questionPage,
  questionResponse,
  questionSchema,
  startedResponse,
  taskDetail,
  taskPage,
  taskTypeList,
} from "../../server/adapters/rest/response-schemas.ts";
import { restRoutes } from "../../server/adapters/rest/rest-routes.ts";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { restClient } from "../support/rest-client.ts";

let server: ApiServer;
// biome-ignore lint/suspicious/noExplicitAny: the document, looked at here
let document: any;

beforeAll(async () => {
  server = await startApiServer({
    register: (manager) => registerBuiltInTasks(manager, { filesRoot: "examples/logs" }),
  });
  document = (await restClient(server.url).get("/openapi.json")).body;
});

afterAll(() => server.close());

test("every route is described, and nothing else", () => {
  expect(document.openapi).toBe("3.1.0");
  const described = Object.entries(document.paths as Record<string, object>).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(
    restRoutes.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

test("every reference in it leads somewhere", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(10);
  for (const [, path] of references) {
    const target = (path as string).split("/").reduce((at, key) => at?.[key], document);
    expect([path, typeof target]).toEqual([path, "object"]);
  }
});

test("parameters, bodies and refusals are told", () => {
  const poll = document.paths["/tasks/{taskId}/poll"].get;
  const names = poll.parameters.map((one: { name: string; in: string }) => `${one.in} ${one.name}`);
  expect(names).toEqual(
    expect.arrayContaining(["path taskId", "query since", "query timeout", "query waitFor"]),
  );
  expect(Object.keys(poll.responses)).toEqual(expect.arrayContaining(["200", "400", "401", "404"]));
  const { requestBody, responses } = document.paths["/tasks"].post;
  expect(requestBody.required).toBe(true);
  expect(requestBody.content["application/json"].schema).toMatchObject({
    required: ["type"],
    additionalProperties: false,
  });
  expect(Object.keys(responses)).toContain("201");
  const cancel = document.paths["/tasks/{taskId}/cancel"].post;
  expect(cancel.requestBody.required).toBe(false);
});

describe("what the API answers is what the document says", () => {
  // Strict copies, so that a member the document does not name is found as well.
  const expectFits = (schema: z.ZodType, body: unknown) => {
    const strict = "strict" in schema ? (schema as z.ZodObject).strict() : schema;
    expect(strict.safeParse(body).error).toBeUndefined();
  };

  test("through a whole task", async () => {
    const rest = restClient(server.url);
    expectFits(taskTypeList, (await rest.get("/task-types")).body);
    const started = (await rest.post("/tasks", { type: "deploy", params: { pace: 0 } })).body;
    expectFits(startedResponse, started);
    const { taskId } = started;
    const poll = (await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`)).body;
    expectFits(pollResponse, poll);
    expectFits(taskDetail, (await rest.get(`/tasks/${taskId}`)).body);
    expectFits(questionPage, (await rest.get("/questions")).body);
    const { questionId } = poll.pendingQuestion;
    const answer = await rest.post(`/questions/${questionId}/answer`, { answer: "no" });
    expectFits(questionResponse, answer.body);
    expectFits(questionSchema, (await rest.get(`/questions/${questionId}`)).body);
    const done = await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`);
    expect(done.body.result).not.toBeNull();
    expectFits(pollResponse, done.body);
    expectFits(taskDetail, (await rest.get(`/tasks/${taskId}`)).body);
    expectFits(taskPage, (await rest.get("/tasks")).body);
    expectFits(cancelledResponse, (await rest.post(`/tasks/${taskId}/cancel`)).body);
    expectFits(questionPage, (await rest.get("/questions?state=resolved")).body);
    expectFits(overviewResponse, (await rest.get("/overview?range=1h")).body);
    expectFits(statsResponse, (await rest.get("/stats")).body);
    const many = { taskIds: [taskId, "task_none"] };
    const cancelled = (await rest.post("/tasks/cancellations", many)).body;
    expectFits(cancelledManyResponse, cancelled);
    expect(cancelled.outcomes).toMatchObject([
      { taskId, did: "had_ended", error: null },
      { taskId: "task_none", did: null, error: { code: "task_not_found" } },
    ]);
    const again = (await rest.post("/tasks/reruns", many)).body;
    expectFits(rerunManyResponse, again);
    expect((await rest.get(`/tasks/${again.outcomes[0].did}`)).body.task.rerunOf).toBe(taskId);
    const refused = await rest.post(`/questions/${questionId}/answer`, { answer: "yes" });
    expectFits(problem, refused.body);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
  });
});
