import { STATUS_CODES } from "node:http";
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { problem } from "./response-schemas.ts";
import { type RestRoute, restRoutes } from "./rest-routes.ts";

const everyRouteRefuses = [401, 403, 503];

let made: { version: string; document: object } | null = null;

/** The description of the REST API in OpenAPI 3.1. */
export function openApiDocument(version: string): object {
  if (made?.version !== version) made = { version, document: makeDocument(version) };
  return made.document;
}

function makeDocument(version: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of restRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "toolthread",
      version,
      description:
        "Start work that takes minutes or days, follow it, answer what it asks, get its result. " +
        "All durations are seconds. Errors are problem documents with a stable `code`.",
    },
    servers: [{ url: "/api/v1" }],
    security: [{}, { apiKey: [] }],
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "Needed once the server has a key" },
      },
    },
    paths,
  });
}

function operationOf(route: RestRoute): ZodOpenApiOperationObject {
  const { method, path, procedure, input, output, summary } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const shape = input?.shape ?? {};
  const pathShape = Object.fromEntries(inPath.map((name) => [name, shape[name]]));
  const rest = Object.fromEntries(Object.entries(shape).filter(([name]) => !inPath.includes(name)));
  const success = { content: { "application/json": { schema: output } } };
  const operation: ZodOpenApiOperationObject = {
    operationId: procedure.replace(".", "_"),
    summary,
    requestParams: {
      path: z.object(pathShape as z.ZodRawShape),
      ...(method === "GET" ? { query: z.object(rest as z.ZodRawShape) } : {}),
    },
    responses: {
      ...(procedure === "tasks.start" ? { 201: { description: "Created", ...success } } : {}),
      200: { description: "OK", ...success },
    },
  };
  if (method === "POST" && Object.keys(rest).length > 0) {
    const schema = z.strictObject(rest as z.ZodRawShape);
    const required = !schema.safeParse({}).success;
    operation.requestBody = { required, content: { "application/json": { schema } } };
  }
  for (const status of [...route.refusals, ...everyRouteRefuses]) {
    const description = STATUS_CODES[status] ?? "Refused";
    const content = { "application/problem+json": { schema: problem } };
    operation.responses = { ...operation.responses, [String(status)]: { description, content } };
  }
  return operation;
}
