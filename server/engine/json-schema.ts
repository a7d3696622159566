import { z } from "zod";
import { InvalidInput } from "../core/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";

/**
 * The JSON Schema (draft 2020-12) of a zod schema. Parts that JSON Schema cannot say, such as
 * refinements, are left out: zod still checks them.
 */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => markSecret(jsonSchema),
  }) as JsonObject;
}

/** A secret says so in both ways there are, and shows no value. */
function markSecret(schema: Record<string, unknown>): void {
  if (schema.secret !== true && schema.writeOnly !== true) return;
  schema.secret = true;
  schema.writeOnly = true;
  for (const name of ["default", "examples", "const", "enum"]) delete schema[name];
}

/** A zod schema that accepts what the JSON Schema does. @throws InvalidInput if it is not one. */
export function fromJsonSchema(schema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw new InvalidInput(
      `This is not a JSON Schema that can be checked: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * A `$ref` may lead back to itself by way of a property or an item, because every value ends. One
 * that leads back without such a step would be followed for ever by whoever checks a value.
 *
 * @throws InvalidInput naming it.
 */
export function refuseEndlessRefs(schema: JsonObject): void {
  const ended = new Set<string>();
  const follow = (ref: string, way: readonly string[]) => {
    if (way.includes(ref)) {
      throw new InvalidInput(
        `This is not a JSON Schema that can be checked: its $ref "${ref}" leads back to itself.`,
      );
    }
    if (ended.has(ref)) return;
    for (const next of refsOnSameValue(targetOf(ref, schema))) follow(next, [...way, ref]);
    ended.add(ref);
  };
  // Every cycle goes through the target of a reference, which is the whole schema or a definition.
  for (const ref of ["#", ...definitionsOf(schema).flatMap(([, part]) => refsOnSameValue(part))]) {
    follow(ref, []);
  }
}

function definitionsOf({ $defs, definitions }: JsonObject): [name: string, schema: JsonValue][] {
  return [$defs, definitions].flatMap((part) => (isJsonObject(part) ? Object.entries(part) : []));
}

function targetOf(ref: string, schema: JsonObject): JsonValue {
  const [, , segment] = ref.split("/");
  if (segment === undefined) return schema;
  const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  return definitionsOf(schema).find(([key]) => key === name)?.[1] ?? true;
}

/** The references that are followed without a step into the value. */
function refsOnSameValue(schema: JsonValue): string[] {
  if (!isJsonObject(schema)) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [], not = [] } = schema;
  const inside = [allOf, anyOf, oneOf, not].flat().flatMap((part) => refsOnSameValue(part));
  return typeof $ref === "string" ? [$ref, ...inside] : inside;
}

/** True for a zod schema, also of another copy of zod. */
export function isZodSchema(schema: unknown): schema is z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}
