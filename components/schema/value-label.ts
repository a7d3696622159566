import type { JsonValue } from "@/server/core/json.ts";

/** One of a few values as a person would write it: `onErrors` is “On errors”, `EUR` stays. */
export function valueLabel(value: JsonValue): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (!/^[a-z][a-z0-9]*((_|-)[a-z0-9]+|[A-Z][a-z0-9]+)*$/.test(value)) return value;
  const words = value
    .replace(/[_-]/g, " ")
    .replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
