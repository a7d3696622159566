import { hasErrorCode } from "../core/errors.ts";
import type { RetryPolicy } from "../core/task-type.ts";

/** Errors that a further try would only meet again. */
const hopeless = ["non_retryable", "replay_mismatch", "grant_refused"] as const;

/**
 * Seconds until the next try after `failures` earlier ones, or null for no further try.
 *
 * @param random a number from 0 to 1; the jitter is drawn with it.
 */
export function retryDelay(
  policy: RetryPolicy | undefined,
  failures: number,
  error: unknown,
  random: () => number = Math.random,
): number | null {
  if (!policy || failures >= policy.limit) return null;
  if (hopeless.some((code) => hasErrorCode(error, code))) return null;
  if (policy.retryIf && !policy.retryIf(error)) return null;
  const { minDelay = 1, maxDelay = 300, factor = 2, jitter = 0.2 } = policy;
  const delay = Math.min(minDelay * factor ** failures, maxDelay);
  return delay * (1 + jitter * (2 * random() - 1));
}
