import type { JsonValue } from "@/server/core/json.ts";

// What has no look of its own, or gives the text after it another one: controls, marks of direction
// and of joining, spaces that are not a space, fillers, variation selectors.
const unseen =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|\u034f|[\u17b4\u17b5]|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|(?! )\p{Zs}/gu;

/**
 * JSON for a person to decide by: indented, and with everything that cannot be seen written as its
 * escape, so that two texts that look alike are alike. It is still the same JSON.
 */
export function visibleJson(value: JsonValue): string {
  return withEscapes(JSON.stringify(value, null, 2));
}

/** A name as it stands in JSON, without the quotes around it. */
export function visibleText(text: string): string {
  return visibleJson(text).slice(1, -1);
}

/** Writes what cannot be seen as its escape. Line breaks stay. */
export function withEscapes(text: string): string {
  return text.replace(unseen, (found) => (found === "\n" ? found : escapesOf(found)));
}

function escapesOf(text: string): string {
  return Array.from({ length: text.length }, (_, i) => {
    return `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }).join("");
}
