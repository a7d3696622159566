import { z } from "zod";
import { InvalidInput } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";

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

/** True for a zod schema, also of another copy of zod. */
export function isZodSchema(schema: unknown): schema is z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}
