import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openApiDocument } from "../../server/adapters/rest/openapi-document.ts";
import { restExamples } from "../../server/adapters/rest/rest-examples.ts";
import { restRoutes } from "../../server/adapters/rest/rest-routes.ts";

test("a strict linter accepts the document, without a warning", async () => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const source = JSON.stringify(openApiDocument("1.0.0"));
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  const told = problems.map(({ ruleId, message, location }) => [
    ruleId,
    message,
    location[0]?.pointer,
  ]);
  expect(told).toEqual([]);
});

test.each(restRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s has an example that its own schemas accept",
  (name, { path, input, output, content, headers = {} }) => {
    const { params = {}, body = {}, response } = restExamples[name] ?? {};
    const given = Object.entries(params).filter(([name]) => !(name in headers));
    if (input)
      expect(input.safeParse({ ...Object.fromEntries(given), ...body }).error).toBeUndefined();
    for (const [, param] of path.matchAll(/\{(\w+)\}/g))
      expect(params).toHaveProperty(param as string);
    if (content) expect(content.example).not.toBe("");
    else expect(output?.safeParse(response).error).toBeUndefined();
    if (!content) expect(response).toBeDefined();
  },
);
