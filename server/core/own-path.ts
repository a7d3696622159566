const base = "http://own.invalid";

/**
 * A path of our own pages, as a browser reads it; null for what would lead elsewhere, whatever tabs,
 * dots or backslashes hide it.
 */
export function ownPath(text: string): string | null {
  if (!text.startsWith("/") || !URL.canParse(text, base)) return null;
  const { origin, pathname, search, hash } = new URL(text, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : null;
}
