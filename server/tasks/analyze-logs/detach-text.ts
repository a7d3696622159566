// A part cut from a larger string keeps the whole of it in memory: a few hundred examples would
// hold on to a whole log. Both functions return text that stands on its own.

/** A copy for people, well-formed, and cut with an ellipsis when longer than `maxLength`. */
export function detachText(text: string, maxLength: number): string {
  const copy = Buffer.from(text.slice(0, maxLength)).toString();
  return text.length > maxLength ? `${copy}…` : copy;
}

/** A copy that is equal to `text` even where that has half a surrogate pair. */
export function exactCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
