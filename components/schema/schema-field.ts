import { isJsonObject, type JsonObject, type JsonValue } from "@/server/core/json.ts";
import { zoneName } from "./local-moment.ts";

/** What a form shows for one place in a JSON Schema. */
export type SchemaField = {
  title: string | null;
  description: string | null;
  /** The schema's default; undefined when there is none. */
  initial: JsonValue | undefined;
  /** An example to show while nothing is filled in. */
  example: JsonValue | undefined;
  /** null is a value it takes, and what an empty field means. */
  nullable: boolean;
  /** What is filled in is masked, and kept nowhere. */
  secret: boolean;
} & SchemaFieldKind;

type SchemaFieldKind =
  | {
      kind: "text";
      input: "text" | "password" | "email" | "url" | "date" | "datetime-local";
      long: boolean;
      hint: string;
    }
  | { kind: "number"; integer: boolean; min: number | null; max: number | null; hint: string }
  | { kind: "boolean" }
  | { kind: "enum"; values: JsonValue[] }
  /** Any number of values out of a few. */
  | { kind: "set"; values: JsonValue[] }
  | { kind: "list"; item: SchemaField; atLeast: number }
  | { kind: "group"; members: { name: string; required: boolean; field: SchemaField }[] }
  /** Nothing a form can show well: edited as JSON text. */
  | { kind: "json" };

const maxDepth = 8;

/** Reads a JSON Schema (draft 2020-12, as zod writes it) into a field. Never throws. */
export function schemaField(schema: JsonObject): SchemaField {
  return read(schema, schema, 0);
}

function read(schema: JsonValue | undefined, root: JsonObject, depth: number): SchemaField {
  const plain: SchemaField = {
    title: null,
    description: null,
    initial: undefined,
    example: undefined,
    nullable: false,
    secret: false,
    kind: "json",
  };
  if (!isJsonObject(schema) || depth > maxDepth) return plain;
  const resolved = resolve(schema, root);
  if (resolved === null) return plain;
  const { schema: shape, nullable } = withoutNull(resolved, root);
  const common = {
    title: text(shape.title),
    description: text(shape.description),
    initial: shape.default,
    example: Array.isArray(shape.examples) ? shape.examples[0] : undefined,
    nullable,
    secret: isSecret(schema) || isSecret(resolved) || isSecret(shape),
  };
  return { ...common, ...kindOf(shape, root, depth) };
}

function isSecret(schema: JsonObject): boolean {
  return schema.secret === true || schema.writeOnly === true;
}

function kindOf(schema: JsonObject, root: JsonObject, depth: number): SchemaFieldKind {
  const { type } = schema;
  if ("const" in schema) return { kind: "enum", values: [schema.const as JsonValue] };
  const values = enumValues(schema);
  if (values !== null) return { kind: "enum", values };
  if ("anyOf" in schema || "oneOf" in schema || "allOf" in schema) return { kind: "json" };
  switch (type) {
    case "string":
      return textKind(schema);
    case "number":
    case "integer":
      return numberKind(schema);
    case "boolean":
      return { kind: "boolean" };
    case "array":
      return listKind(schema, root, depth);
    case "object":
      return groupKind(schema, root, depth);
    default:
      return { kind: "json" };
  }
}

function enumValues(schema: JsonObject): JsonValue[] | null {
  if (!Array.isArray(schema.enum) || schema.enum.length === 0) return null;
  return schema.enum.filter((value) => value !== null);
}

const inputs: Record<string, "email" | "url" | "date" | "datetime-local" | "password"> = {
  email: "email",
  uri: "url",
  date: "date",
  "date-time": "datetime-local",
  password: "password",
};

