/**
 * `connecting`: not yet once connected. `live`: what is shown is current. `reconnecting`: just
 * dropped, most likely back within seconds. `lost`: has been away long enough to say so loudly.
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "lost";

/** Seconds without a connection after which it counts as lost. */
const lostAfterSeconds = 8;

/**
 * Seconds without a sign of life, of which the server gives one every five, after which a stream
 * counts as dead.
 */
export const silentAfterSeconds = 13;

/** Seconds before the n-th try in a row (from 1), drawn between half and all of the full delay. */
export function retryDelaySeconds(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(10, 0.5 * 2 ** (attempt - 1));
  return full * (0.5 + random() / 2);
}

/** What the connection is called, given since when it is down. */
export function stateWhenDown(
  wasLive: boolean,
  downSeconds: number,
  online: boolean,
): ConnectionState {
  if (!online || downSeconds >= lostAfterSeconds) return "lost";
  return wasLive ? "reconnecting" : "connecting";
}
