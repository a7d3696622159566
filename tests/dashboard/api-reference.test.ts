import { expect, test } from "vitest";
import {
  curlText,
  limitsText,
  type OpenApi,
  operationsByTag,
  typeText,
} from "../../components/api-reference/open-api.ts";
import { openApiDocument } from "../../server/adapters/rest/openapi-document.ts";
import { restRoutes } from "../../server/adapters/rest/rest-routes.ts";

const document = openApiDocument("1.0.0") as OpenApi;
const operations = operationsByTag(document).flatMap((group) => group.operations);
const operation = (name: string) => {
  const found = operations.find(({ method, path }) => `${method} ${path}` === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

test("the reference has every route, each under one heading", () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    restRoutes.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

test("a call to paste has path, query, headers and body of the example", () => {
  expect(curlText(operation("POST /tasks"), "http://x/api/v1")).toBe(
    [
      `curl 'http://x/api/v1/tasks' \\`,
      `  -H "Authorization: Bearer $TOOLTHREAD_API_KEY" \\`,
      `  -H 'Idempotency-Key: release-812' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"type":"deploy","params":{"env":"production"},"labels":{"team":"core"}}'`,
    ].join("\n"),
  );
  const poll = curlText(operation("GET /tasks/{taskId}/poll"), "");
  expect(poll).toMatch(
    /^curl '\/tasks\/task_\w+\/poll\?since=c_\w+&timeout=30&waitFor=input_or_result'/,
  );
  for (const one of operations) expect(curlText(one, "")).not.toMatch(/\{\w+\}'?|undefined/);
});

test("types and limits are told in a few words", () => {
  expect(typeText({ type: "array", items: { $ref: "#/components/schemas/Task" } })).toBe("Task[]");
  expect(typeText({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("string | null");
  expect(typeText({ type: "array", items: { enum: ["a", "b"] } })).toBe('("a" | "b")[]');
  expect(typeText({})).toBe("any");
  expect(limitsText({ minimum: 1, maximum: 500, default: 50 })).toBe(
    "50 when left out, from 1, to 500",
  );
});