function textKind(schema: JsonObject): SchemaFieldKind {
  const { minLength, maxLength, pattern, format } = schema;
  const input = isSecret(schema) ? "password" : (inputs[String(format)] ?? "text");
  const hints = [
    typeof minLength === "number" && minLength > 1 && `at least ${minLength} characters`,
    typeof maxLength === "number" && maxLength < 500 && `at most ${maxLength} characters`,
    input === "datetime-local" && `your time, ${zoneName()}`,
    typeof format === "string" && !(format in inputs) && `format: ${format}`,
    typeof pattern === "string" &&
      typeof format !== "string" &&
      pattern.length < 60 &&
      `matches ${pattern}`,
  ];
  return {
    kind: "text",
    input,
    long: input === "text" && typeof maxLength === "number" && maxLength > 1000,
    hint: joined(hints),
  };
}

function numberKind(schema: JsonObject): SchemaFieldKind {
  const min = bound(schema.minimum, schema.exclusiveMinimum);
  const max = bound(schema.maximum, schema.exclusiveMaximum);
  const above = schema.minimum === undefined && min !== null ? `above ${min}` : null;
  const below = schema.maximum === undefined && max !== null ? `below ${max}` : null;
  const integer = schema.type === "integer";
  const hints = [
    integer && "whole number",
    above ?? (min !== null && `at least ${min}`),
    below ?? (max !== null && `at most ${max}`),
  ];
  return { kind: "number", integer, min, max, hint: joined(hints) };
}

// zod states the range of safe integers, which is no news to anybody.
function bound(inclusive: JsonValue | undefined, exclusive: JsonValue | undefined): number | null {
  const limit = inclusive ?? exclusive;
  return typeof limit === "number" && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : null;
}

function listKind(schema: JsonObject, root: JsonObject, depth: number): SchemaFieldKind {
  if (!isJsonObject(schema.items) || "prefixItems" in schema) return { kind: "json" };
  const item = read(schema.items, root, depth + 1);
  if (item.kind === "enum" && item.values.length > 1) return { kind: "set", values: item.values };
  if (item.kind === "json") return { kind: "json" };
  const { minItems } = schema;
  return { kind: "list", item, atLeast: typeof minItems === "number" ? Math.min(minItems, 10) : 0 };
}

function groupKind(schema: JsonObject, root: JsonObject, depth: number): SchemaFieldKind {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return { kind: "json" };
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    required: needed.has(name),
    field: read(member, root, depth + 1),
  }));
  return { kind: "group", members };
}

/** Follows a `$ref` within the schema; null when it leads nowhere. */
function resolve(schema: JsonObject, root: JsonObject): JsonObject | null {
  const { $ref, ...beside } = schema;
  if (typeof $ref !== "string") return schema;
  if (!$ref.startsWith("#/")) return null;
  let target: JsonValue | undefined = root;
  for (const part of $ref.slice(2).split("/")) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    target = isJsonObject(target) ? target[name] : undefined;
  }
  return isJsonObject(target) && typeof target.$ref !== "string" ? { ...target, ...beside } : null;
}

/** Takes the `null` out of `anyOf: [X, null]` and `type: [X, "null"]`. */
function withoutNull(
  schema: JsonObject,
  root: JsonObject,
): { schema: JsonObject; nullable: boolean } {
  const { anyOf, oneOf, ...beside } = schema;
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) {
    const others = branches.filter((branch) => !(isJsonObject(branch) && branch.type === "null"));
    const nullable = others.length < branches.length;
    const [only] = others;
    const branch = others.length === 1 && isJsonObject(only) ? resolve(only, root) : null;
    // Title, description and default may stand beside the branches.
    return { schema: branch === null ? schema : { ...branch, ...beside }, nullable };
  }
  if (Array.isArray(schema.type)) {
    const others = schema.type.filter((type) => type !== "null");
    const [only] = others;
    return {
      schema: { ...schema, type: others.length === 1 && only !== undefined ? only : others },
      nullable: others.length < schema.type.length,
    };
  }
  return { schema, nullable: Array.isArray(schema.enum) && schema.enum.includes(null) };
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function joined(hints: (string | false | null)[]): string {
  return hints.filter((hint) => hint).join(", ");
}
