import type { Timestamp } from "@/server/core/timestamp.ts";

// Deadlines are the server's; a browser whose clock is wrong must not show another countdown.
let offsetMillis = 0;

/** Milliseconds since 1970 by the server's clock, as well as this browser can know it. */
export function serverNow(): number {
  return Date.now() + offsetMillis;
}

/** A moment as the server writes it, with the microseconds a browser does not have as zeros. */
export function timestampOf(millis: number): Timestamp {
  return `${new Date(millis).toISOString().slice(0, -1)}000Z`;
}

/** Learns from an HTTP `Date` header, which has whole seconds: smaller differences are ignored. */
export function noteServerDate(header: string | null, sentAt: number, receivedAt: number): void {
  offsetMillis = clockOffset(header, sentAt, receivedAt) ?? offsetMillis;
}

/** Milliseconds to add to this browser's clock; null when the header says nothing. */
export function clockOffset(
  header: string | null,
  sentAt: number,
  receivedAt: number,
): number | null {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return null;
  const offset = server + 500 - (sentAt + receivedAt) / 2;
  return Math.abs(offset) < 2000 ? 0 : Math.round(offset);
}
