/** The parts of the API's description that the reference shows. */
export interface OpenApi {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, SchemaObject>; responses: Record<string, ResponseObject> };
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: ParameterObject[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, ResponseObject>;
}

export interface ParameterObject {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: SchemaObject;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Content;
}

type Content = Record<string, { schema: SchemaObject; example?: unknown }>;

export interface SchemaObject {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  anyOf?: SchemaObject[];
  oneOf?: SchemaObject[];
  properties?: Record<string, SchemaObject>;
  required?: string[];
  items?: SchemaObject;
  additionalProperties?: boolean | SchemaObject;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export interface Operation extends OperationObject {
  method: string;
  path: string;
}

/** The operations by their tags, in the order of the document. */
export function operationsByTag(
  document: OpenApi,
): { tag: string; about: string; operations: Operation[] }[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return document.tags.map(({ name, description }) => ({
    tag: name,
    about: description,
    operations: all.filter(({ tags }) => tags.includes(name)),
  }));
}

/** What a reference leads to; the thing itself when it is none. */
export function resolved<T extends { $ref?: string }>(thing: T, document: OpenApi): T {
  if (thing.$ref === undefined) return thing;
  const path = thing.$ref.slice(2).split("/");
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}

/** What a value is, in a few words: `string`, `Task[]`, `"yes" | "no"`, `integer | null`. */
export function typeText(schema: SchemaObject): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) {
    const shown = schema.enum.slice(0, 8).map((value) => JSON.stringify(value));
    return shown.join(" | ") + (schema.enum.length > shown.length ? " | …" : "");
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" | ");
  if (schema.type === "array") {
    const item = typeText(schema.items ?? {});
    return item.includes(" ") ? `(${item})[]` : `${item}[]`;
  }
  return [schema.type ?? "any"].flat().join(" | ");
}

/** The limits of a value, in a few words. */
export function limitsText({ minimum, maximum, maxLength, default: preset }: SchemaObject): string {
  return [
    preset === undefined ? "" : `${JSON.stringify(preset)} when left out`,
    minimum === undefined || minimum <= -1e15 ? "" : `from ${minimum}`,
    maximum === undefined || maximum >= 1e15 ? "" : `to ${maximum}`,
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** A call that can be pasted into a terminal. */
export function curlText(
  { method, path, parameters = [], requestBody }: Operation,
  base: string,
): string {
  const exampleOf = ({ schema, name }: ParameterObject) => schema.examples?.[0] ?? name;
  let url = path;
  const query = new URLSearchParams();
  const lines: string[] = [];
  for (const parameter of parameters) {
    const example = exampleOf(parameter);
    if (parameter.in === "path") url = url.replace(`{${parameter.name}}`, String(example));
    if (parameter.schema.examples === undefined) continue;
    if (parameter.in === "header") lines.push(`-H '${parameter.name}: ${example}'`);
    if (parameter.in !== "query") continue;
    for (const value of [example].flat()) query.append(parameter.name, String(value));
  }
  const body = requestBody?.content["application/json"]?.example;
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`);
  }
  const search = query.size === 0 ? "" : `?${query}`;
  const head = `curl ${method === "POST" && body === undefined ? "-X POST " : ""}'${base}${url}${search}'`;
  return [head, `-H "Authorization: Bearer $TOOLTHREAD_API_KEY"`, ...lines].join(" \\\n  ");
}
