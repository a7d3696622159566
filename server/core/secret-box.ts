import type { JsonValue } from "./json.ts";

/** How a secret value reads wherever it is shown, stored in clear or passed on. */
export const secretMask = "•••";

/** A secret value, encrypted. */
export interface Sealed {
  /** Names the secret that encrypted it; tells nothing about it. */
  keyId: string;
  text: string;
}

/**
 * Encrypts the secret values of tasks. `place` says what a value belongs to: one that was moved to
 * another place cannot be opened there.
 */
export interface SecretBox {
  /** The secrets it can open with, by their ids; the first one seals. */
  readonly keyIds: readonly string[];
  seal(value: JsonValue, place: string): Sealed;
  /** @throws SecretUnreadable when it was sealed with another secret, for another place, or changed. */
  open(sealed: Sealed, place: string): JsonValue;
  /**
   * Digests that nobody can compute without the secret, so that they do not give away what they
   * are of; one for each secret, that of the first one first.
   */
  digests(text: string): readonly [string, ...string[]];
}

/** Where the secret parameters of a task are kept. */
export const paramsPlace = "params";

/** Where the answer to a secret question is kept. */
export function answerPlace(questionId: string): string {
  return `answer ${questionId}`;
}

/** Where the secret value of a step is kept. */
export function stepPlace(name: string, key: string): string {
  return `step ${JSON.stringify([name, key])}`;
}
