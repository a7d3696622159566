import fc from "fast-check";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

/** What no schema asks for: values that programs trip over. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "\u0000",
    "\ud800",
    "../../etc/passwd",
    "'; DROP TABLE tasks; --",
    "x".repeat(20_000),
    -0,
    1e308,
    -1,
    2 ** 53,
    0.1,
    true,
    [],
    {},
    [[]],
    JSON.parse('{"__proto__":{"polluted":1}}'),
    { constructor: { prototype: {} } },
    Array(5000).fill(1),
    nested(150),
  ),
  fc.anything({ maxDepth: 3, withNullPrototype: false }).map(asJson),
);

/** Values that fit a schema of the description of the API, as far as that says. */
export function arbitraryOf(schema: Schema, root: object): fc.Arbitrary<unknown> {
  if (schema.$ref) return arbitraryOf(resolve(schema.$ref, root), root);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, root)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => ofType(type, schema, root)));
}

function ofType(type: string, schema: Schema, root: object): fc.Arbitrary<unknown> {
  const { minimum = schema.exclusiveMinimum ?? -1e9, maximum = 1e9 } = schema;
  switch (type) {
    case "string":
      return fc.string({
        minLength: schema.minLength ?? 0,
        maxLength: Math.min(schema.maxLength ?? 50, 50),
        unit: "binary",
      });
    case "integer":
      return fc.integer({ min: Math.ceil(minimum), max: Math.min(maximum, 2 ** 31) });
    case "number":
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}, root), {
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    default:
      return ofObject(schema, root);
  }
}

function ofObject({ properties = {}, required = [], additionalProperties }: Schema, root: object) {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, arbitraryOf(member, root)]),
  );
  const known = fc.record(members, { requiredKeys: required as never });
  if (typeof additionalProperties !== "object") return known;
  const more = fc.dictionary(
    fc.string({ maxLength: 20 }),
    arbitraryOf(additionalProperties, root),
    {
      maxKeys: 4,
    },
  );
  return fc.tuple(known, more).map(([own, others]) => ({ ...others, ...own }));
}

/** The same object with one member replaced, added or left out. */
export function spoiled(object: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(object);
  const name = fc.oneof(
    ...(names.length > 0 ? [fc.constantFrom(...names)] : []),
    fc.constantFrom("__proto__", "constructor", "toString", "", "unknown", "taskId", "answer"),
  );
  return fc.tuple(name, hostile, fc.boolean()).map(([key, value, isGone]) => {
    const copy: Record<string, unknown> = { ...object };
    if (isGone) delete copy[key];
    else Object.defineProperty(copy, key, { value, enumerable: true, configurable: true });
    return copy;
  });
}

function resolve(reference: string, root: object): Schema {
  const path = reference.slice(2).split("/");
  return path.reduce((at, key) => (at as Record<string, unknown>)[key] as object, root) as Schema;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i += 1) value = [value];
  return value;
}

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return "no JSON";
  }
}
