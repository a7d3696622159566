import { isJsonObject, type JsonValue, jsonEquals } from "@/server/core/json.ts";

/** One difference between two values: what stood at a place, and what stands there now. */
export interface JsonChange {
  /** `customer.address[2]`; empty for the whole value. */
  path: string;
  /** Undefined where nothing stood, or stands, there. */
  before: JsonValue | undefined;
  after: JsonValue | undefined;
}

/** Every difference between two values, in the order of the second one. The order of keys is none. */
export function jsonChanges(before: JsonValue, after: JsonValue, path = ""): JsonChange[] {
  if (jsonEquals(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return keys.flatMap((key) =>
      memberChanges(memberOf(before, key), memberOf(after, key), path + keyText(key, path)),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) return itemChanges(before, after, path);
  return [{ path, before, after }];
}

function memberChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): JsonChange[] {
  if (before === undefined || after === undefined) return [{ path, before, after }];
  return jsonChanges(before, after, path);
}

// What two lists begin and end with alike is left out, so that an item put in shows as that alone.
function itemChanges(before: JsonValue[], after: JsonValue[], path: string): JsonChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, i) =>
    memberChanges(removed[i], added[i], `${path}[${start + i}]`),
  ).flat();
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a !== undefined && b !== undefined && jsonEquals(a, b);
}

function memberOf(value: { [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function keyText(key: string, path: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return path === "" ? key : `.${key}`;
  return `[${JSON.stringify(key)}]`;
}
