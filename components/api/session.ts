import { noteServerDate } from "../time/server-clock.ts";

let opening: Promise<void> | null = null;

/**
 * Makes sure that this browser has a session, and says so to the server, which extends it. Done once
 * per page load, and again after {@link forgetSession}. Whoever has none is sent to sign in.
 */
export function openSession(): Promise<void> {
  opening ??= post().catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** The next call opens the session anew: after an UNAUTHORIZED, or a reconnect to a new server. */
export function forgetSession(): void {
  opening = null;
}

async function post(): Promise<void> {
  const sentAt = Date.now();
  const response = await fetch("/api/session", { method: "POST", credentials: "same-origin" });
  noteServerDate(response.headers.get("date"), sentAt, Date.now());
  if (response.ok) return;
  if (response.status === 401) {
    const here = location.pathname + location.search;
    location.replace(`/sign-in?next=${encodeURIComponent(here)}`);
  }
  throw new Error(`The server did not open a session (HTTP ${response.status}).`);
}
