import { randomId } from "./system-clock.ts";

const prefix = "auto";

/**
 * An idempotency key that a program makes for one call, so that it may be sent again. It tells people
 * nothing, and is not shown to them.
 */
export function makeKey(): string {
  return randomId(prefix);
}

export function isMadeKey(key: string): boolean {
  return key.startsWith(`${prefix}_`);
}
