import { isJsonObject, type JsonValue } from "@/server/core/json.ts";

const linesAtFirst = 60;

/** The first members of an object or items of a list, in order. */
export function entriesOf(
  value: JsonValue,
  limit = Number.POSITIVE_INFINITY,
): [string | number, JsonValue][] {
  if (Array.isArray(value)) return value.slice(0, limit).map((item, i) => [i, item]);
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .slice(0, limit)
    .map((key) => [key, value[key] as JsonValue]);
}

/** A list or an object: what can be unfolded. */
export function isBranch(value: JsonValue): value is JsonValue[] | { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null;
}

/** How many members or items it has. */
export function sizeOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

/**
 * The lists and objects to unfold at first: the outermost always, then level by level as many as
 * fill about a screen.
 */
export function initiallyOpen(value: JsonValue): ReadonlySet<JsonValue> {
  const open = new Set<JsonValue>([value]);
  let lines = 0;
  let level = [value];
  while (level.length > 0) {
    const next: JsonValue[] = [];
    for (const each of level) {
      const entries = entriesOf(each, linesAtFirst + 1);
      if (each !== value && lines + entries.length > linesAtFirst) continue;
      lines += entries.length;
      open.add(each);
      for (const [, member] of entries) if (isBranch(member)) next.push(member);
    }
    level = lines > linesAtFirst ? [] : next;
  }
  return open;
}

/** All lists and objects in it, itself too. */
export function allBranches(value: JsonValue): ReadonlySet<JsonValue> {
  const found = new Set<JsonValue>();
  const left = [value];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (!isBranch(each)) continue;
    found.add(each);
    for (const member of Array.isArray(each) ? each : Object.values(each)) left.push(member);
  }
  return found;
}
