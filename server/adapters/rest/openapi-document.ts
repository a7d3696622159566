import { STATUS_CODES } from "node:http";
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { type ApiErrorCode, errorTable } from "../error-table.ts";
import { problem } from "./response-schemas.ts";
import { problemExample, restExamples } from "./rest-examples.ts";
import type { RestRoute } from "./rest-route.ts";
import { restRoutes } from "./rest-routes.ts";

const everyRouteRefuses: ApiErrorCode[] = [
  "unauthorized",
  "session_expired",
  "forbidden",
  "foreign_origin",
  "unknown_host",
  "too_many_attempts",
  "too_many_calls",
  "store_unavailable",
  "shutting_down",
  "internal",
];
const everyBodyRefuses: ApiErrorCode[] = ["not_json", "too_large", "unsupported_media_type"];

/** What the first part of a procedure's name is called, and what is to be found there. */
const tags: Readonly<Record<string, { name: string; description: string }>> = {
  tasks: { name: "Tasks", description: "Start work, follow it, get its result, end it." },
  live: { name: "Tasks", description: "" },
  questions: { name: "Questions", description: "What tasks ask, and what they are answered." },
  drive: {
    name: "Drive",
    description: "Tasks that a program of yours runs, in any language.",
  },
  audit: { name: "Audit", description: "Who did what, when and from where. For admins." },
};

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
      license: { name: "MIT", identifier: "MIT" },
      description:
        "Start work that takes minutes or days, follow it, answer what it asks, get its result. " +
        "All durations are seconds. Timestamps are UTC with six decimals. Whatever is refused is a " +
        "problem document (RFC 9457) with a `code` that does not change, and words that say what to " +
        "do. Where `Retry-After` is sent, the same call may be repeated after that many seconds.",
    },
    servers: [{ url: "/api/v1" }],
    tags: Object.values(tags).filter(({ description }) => description !== ""),
    security: [{ apiKey: [] }, {}],
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description:
            "An agent's key, made in the dashboard, or TOOLTHREAD_API_KEY. Not needed where nobody " +
            "signs in and no key is set.",
        },
      },
    },
    paths,
  });
}

function operationOf(route: RestRoute): ZodOpenApiOperationObject {
  const { method, path, procedure, input, summary, description } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const example = restExamples[`${method} ${path}`] ?? {};
  const shape = withExamples(input?.shape ?? {}, example.params ?? {});
  const pathShape = Object.fromEntries(inPath.map((name) => [name, shape[name] as z.ZodType]));
  const rest = Object.fromEntries(Object.entries(shape).filter(([name]) => !inPath.includes(name)));
  const hasBody = method === "POST" && Object.keys(rest).length > 0;
  const operation: ZodOpenApiOperationObject = {
    operationId: operationIdOf(route),
    tags: [tags[procedure.split(".")[0] as string]?.name ?? procedure],
    summary,
    ...(description === undefined ? {} : { description }),
    requestParams: {
      path: z.object(pathShape),
      ...(method === "GET" ? { query: z.object(rest) } : {}),
      ...(route.headers ? { header: headersOf(route.headers, example.params ?? {}) } : {}),
    },
    responses: { ...successOf(route, example.response), ...refusalsOf(route, hasBody) },
  };
  if (hasBody) {
    const schema = z.strictObject(rest);
    const required = !schema.safeParse({}).success;
    const content = { "application/json": { schema, example: example.body } };
    operation.requestBody = { required, content };
  }
  return operation;
}

function operationIdOf({ path, procedure, content }: RestRoute): string {
  if (!content) return procedure.replace(".", "_");
  const [root, ...rest] = path.slice(1).split("/");
  return [root, ...rest.filter((part) => !part.startsWith("{"))].join("_");
}

function withExamples(shape: z.ZodRawShape, examples: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const example = examples[name];
      const one = schema as z.ZodType;
      return [name, example === undefined ? one : one.meta({ ...one.meta(), examples: [example] })];
    }),
  ) as Record<string, z.ZodType>;
}

const headerTexts: Readonly<Record<string, string>> = {
  "Idempotency-Key":
    "The same as `idempotencyKey` in the body: a call that is repeated with it does nothing twice",
  "Last-Event-ID": "The id of the last event that was read; the stream goes on after it",
};

function headersOf(headers: object, examples: Record<string, unknown>) {
  return z.object(
    Object.fromEntries(
      Object.keys(headers).map((name) => [
        name,
        z
          .string()
          .optional()
          .meta({ description: headerTexts[name], examples: [examples[name]] }),
      ]),
    ),
  );
}

function successOf({ output, content: own, status }: RestRoute, example: unknown) {
  if (own) {
    const { produces, example: piece } = own;
    const schema = { type: "string" as const };
    // The example has the first of these forms.
    const content = Object.fromEntries(
      produces.map((type, i) => [type, i === 0 ? { schema, example: piece } : { schema }]),
    );
    const isOver = { 204: { description: "The task has ended, and all of it was told" } };
    return {
      200: { description: "Done", content },
      ...(produces.includes("text/event-stream") ? isOver : {}),
    };
  }
  const content = { "application/json": { schema: output as z.ZodType, example } };
  const location = z.string().meta({ description: "Where the task is" });
  const created = {
    description: "Started",
    headers: z.object({ Location: location }),
    content,
  };
  if (!status) return { 200: { description: "Done", content } };
  return { 201: created, 200: { description: "Was started before", content } };
}

function refusalsOf({ codes, input }: RestRoute, hasBody: boolean) {
  const own: ApiErrorCode[] = [
    ...(input ? (["invalid_input"] as const) : []),
    ...codes,
    ...(hasBody ? everyBodyRefuses : []),
  ];
  return { ...byStatus(own, refusalOf), ...everyRouteRefusals };
}

function byStatus<T>(codes: readonly ApiErrorCode[], make: (http: number, of: string[]) => T) {
  const statuses = [...new Set(codes.map((code) => errorTable[code].http))];
  const of = (http: number) => codes.filter((code) => errorTable[code].http === http);
  return Object.fromEntries(statuses.map((http) => [String(http), make(http, of(http))]));
}

function refusalOf(http: number, codes: string[]): ZodOpenApiResponseObject {
  const words = codes.map((code) => `\`${code}\``).join(", ");
  const example = http === 409 ? { example: problemExample } : {};
  return {
    description: `${STATUS_CODES[http]}: ${words}`,
    content: { "application/problem+json": { schema: problem, ...example } },
  };
}

const retryAfter = z.object({
  "Retry-After": z.string().meta({ description: "Seconds after which to repeat the call" }),
});

/** The same for all, and so said once. */
const everyRouteRefusals = byStatus(everyRouteRefuses, (http, codes) => ({
  ...refusalOf(http, codes),
  id: (STATUS_CODES[http] ?? "Refused").replaceAll(" ", ""),
  ...(http === 503 || http === 429 ? { headers: retryAfter } : {}),
}));
