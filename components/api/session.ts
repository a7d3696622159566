import { noteServerDate } from "../time/server-clock.ts";

let opening: Promise<void> | null = null;

/**
 * Makes this browser the operator: a same-origin cookie, without which the server would take its
 * calls for an agent's. Done once per page load, and again after {@link forgetSession}.
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
  if (!response.ok) throw new Error(`The server did not open a session (HTTP ${response.status}).`);
}
