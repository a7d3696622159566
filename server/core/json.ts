import { InvalidInput } from "./errors.ts";

/** Any value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

export type JsonObject = { [key: string]: JsonValue };

/**
 * Returns a deep copy of `value` as plain JSON data, the way `JSON.stringify` would write it:
 * `toJSON` is honoured (so a `Date` becomes its ISO string) and `undefined` properties are left out.
 *
 * What JSON would drop or change silently is refused instead: functions, symbols, `BigInt`, `NaN`
 * and infinities, cycles, `undefined` inside arrays, and objects such as `Map`, `Error`, bytes or
 * a promise that nobody awaited.
 *
 * @param what names the value in the error, for example `"params"` or `"the result"`.
 * @throws InvalidInput naming the path of the first value that cannot be JSON.
 */
export function toJsonValue(value: unknown, what: string): JsonValue {
  return copy(value, what, []);
}

/** True for an object that is neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Canonical JSON text: object keys sorted by UTF-16 code unit, no white space, so that equal data
 * gives equal text. Used for digests and for comparing answers and parameters.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Deep equality of JSON data; the order of object keys does not count. */
export function jsonEquals(a: JsonValue, b: JsonValue): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

const maxDepth = 200;

/** Objects that `JSON.stringify` would write as `{}` or as something nobody meant. */
const lossyKinds: readonly [kind: new (...args: never[]) => object, remedy: string][] = [
  [Map, "use Object.fromEntries"],
  [Set, "spread it into a list"],
  [Promise, "await it first"],
  [Error, "use its message"],
  [RegExp, "use its source"],
  [ArrayBuffer, "encode it as text"],
  [Object.getPrototypeOf(Uint8Array), "encode it as text"],
];

function copy(value: unknown, path: string, ancestors: object[]): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw notJson(path, `is ${value}, which JSON cannot hold; use null or a string`);
    case "bigint":
      throw notJson(path, "is a BigInt, which JSON cannot hold; use a number or a string");
    case "undefined":
      throw notJson(path, "is undefined, which JSON cannot hold; use null");
    case "function":
    case "symbol":
      throw notJson(path, `is a ${typeof value}, which JSON cannot hold; leave it out`);
    default:
      return value === null ? null : copyObject(value as object, path, ancestors);
  }
}

function copyObject(value: object, path: string, ancestors: object[]): JsonValue {
  if (ancestors.includes(value)) {
    throw notJson(path, "refers back to an object that contains it; JSON cannot hold a cycle");
  }
  if (ancestors.length >= maxDepth) {
    throw notJson(path, `is nested more than ${maxDepth} levels deep`);
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return copy(value.toJSON(), path, [...ancestors, value]);
  }
  const inside = [...ancestors, value];
  // Array.from visits holes, which map would leave out.
  if (Array.isArray(value)) {
    return Array.from(value, (item, i) => copy(item, `${path}[${i}]`, inside));
  }
  const lossy = lossyKinds.find(([kind]) => value instanceof kind);
  if (lossy) {
    const [{ name }, remedy] = lossy;
    throw notJson(path, `is a ${name}, whose content JSON would drop; ${remedy}`);
  }
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    // defineProperty, because assigning "__proto__" would set the prototype instead of a member.
    Object.defineProperty(result, key, {
      value: copy(member, `${path}.${key}`, inside),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}

function notJson(path: string, why: string): InvalidInput {
  return new InvalidInput(`${path} ${why}`, { path });
}
