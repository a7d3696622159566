/** The value of a cookie in a `Cookie` header; null when it is not there. */
export function cookieNamed(name: string, cookieHeader: string | null): string | null {
  for (const part of cookieHeader?.split(";") ?? []) {
    const text = part.trim();
    const at = text.indexOf("=");
    if (at > 0 && text.slice(0, at) === name) return text.slice(at + 1);
  }
  return null;
}
