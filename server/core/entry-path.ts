/** Whether a page is one by which people come in: it asks for no session, and has no live stream. */
export function isEntryPath(pathname: string): boolean {
  return /^\/(sign-in|set-up|invite)$/.test(pathname);
}
