import { isJsonObject, type JsonValue } from "@/server/core/json.ts";

const linesAtFirst = 60;

/** The first members of an object or items of a list, in order. */
export function entriesOf(value: JsonValue, limit: number): [string | number, JsonValue][] {
  if (Array.isArray(value)) return value.slice(0, limit).map((item, i) => [i, item]);
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .slice(0, limit)
    .map((key) => [key, value[key] as JsonValue]);
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
      for (const [, member] of entries) {
        if (typeof member === "object" && member !== null) next.push(member);
      }
    }
    level = lines > linesAtFirst ? [] : next;
  }
  return open;
}
