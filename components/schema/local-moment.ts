/** A moment as a `datetime-local` field has it, in the viewer's zone; empty when it is none. */
export function toLocalMoment(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, at.getTime() % 60_000 === 0 ? 16 : 19);
}

/** What was chosen in such a field, as the moment it is everywhere; null when it is none. */
export function fromLocalMoment(text: string): string | null {
  // Without a zone a moment is read in the viewer's own.
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The viewer's zone, by its name. */
export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
