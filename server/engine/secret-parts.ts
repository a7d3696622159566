import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { secretMask } from "../core/secret-box.ts";

type Path = readonly (string | number)[];

/** A secret within a value: where it is, and what it is. */
export interface SecretPart {
  path: Path;
  value: JsonValue;
}

const maxDepth = 60;

/** Whether a JSON Schema marks any part as secret: with `secret: true`, or with `writeOnly: true`. */
export function marksSecrets(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.some(marksSecrets);
  if (!isJsonObject(schema)) return false;
  return isMarked(schema) || Object.values(schema).some(marksSecrets);
}

/**
 * Takes the parts of a value that schemas mark as secret out of it. Where a part may be one of
 * several things it is secret if any of them is. What is null is not hidden: it says that there is
 * none.
 */
export function splitSecrets(
  schemas: readonly JsonObject[],
  value: JsonValue,
): { shown: JsonValue; parts: SecretPart[] } {
  const found = new Map<string, SecretPart>();
  for (const schema of schemas) {
    find(schema, value, { root: schema, path: [], depth: 0 }, (path, part) => {
      if (part !== null) found.set(JSON.stringify(path), { path, value: part });
    });
  }
  // A part within a part goes with it.
  const parts = [...found.values()].filter(
    ({ path }) => !path.some((_, i) => found.has(JSON.stringify(path.slice(0, i)))),
  );
  const masks = parts.map(({ path }) => ({ path, value: secretMask }));
  return { shown: joinSecrets(value, masks), parts };
}

/** The value with the parts in their places; it is not changed itself. */
export function joinSecrets(shown: JsonValue, parts: readonly SecretPart[]): JsonValue {
  return parts.reduce((whole, { path, value }) => withPart(whole, path, value), shown);
}

interface Place {
  root: JsonObject;
  path: Path;
  depth: number;
}

function find(
  schema: JsonValue | undefined,
  value: JsonValue,
  place: Place,
  onSecret: (path: Path, value: JsonValue) => void,
): void {
  if (!isJsonObject(schema) || place.depth > maxDepth) return;
  if (isMarked(schema)) {
    onSecret(place.path, value);
    return;
  }
  const { root, path, depth } = place;
  const same = (other: JsonValue | undefined) =>
    find(other, value, { root, path, depth: depth + 1 }, onSecret);
  const within = (other: JsonValue | undefined, key: string | number, member: JsonValue) =>
    find(other, member, { root, path: [...path, key], depth: depth + 1 }, onSecret);

  if (typeof schema.$ref === "string") same(resolve(schema.$ref, root));
  for (const name of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[name];
    if (Array.isArray(branches)) branches.forEach(same);
  }
  if (Array.isArray(value)) {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    value.forEach((item, i) => {
      within(first[i] ?? schema.items, i, item);
    });
  } else if (isJsonObject(value)) {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const patterns = isJsonObject(schema.patternProperties) ? schema.patternProperties : {};
    for (const [name, member] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) within(properties[name], name, member);
      else within(schema.additionalProperties, name, member);
      for (const other of Object.values(patterns)) within(other, name, member);
    }
  }
}

function isMarked(schema: JsonObject): boolean {
  return schema.secret === true || schema.writeOnly === true;
}

function resolve(ref: string, root: JsonObject): JsonValue | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let target: JsonValue | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

function withPart(whole: JsonValue, path: Path, part: JsonValue): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return part;
  if (Array.isArray(whole) && typeof key === "number" && key < whole.length) {
    return whole.with(key, withPart(whole[key] as JsonValue, rest, part));
  }
  if (!isJsonObject(whole) || typeof key !== "string" || !Object.hasOwn(whole, key)) return whole;
  const copy: JsonObject = { ...whole };
  // defineProperty, because assigning "__proto__" would set the prototype instead of a member.
  Object.defineProperty(copy, key, {
    value: withPart(whole[key] as JsonValue, rest, part),
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return copy;
}
