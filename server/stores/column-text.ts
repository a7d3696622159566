const marker = "\u0001";

/**
 * Text as a column can hold it. UTF-8 has no lone surrogates and Postgres no NUL; text with one of
 * them is stored as its JSON form behind a marker, so that it comes back as it was. Everything else
 * is stored as it is. Equal text stays equal, so ids and keys can be looked up by it.
 */
export function toColumnText(text: string): string {
  const plain = isWellFormed(text) && !text.includes("\0") && !text.startsWith(marker);
  return plain ? text : marker + JSON.stringify(text);
}

export function fromColumnText(text: string): string {
  return text.startsWith(marker) ? (JSON.parse(text.slice(marker.length)) as string) : text;
}

/** Applies {@link toColumnText} to every text of a row. */
export function toColumnValue(value: unknown): unknown {
  return typeof value === "string" ? toColumnText(value) : value;
}

// In every supported Node, but not yet in the library of types this project compiles against.
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
